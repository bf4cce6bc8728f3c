// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <simulation/functions.hpp>

namespace CUBIND_NAMESPACE::sim::management {

/// Returns the words of a status's name, such as "Invalid Argument" for NVML_ERROR_INVALID_ARGUMENT.
const char* text_of(nvmlReturn_t status) noexcept;

}  // namespace CUBIND_NAMESPACE::sim::management
