// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math_base/plan_options.hpp>
#include <cubind/math_base/scalar.hpp>
#include <cubind/math_sparse/sparse_matrix.hpp>

/// @file
/// Products of two sparse matrices, on cuSPARSE.

namespace CUBIND_NAMESPACE::math {

/// Returns alpha a b, in stream order (cusparseSpGEMM_workEstimation, cusparseSpGEMM_compute, cusparseSpGEMM_copy). Both
/// matrices are in compressed rows, not transposed, of the same types and first index; so is the result, whose arrays are
/// allocated from the resource of the plan. The library waits for the work to learn the number of entries, so that the call
/// cannot be captured. Throws std::invalid_argument, which names both sides, for matrices that do not fit and for a captured
/// stream, Error, and OutOfMemory.
///
///     math::SparseMatrix c = math::multiply(stream, a, b);
[[nodiscard]] CUBIND_EXPORT SparseMatrix multiply(StreamRef stream, const SparseMatrix& a, const SparseMatrix& b,
                                                  Scalar alpha = 1.0, const PlanOptions& options = {});

}  // namespace CUBIND_NAMESPACE::math
