// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>

/// What devices can decompress, and the refusal of those without an engine.
namespace CUBIND_NAMESPACE::detail {

/// Returns the algorithms of the device's engine; 0 if it has none.
[[nodiscard]] unsigned int decompression_mask(Device device);

/// Throws an Error with CUDA_ERROR_NOT_SUPPORTED for a call of `function`, without making it.
[[noreturn]] void throw_no_decompression(const char* function, Device device);

}  // namespace CUBIND_NAMESPACE::detail
