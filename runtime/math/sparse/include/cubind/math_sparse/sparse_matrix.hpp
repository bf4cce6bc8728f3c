// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/strided/strided_view.hpp>
#include <cubind/math_base/operand.hpp>

#include <cstdint>
#include <string>

/// @file
/// Views of sparse matrices.

namespace CUBIND_NAMESPACE::math {

/// How a sparse matrix stores its entries.
enum class SparseFormat {
    csr,  ///< compressed rows: the column and the value of each entry, row by row, and where each row begins
    csc,  ///< compressed columns: the row and the value of each entry, column by column, and where each column begins
    coo,  ///< coordinates: the row, the column and the value of each entry, in the order of rows
    bsr,  ///< compressed rows of dense blocks of one shape
};

/// The rows and columns of a matrix.
struct MatrixShape {
    std::int64_t rows = 0;     ///< the number of rows
    std::int64_t columns = 0;  ///< the number of columns

    /// Returns whether both are equal.
    [[nodiscard]] friend constexpr bool operator==(const MatrixShape&, const MatrixShape&) noexcept = default;
};

/// How the arrays of a sparse matrix are read.
struct SparseMatrixOptions {
    int first_index = 0;                               ///< the index of the first row and column: 0, or 1 as in Fortran
    MemoryOrder block_order = MemoryOrder::row_major;  ///< the order of the values of a block
};

/// A sparse matrix in arrays of a device: a view that retains the owners of the arrays, as StridedView does. The arrays of views
/// and buffers therefore live as long as the matrix and its copies; those of spans must outlive it. Products and conversions
/// return matrices that retain theirs.
///
///     SparseMatrix a = SparseMatrix::csr({rows, columns}, offsets, column_indices, values);
///     multiply(stream, a, x, y);                        // y = a x
///     multiply(stream, a.transposed(), y, x);           // x = a^T y
///
/// Values are float16, bfloat16, float32, float64, complex64 or complex128; indices are int32 or int64. The contents of the index
/// arrays are not checked, because they are on the device: offsets that do not ascend from `first_index`, and indices outside of
/// the matrix, make operations read and write outside of the arrays. Copies are independent; several threads may call constant
/// functions of one object.
class CUBIND_EXPORT SparseMatrix {
public:
    /// Creates a matrix in compressed rows. `offsets` has an element for each row and one more, `columns` and `values` one for
    /// each entry. Each creation asks the driver for the kind of the memory (cuPointerGetAttributes). Throws
    /// std::invalid_argument, which names both sides, for wrong sizes and types, for arrays with gaps, and for memory that
    /// devices cannot access.
    [[nodiscard]] static SparseMatrix csr(MatrixShape shape, const Operand& offsets, const Operand& columns,
                                          const Operand& values, const SparseMatrixOptions& options = {});
    /// Creates a matrix in compressed columns. `offsets` has an element for each column and one more.
    [[nodiscard]] static SparseMatrix csc(MatrixShape shape, const Operand& offsets, const Operand& rows, const Operand& values,
                                          const SparseMatrixOptions& options = {});
    /// Creates a matrix of coordinates. The entries must be in the order of rows, each at most once.
    [[nodiscard]] static SparseMatrix coo(MatrixShape shape, const Operand& rows, const Operand& columns, const Operand& values,
                                          const SparseMatrixOptions& options = {});
    /// Creates a matrix of dense blocks in compressed rows of blocks. `shape` counts elements, and must be a multiple of `block`.
    /// `values` has all blocks, one after the other.
    [[nodiscard]] static SparseMatrix bsr(MatrixShape shape, MatrixShape block, const Operand& offsets, const Operand& columns,
                                          const Operand& values, const SparseMatrixOptions& options = {});

    /// Returns how the entries are stored.
    [[nodiscard]] SparseFormat format() const noexcept { return format_; }
    /// Returns the rows and columns: those of the transpose for transposed().
    [[nodiscard]] MatrixShape shape() const noexcept;
    /// Returns the number of rows.
    [[nodiscard]] std::int64_t rows() const noexcept { return shape().rows; }
    /// Returns the number of columns.
    [[nodiscard]] std::int64_t columns() const noexcept { return shape().columns; }
    /// Returns the number of stored values. Stored zeros count.
    [[nodiscard]] std::int64_t entries() const noexcept { return values_.shape().begin()[0]; }
    /// Returns the type of the values.
    [[nodiscard]] DataType dtype() const noexcept { return values_.dtype(); }
    /// Returns the shape of a block; 1 x 1 unless the format is bsr.
    [[nodiscard]] MatrixShape block() const noexcept { return block_; }
    /// Returns how the arrays are read.
    [[nodiscard]] const SparseMatrixOptions& options() const noexcept { return options_; }
    /// Returns whether operations use the transpose of the stored matrix.
    [[nodiscard]] bool is_transposed() const noexcept { return is_transposed_; }
    /// Returns whether operations use the conjugate transpose of the stored matrix.
    [[nodiscard]] bool is_conjugated() const noexcept { return is_conjugated_; }

    /// Returns where each row, column or row of blocks begins. Throws std::invalid_argument for coordinates.
    [[nodiscard]] const StridedView& offsets() const;
    /// Returns the row of each entry. Throws std::invalid_argument unless the format is csc or coo.
    [[nodiscard]] const StridedView& row_indices() const;
    /// Returns the column of each entry or block. Throws std::invalid_argument if the format is csc.
    [[nodiscard]] const StridedView& column_indices() const;
    /// Returns the values of all entries.
    [[nodiscard]] const StridedView& values() const noexcept { return values_; }

    /// Returns the transpose, which has the same arrays. Products and triangular solvers accept it; copies nothing. Throws
    /// std::invalid_argument for the conjugate transpose of complex values.
    [[nodiscard]] SparseMatrix transposed() const;
    /// Returns the conjugate transpose, which is the transpose of real values. Throws std::invalid_argument for the transpose of
    /// complex values.
    [[nodiscard]] SparseMatrix conjugate_transposed() const;
    /// Returns the matrix with other values and the same index arrays. Throws std::invalid_argument for another size or type.
    [[nodiscard]] SparseMatrix with_values(const Operand& values) const;

private:
    SparseMatrix(SparseFormat format, MatrixShape shape, MatrixShape block, StridedView major, StridedView minor,
                 StridedView values, const SparseMatrixOptions& options);
    static SparseMatrix create(SparseFormat format, MatrixShape shape, MatrixShape block, const Operand& major,
                               const Operand& minor, const Operand& values, const SparseMatrixOptions& options);

    SparseFormat format_;
    bool is_transposed_ = false;
    bool is_conjugated_ = false;
    MatrixShape stored_;
    MatrixShape block_;
    SparseMatrixOptions options_;
    StridedView major_;  // offsets, or the rows of coordinates
    StridedView minor_;  // indices
    StridedView values_;
};

/// Returns "csr float32 1000 x 800 with 2500 entries".
[[nodiscard]] CUBIND_EXPORT std::string to_string(const SparseMatrix& matrix);

}  // namespace CUBIND_NAMESPACE::math
