// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/array/array_format.hpp>
#include <cubind/core/array/texture.hpp>
#include <cubind/core/array/texture_options.hpp>
#include <cubind/core/device/device.hpp>

namespace CUBIND_NAMESPACE::detail {

/// Throws std::invalid_argument for options that contradict each other, or that the format of the elements does not allow.
void check_texture(const TextureOptions& options, ArrayFormat format);

/// Throws std::invalid_argument for linear memory that the device cannot sample, and for options that linear memory does not
/// allow.
void check_texture_memory(const TextureMemory& memory, const TextureOptions& options, Device device);

}  // namespace CUBIND_NAMESPACE::detail
