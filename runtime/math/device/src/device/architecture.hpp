// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

namespace CUBIND_NAMESPACE::math::device::detail {

/// Returns the architecture of a description, which is "sm_90" or "90", as "sm_90"; an empty one is that of the current device.
/// Throws std::invalid_argument for anything else, with the name of the description's type.
std::string architecture_of(const std::string& arch, const char* owner);

/// Returns 900 for "sm_90".
long long number_of(const std::string& arch);

}  // namespace CUBIND_NAMESPACE::math::device::detail
