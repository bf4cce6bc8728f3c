// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/array/array.hpp>
#include <cubind/driver/types.hpp>

#include <string>

namespace CUBIND_NAMESPACE::detail {

/// The faces of a cubemap.
inline constexpr std::size_t faces_of_cubemap = 6;

/// The unit of a format: a square of `side` x `side` elements of `bytes` bytes. The side is 1 except for compressed formats.
/// `bytes` is 0 for formats whose units are not known.
struct ArrayUnit {
    std::size_t bytes = 0;
    std::size_t side = 1;
};
[[nodiscard]] ArrayUnit unit_of(ArrayFormat format) noexcept;

/// Converts options, which must have passed check_array(), to a native descriptor, and back.
[[nodiscard]] CUBIND_EXPORT driver::CUDA_ARRAY3D_DESCRIPTOR descriptor_of(const ArrayOptions& options) noexcept;
[[nodiscard]] ArrayOptions options_of(const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept;

/// Returns the extent for copies.
[[nodiscard]] Extent3D extent_of(const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept;

/// Returns the number of levels that halving the largest extent down to 1 produces.
[[nodiscard]] unsigned int max_level_count(const ArrayOptions& options) noexcept;

/// Returns the format and the shape as text, such as "an array of 64 x 64 elements (CU_AD_FORMAT_FLOAT, 4 channels) in 8 layers".
[[nodiscard]] CUBIND_EXPORT std::string describe(const ArrayOptions& options);

/// Throws std::invalid_argument for options that no array can have, and for features that the device of the context lacks.
CUBIND_EXPORT void check_array(const ArrayOptions& options, ContextRef context);

/// Returns the extents that exceed the limits of the device, with the limits. If no extent exceeds its limit, returns a
/// description of the array.
[[nodiscard]] std::string advice_on_array(const ArrayOptions& options, ContextRef context);

}  // namespace CUBIND_NAMESPACE::detail
