// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

namespace CUBIND_NAMESPACE::sim {

/// Returns the text of cuGetErrorString, or null if no driver has been asked for it.
const char* driver_text(driver::CUresult error) noexcept;

/// Returns the release that added the status, as 1000 * major + 10 * minor, or 0 if it is in all releases.
int release_of(driver::CUresult error) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
