// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "matmul/matrix.hpp"

#include <algorithm>

#include "operand/checks.hpp"

namespace CUBIND_NAMESPACE::math::detail {
namespace {

std::int64_t numbers_per_element(const char* operation, const char* name, const Operand& operand) {
    const DataType type = operand.dtype();
    const bool is_small = type.kind == DataTypeKind::float4_e2m1fn;
    if (type.lanes == (is_small ? 2 : 1)) return type.lanes;
    throw_misuse(operation, ": ", describe(name, operand), ", but elements must ",
                 is_small ? "be pairs of numbers, as DataType{float4_e2m1fn, 4, 2}" : "have one lane");
}

}  // namespace

Matrix matrix_of(const char* operation, const char* name, const Operand& operand, MemoryOrder pairs) {
    check_rank(operation, name, operand, 2, 3);
    const std::int64_t lanes = numbers_per_element(operation, name, operand);
    const std::size_t first = operand.rank() - 2;
    // Returns the leading dimension if `contiguous` is the contiguous dimension. Strides of dimensions of one element are unused.
    const auto leading = [&](std::size_t contiguous, std::size_t other) -> std::optional<std::int64_t> {
        const std::int64_t least = std::max<std::int64_t>(operand.extent(contiguous), 1);
        if (operand.extent(contiguous) > 1 && operand.strides()[contiguous] != 1) return std::nullopt;
        const std::int64_t found = operand.extent(other) > 1 ? operand.strides()[other] : least;
        if (found < least) return std::nullopt;
        return found * lanes;
    };
    Matrix matrix{.rows = operand.extent(first), .columns = operand.extent(first + 1)};
    if (lanes == 1 || pairs == MemoryOrder::row_major) matrix.row_leading = leading(first + 1, first);
    if (lanes == 1 || pairs == MemoryOrder::column_major) matrix.column_leading = leading(first, first + 1);
    if (!matrix.row_leading && !matrix.column_leading) {
        throw_misuse(operation, ": ", describe(name, operand), ", but cuBLASLt needs contiguous rows or contiguous columns",
                     lanes == 1 ? "" : " along k",
                     ": a stride of 1 in one dimension, and in the other one a leading dimension of at"
                     " least its extent: copy it to such memory");
    }
    (pairs == MemoryOrder::row_major ? matrix.columns : matrix.rows) *= lanes;
    if (operand.rank() == 3) {
        matrix.batch = operand.extent(0);
        matrix.batch_stride = matrix.batch > 1 ? operand.strides()[0] * lanes : 0;
        if (matrix.batch_stride < 0)
            throw_misuse(operation, ": ", describe(name, operand), ", but the stride of a batch must not be negative");
    }
    return matrix;
}

}  // namespace CUBIND_NAMESPACE::math::detail
