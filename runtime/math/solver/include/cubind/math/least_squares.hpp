// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math/solver_result.hpp>
#include <cubind/math_base/operand.hpp>
#include <cubind/math_base/plan_options.hpp>

/// @file
/// The QR decomposition and least squares, by cuSOLVER and cuBLAS.

namespace CUBIND_NAMESPACE::math {

/// Options of Qr.
struct QrOptions {
    /// Whether the factors replace the elements of `a`, which must then be a writable view in column-major order.
    bool overwrite_a = false;
    /// The memory of the plan. A limit of the workspace that is too low is refused.
    PlanOptions plan = {};
};

/// The decomposition of a matrix of m rows and n columns: a = Q R, where Q has orthonormal columns and R is upper triangular.
///
///     math::Qr factors(stream, a);
///     factors.solve(stream, b, x);          // the least squares of a x - b
///     factors.q(stream, q);
///     factors.r(stream, r);
///
/// The rules for types, strides, `overwrite_a`, threads, captures and destruction are those of Lu. m and n are at most 2^31 - 1.
/// Without pivoting of columns, failure() finds an exactly or nearly dependent column only if R has an element on the diagonal
/// that is not above the largest one times max(m, n) times the rounding error of the type.
/// (cusolverDnXgeqrf, cusolverDn<t>orgqr, cusolverDn<t>ungqr, cusolverDn<t>ormqr, cusolverDn<t>unmqr, cublas<t>trsm)
class [[nodiscard]] CUBIND_EXPORT Qr : public SolverResult {
public:
    /// Factors a matrix (m, n). Throws as Lu does.
    Qr(StreamRef stream, const Operand& a, const QrOptions& options = {});
    /// Takes over the plan. The other object can only be assigned to or destroyed.
    Qr(Qr&&) noexcept = default;
    /// Ends the plan of this object, and takes over the other one.
    Qr& operator=(Qr&&) noexcept = default;

    /// Factors another matrix of the same type, shape and strides; see Lu::factorize().
    void factorize(StreamRef stream, const Operand& a);
    /// Writes Q: its first min(m, n) columns to a matrix of that shape, or all of them to a matrix (m, m).
    void q(StreamRef stream, const Output& q);
    /// Writes R to a matrix (min(m, n), n), with zeros below the diagonal (cublas<t>trttp, cublas<t>tpttr).
    void r(StreamRef stream, const Output& r);
    /// Replaces a vector (m) or a matrix (m, k) by its product with the complete Q.
    void multiply_by_q(StreamRef stream, const Output& c);
    /// Replaces a vector (m) or a matrix (m, k) by its product with the conjugate transpose of the complete Q.
    void multiply_by_adjoint_q(StreamRef stream, const Output& c);
    /// Minimizes |a x - b|. `b` is a vector (m) or a matrix (m, k) and is preserved; `x` is a vector (n) or a matrix (n, k). `a`
    /// must have at least as many rows as columns. If failure() has a value, `x` has no meaning.
    void solve(StreamRef stream, const Operand& b, const Output& x);
};

/// Computes the QR decomposition of `a`, which is preserved. The shapes are those of Qr::q() and Qr::r(). Cannot be captured.
CUBIND_EXPORT SolverResult qr(StreamRef stream, const Operand& a, const Output& q, const Output& r,
                              const PlanOptions& options = {});

/// Minimizes |a x - b| for a matrix with at least as many rows as columns; see Qr::solve(). Cannot be captured.
///
///     math::least_squares(stream, a, b, x).check(stream);
CUBIND_EXPORT SolverResult least_squares(StreamRef stream, const Operand& a, const Operand& b, const Output& x,
                                         const PlanOptions& options = {});

}  // namespace CUBIND_NAMESPACE::math
