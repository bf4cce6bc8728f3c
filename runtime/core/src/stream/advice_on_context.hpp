// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream.hpp>
#include <cubind/driver/types.hpp>

#include <string>

namespace cubind::detail {

/// A default stream was used where no context is current: what to do. Else empty.
std::string advice_on_context(driver::CUresult failure, StreamRef stream);

}  // namespace cubind::detail
