// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math_base/plan_options.hpp>
#include <cubind/math_sparse/sparse_matrix.hpp>

/// @file
/// Conversions between sparse formats, and between sparse and dense matrices, on cuSPARSE.

namespace CUBIND_NAMESPACE::math {

/// The arrays of a sparse matrix that a conversion creates.
struct SparseConversionOptions {
    SparseFormat format = SparseFormat::csr;  ///< csr, csc or coo
    DataType indices = data_type<int>;        ///< the type of the indices: int32 or int64
    SparseMatrixOptions matrix = {};          ///< the first index
    PlanOptions plan = {};                    ///< the resource that allocates the arrays and the workspace
};

/// Writes all elements of the sparse matrix to a dense matrix, in stream order (cusparseSparseToDense). The dense matrix has the
/// shape (rows, columns), the same type, and one stride of 1. Throws std::invalid_argument, which names both sides, and Error.
/// The call can be captured.
CUBIND_EXPORT void to_dense(StreamRef stream, const SparseMatrix& matrix, const Output& dense, const PlanOptions& options = {});

/// Returns the elements of a dense matrix that are not 0 (cusparseDenseToSparse_analysis, cusparseDenseToSparse_convert). The
/// library waits for the work to learn their number, so that the call cannot be captured. Throws std::invalid_argument for a
/// matrix without a stride of 1, other types and a captured stream, Error, and OutOfMemory.
///
///     math::SparseMatrix a = math::to_sparse(stream, dense, {.format = math::SparseFormat::coo});
[[nodiscard]] CUBIND_EXPORT SparseMatrix to_sparse(StreamRef stream, const Operand& dense,
                                                   const SparseConversionOptions& options = {});

/// Returns the matrix in another format, in stream order: csr, csc or coo (cusparseCsr2cscEx2, cusparseXcsr2coo,
/// cusparseXcoo2csr). The arrays that do not change are shared with the source, all of them if the format is the same. Entries of
/// coo are in the order of rows. A transposed matrix becomes one that is stored transposed. Requires indices of int32, which is
/// what the library converts. Throws std::invalid_argument for blocks, for int64, for the conjugate of complex values, and for a
/// captured stream, whose graph would own the new arrays; Error, and OutOfMemory.
[[nodiscard]] CUBIND_EXPORT SparseMatrix convert(StreamRef stream, const SparseMatrix& matrix, SparseFormat format,
                                                 const PlanOptions& options = {});

}  // namespace CUBIND_NAMESPACE::math
