// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math/solver_result.hpp>
#include <cubind/math_base/operand.hpp>
#include <cubind/math_base/plan_options.hpp>

/// @file
/// Systems of linear equations with as many equations as unknowns, by cuSOLVER.

namespace CUBIND_NAMESPACE::math {

/// Which equations a decomposition solves.
enum class SolveWith {
    matrix,               ///< a x = b
    transpose,            ///< a^T x = b
    conjugate_transpose,  ///< a^H x = b
};

/// Options of Lu.
struct LuOptions {
    /// Whether the factors replace the elements of `a`, so that no memory is allocated for them. `a` must then be a writable view
    /// in column-major order: elements of a column are adjacent. The plan retains the memory of a view or a buffer.
    bool overwrite_a = false;
    /// The memory of the plan. A limit of the workspace that is too low is refused.
    PlanOptions plan = {};
};

/// The decomposition of a matrix for the solution of equations: a = P L U, with pivoting of rows. It is computed once and solves
/// for any number of right-hand sides:
///
///     StridedView a(elements, {n, n});
///     math::Lu factors(stream, a);
///     factors.solve(stream, b, x);
///
/// The types are float, double, and std::complex of both. `a` has any strides and is preserved, unless `overwrite_a` is set; the
/// plan then copies it to memory of its own. Work is submitted to the stream and not waited for. A captured call of factorize()
/// or solve() needs a plan that was made before the capture; the graph retains the plan. Several threads may call a plan; calls
/// of another stream wait for those of the previous one. A plan can be destroyed while its work runs. cuSOLVER ignores NaN in
/// `a`: it reports no failure, and solutions are finite and wrong. (cusolverDnXgetrf, cusolverDnXgetrs)
class [[nodiscard]] CUBIND_EXPORT Lu : public SolverResult {
public:
    /// Factors a matrix (m, n). Throws std::invalid_argument for other types and shapes, for memory of another device, and for a
    /// stream that is captured; Error if a call fails.
    Lu(StreamRef stream, const Operand& a, const LuOptions& options = {});
    /// Takes over the plan. The other object can only be assigned to or destroyed.
    Lu(Lu&&) noexcept = default;
    /// Ends the plan of this object, and takes over the other one.
    Lu& operator=(Lu&&) noexcept = default;

    /// Factors another matrix of the same type, shape and strides in the same memory. With `overwrite_a`, the factors are in the
    /// memory of this matrix.
    void factorize(StreamRef stream, const Operand& a);
    /// Solves for a vector (n) or a matrix (n, k) `b`. `x` has the type and the shape of `b` and is written; it may be the same
    /// array. The right-hand sides may have any strides; those of `x` are fastest if elements of a column are adjacent. The
    /// matrix must be square. If failure() has a value, `x` has no meaning.
    void solve(StreamRef stream, const Operand& b, const Output& x, SolveWith with = SolveWith::matrix);
    /// Solves in place: `b` is replaced by the solution.
    void solve(StreamRef stream, const Output& b, SolveWith with = SolveWith::matrix) { solve(stream, b, b, with); }
};

/// Options of Cholesky.
struct CholeskyOptions {
    /// The triangle of `a` that is read, and that has the factor.
    MatrixTriangle triangle = MatrixTriangle::lower;
    /// Whether the factor replaces this triangle of `a`, as for LuOptions. A real matrix may be in row-major order, too.
    bool overwrite_a = false;
    /// The memory of the plan.
    PlanOptions plan = {};
};

/// The decomposition of a symmetric or Hermitian, positive definite matrix: a = L L^H for the lower triangle, a = U^H U for the
/// upper one. It takes half of the time of Lu, and is used like it.
///
///     math::Cholesky factor(stream, a);
///     factor.solve(stream, b, x);
///     if (const auto failure = factor.failure(stream)) ...       // a is not positive definite
///
/// (cusolverDnXpotrf, cusolverDnXpotrs)
class [[nodiscard]] CUBIND_EXPORT Cholesky : public SolverResult {
public:
    /// Factors a matrix (n, n); see Lu.
    Cholesky(StreamRef stream, const Operand& a, const CholeskyOptions& options = {});
    /// Takes over the plan. The other object can only be assigned to or destroyed.
    Cholesky(Cholesky&&) noexcept = default;
    /// Ends the plan of this object, and takes over the other one.
    Cholesky& operator=(Cholesky&&) noexcept = default;

    /// Factors another matrix; see Lu::factorize().
    void factorize(StreamRef stream, const Operand& a);
    /// Solves a x = b; see Lu::solve().
    void solve(StreamRef stream, const Operand& b, const Output& x);
    /// Solves in place: `b` is replaced by the solution.
    void solve(StreamRef stream, const Output& b) { solve(stream, b, b); }
    /// Writes the factor to a matrix (n, n), with zeros in the other triangle (cublas<t>trttp, cublas<t>tpttr). It must not
    /// overlap a matrix that `overwrite_a` replaced.
    void factor(StreamRef stream, const Output& factor);
};

/// What is known about the matrix of solve().
struct SolveOptions {
    /// Whether the matrix is symmetric or Hermitian, and positive definite, which halves the time.
    bool positive_definite = false;
    /// The triangle that is read if it is.
    MatrixTriangle triangle = MatrixTriangle::lower;
    /// The temporary memory.
    PlanOptions plan = {};
};

/// Solves a x = b once, by Lu or by Cholesky. `a` and `b` are preserved; `x` may be the same array as `b`. Cannot be captured:
/// use a plan. Throws what the plans throw.
///
///     math::solve(stream, a, b, x).check(stream);   // waits, and throws if a is singular
CUBIND_EXPORT SolverResult solve(StreamRef stream, const Operand& a, const Operand& b, const Output& x,
                                 const SolveOptions& options = {});

/// Writes the Cholesky factor of `a` to `factor`, with zeros in the other triangle. Both may be the same array.
/// Cannot be captured.
CUBIND_EXPORT SolverResult cholesky(StreamRef stream, const Operand& a, const Output& factor,
                                    MatrixTriangle triangle = MatrixTriangle::lower, const PlanOptions& options = {});

}  // namespace CUBIND_NAMESPACE::math
