// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Notes that this process has initialized the driver, so that errors in children of fork() can say so.
CUBIND_EXPORT void note_initialization() noexcept;

}  // namespace CUBIND_NAMESPACE::detail
