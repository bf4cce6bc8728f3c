// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math_base/plan_options.hpp>
#include <cubind/math_base/scalar.hpp>
#include <cubind/math_sparse/sparse_matrix.hpp>

#include <memory>

/// @file
/// Linear systems with triangular sparse matrices, on cuSPARSE.

namespace CUBIND_NAMESPACE::math {

/// A part of a stored sparse matrix.
enum class SparseTriangle {
    full,   ///< all entries
    lower,  ///< the diagonal and what is below it
    upper,  ///< the diagonal and what is above it
};

/// What a SparseTriangularSolver reads of its matrix.
struct SparseTriangularOptions {
    /// The triangle of the stored matrix that is used: lower or upper. Entries outside of it are ignored. For a transposed
    /// matrix, it is the triangle before the transposition.
    SparseTriangle triangle = SparseTriangle::lower;
    /// Whether the diagonal is taken as 1, and not read.
    bool unit_diagonal = false;
    /// Where the workspace comes from.
    PlanOptions plan = {};
};

/// The solution of a x = alpha b with a triangular sparse matrix, whose analysis is reused by all calls.
///
///     math::SparseTriangularSolver lower(stream, l, b, x);
///     lower(stream, b, x);
///
/// The matrix is square, in csr or coo, of float32, float64, complex64 or complex128. b and x have the shape (n), or (n, k) for k
/// right-hand sides, with one stride of 1, and may be the same array. A zero in the diagonal gives infinities and NaN, which are
/// not reported.
///
/// The plan retains the matrix and copies what it needs of it, so that changes of values require set_values(). Calls pass
/// operands like those of the creation, are asynchronous and allocate nothing. They can be captured; the graph uses the memory of
/// the plan, so that the plan must outlive it and not be used while it runs.
///
/// Movable, not copyable. Several threads may call one object: their calls are submitted one after the other, and a stream waits
/// for the work of the stream of the previous call. The destructor frees the memory in the order of the stream of the latest
/// call.
class CUBIND_EXPORT SparseTriangularSolver {
public:
    /// Creates the plan and analyzes the matrix (cusparseSpSV_analysis, cusparseSpSM_analysis). Throws std::invalid_argument,
    /// which names both sides, for operands that do not fit and for a captured stream, Error, LoadError, and OutOfMemory.
    SparseTriangularSolver(StreamRef stream, SparseMatrix a, const Operand& b, const Output& x,
                           const SparseTriangularOptions& options = {});
    /// Takes over the plan. The other object can only be assigned to or destroyed.
    SparseTriangularSolver(SparseTriangularSolver&&) noexcept;
    /// Ends the plan of this object, and takes over the other one.
    SparseTriangularSolver& operator=(SparseTriangularSolver&&) noexcept;
    ~SparseTriangularSolver();

    /// Solves a x = alpha b in stream order (cusparseSpSV_solve, cusparseSpSM_solve). Throws std::invalid_argument for operands
    /// unlike those of the creation, for an x that overlaps others in part, for memory or a stream of another device, and Error.
    void operator()(StreamRef stream, const Operand& b, const Output& x, Scalar alpha = 1.0);

    /// Takes over other values with the same index arrays, in stream order (cusparseSpSV_updateMatrix,
    /// cusparseSpSM_updateMatrix). Throws std::invalid_argument for another size or type, and Error.
    void set_values(StreamRef stream, const Operand& values);

    /// Returns the matrix.
    [[nodiscard]] const SparseMatrix& matrix() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Solves a x = b with a triangular matrix once.
CUBIND_EXPORT void solve_triangular(StreamRef stream, const SparseMatrix& a, const Operand& b, const Output& x,
                                    const SparseTriangularOptions& options = {});

}  // namespace CUBIND_NAMESPACE::math
