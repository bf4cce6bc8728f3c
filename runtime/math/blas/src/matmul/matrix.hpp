// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/strided/strided_view.hpp>
#include <cubind/math_base/operand.hpp>

#include <cstdint>
#include <optional>

namespace CUBIND_NAMESPACE::math::detail {

/// An operand as a matrix, or a batch of them. Sizes and strides are in numbers: pairs of 4 bits count as two.
struct Matrix {
    std::int64_t batch = 1;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    std::int64_t batch_stride = 0;
    std::optional<std::int64_t> row_leading = std::nullopt;  // the leading dimension if it is used as row-major
    std::optional<std::int64_t> column_leading =
        std::nullopt;  // the same as column-major; a matrix of one row or column may be both

    /// Returns the leading dimension in this order, if there is one.
    [[nodiscard]] const std::optional<std::int64_t>& leading(MemoryOrder order) const noexcept {
        return order == MemoryOrder::row_major ? row_leading : column_leading;
    }
};

/// Returns the operand as a matrix. `pairs` is the order in which pairs of 4 bits may be. Throws std::invalid_argument if neither
/// its rows nor its columns are contiguous.
[[nodiscard]] Matrix matrix_of(const char* operation, const char* name, const Operand& operand, MemoryOrder pairs);

}  // namespace CUBIND_NAMESPACE::math::detail
