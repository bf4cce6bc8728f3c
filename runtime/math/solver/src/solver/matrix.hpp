// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/array/data_type.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/core/strided/dimensions.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/math_base/operand.hpp>

#include <cstddef>
#include <cstdint>

namespace CUBIND_NAMESPACE::math::detail::solver {

/// Parts of one allocation, each at a multiple of 256 bytes.
struct Arena {
    /// Adds a part, and returns its offset.
    std::size_t add(std::size_t bytes) noexcept {
        const std::size_t offset = size;
        size += (bytes + 255) / 256 * 256;
        return offset;
    }
    std::size_t size = 0;
};

/// A matrix (rows, columns) with any strides, or a batch of them (matrices, rows, columns).
struct Array {
    /// A vector becomes a matrix of one column.
    explicit Array(const Operand& operand);
    Array(void* address, DataType type, const Dimensions& extents, const Dimensions& distances)
        : data(address), dtype(type), shape(extents), strides(distances) {}

    /// Exchanges rows and columns.
    [[nodiscard]] Array transposed() const;
    /// Returns the first columns of a matrix.
    [[nodiscard]] Array first_columns(std::int64_t count) const { return {data, dtype, {rows(), count}, strides}; }
    /// Returns the columns of a matrix from `first` on.
    [[nodiscard]] Array columns_from(std::int64_t first) const;
    /// Returns the first rows of a matrix.
    [[nodiscard]] Array first_rows(std::int64_t count) const { return {data, dtype, {count, columns()}, strides}; }
    [[nodiscard]] std::int64_t rows() const { return shape[shape.rank() - 2]; }
    [[nodiscard]] std::int64_t columns() const { return shape[shape.rank() - 1]; }
    [[nodiscard]] std::int64_t matrices() const { return shape.rank() == 3 ? shape[0] : 1; }
    [[nodiscard]] std::size_t bytes() const;
    /// Returns whether the elements of a column are adjacent, and matrices of a batch follow each other, as cuSOLVER needs it.
    [[nodiscard]] bool is_column_major() const;
    /// Returns the distance of columns in column-major order.
    [[nodiscard]] std::int64_t leading_dimension() const;

    void* data;
    DataType dtype;
    Dimensions shape;
    Dimensions strides;
};

/// Copies between arrays of the same shape with any strides; does nothing if both are the same. Allocates host memory only for
/// strides that need a kernel.
void copy_array(StreamRef stream, const Device& device, const Array& to, const Array& from);

/// Sets bytes to 0.
void clear(driver::CUstream stream, void* data, std::size_t bytes);
/// Sets the elements of a matrix in column-major order to 0.
void clear(driver::CUstream stream, const Array& matrix);

/// A matrix in column-major order: the operand itself if it has this order, else a copy in the workspace.
class Columns {
public:
    /// Adds the copy, if one is needed, to the arena.
    Columns(const Array& operand, Arena& arena);
    /// Returns a matrix of the shape of the operand that is always in the workspace.
    [[nodiscard]] static Columns in_workspace(const Array& operand, Arena& arena) { return {operand, arena, true}; }
    /// Sets the address of the arena, which the copy is in.
    void place(std::byte* arena) noexcept {
        if (is_copy_) matrix_.data = arena + offset_;
    }
    /// Returns the matrix in column-major order.
    [[nodiscard]] const Array& matrix() const noexcept { return matrix_; }
    [[nodiscard]] void* data() const noexcept { return matrix_.data; }
    [[nodiscard]] std::int64_t leading_dimension() const { return matrix_.leading_dimension(); }
    /// Copies the result to the operand, unless it is there.
    void copy_out(StreamRef stream, const Device& device) const {
        if (is_copy_) copy_array(stream, device, operand_, matrix_);
    }

private:
    Columns(const Array& operand, Arena& arena, bool is_copy);

    Array operand_;
    Array matrix_;
    std::size_t offset_ = 0;
    bool is_copy_;
};

/// Returns an array in column-major order without gaps.
[[nodiscard]] Array column_major(void* data, DataType dtype, const Dimensions& shape);

}  // namespace CUBIND_NAMESPACE::math::detail::solver
