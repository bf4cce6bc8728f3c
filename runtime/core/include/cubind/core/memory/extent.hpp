// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>

namespace CUBIND_NAMESPACE {

/// An extent in elements. In arrays with layers, the depth counts layers; in cubemaps, it counts faces.
struct Extent3D {
    std::size_t width = 1;   ///< elements of a row
    std::size_t height = 1;  ///< rows
    std::size_t depth = 1;   ///< slices, layers or faces
    /// Returns whether both are equal.
    [[nodiscard]] friend bool operator==(const Extent3D&, const Extent3D&) noexcept = default;
};

/// A position in elements.
struct Offset3D {
    std::size_t x = 0;  ///< element of a row
    std::size_t y = 0;  ///< row
    std::size_t z = 0;  ///< slice, layer or face; face f of cubemap i is 6 * i + f
    /// Returns whether both are equal.
    [[nodiscard]] friend bool operator==(const Offset3D&, const Offset3D&) noexcept = default;
};

}  // namespace CUBIND_NAMESPACE
