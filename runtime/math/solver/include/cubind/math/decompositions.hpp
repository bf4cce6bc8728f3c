// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math/solver_result.hpp>
#include <cubind/math_base/operand.hpp>
#include <cubind/math_base/plan_options.hpp>

/// @file
/// Eigenvalues and singular values, by cuSOLVER.

namespace CUBIND_NAMESPACE::math {

/// Options of Eigh.
struct EighOptions {
    /// The triangle of `a` that is read.
    MatrixTriangle triangle = MatrixTriangle::lower;
    /// The memory of the plan. A limit of the workspace that is too low is refused.
    PlanOptions plan = {};
};

/// A plan for the eigenvalues and eigenvectors of symmetric and Hermitian matrices: a v = v diag(w), in ascending order.
///
///     math::Eigh plan(stream, a, w, v);      // the types, shapes and strides; nothing is computed
///     plan(stream, a, w, v);
///
/// `a` is a matrix (n, n), or a batch (k, n, n). `w` has the real type and the shape (n) or (k, n). Column i of `v`, which has
/// the shape of `a`, belongs to w[i]. `a` is preserved, unless `v` is the same array. The types are float, double, and
/// std::complex of both; the strides may be any. No call can be captured, because cuSOLVER waits for results. A batch needs
/// cuSOLVER of CUDA 12.6.2. Threads, streams and destruction: as for Lu. (cusolverDnXsyevd, cusolverDnXsyevBatched)
class [[nodiscard]] CUBIND_EXPORT Eigh : public SolverResult {
public:
    /// Plans eigenvalues and eigenvectors.
    Eigh(StreamRef stream, const Operand& a, const Output& w, const Output& v, const EighOptions& options = {});
    /// Plans eigenvalues only.
    Eigh(StreamRef stream, const Operand& a, const Output& w, const EighOptions& options = {});
    /// Takes over the plan. The other object can only be assigned to or destroyed.
    Eigh(Eigh&&) noexcept = default;
    /// Ends the plan of this object, and takes over the other one.
    Eigh& operator=(Eigh&&) noexcept = default;

    /// Computes eigenvalues and eigenvectors of operands like those of the creation.
    void operator()(StreamRef stream, const Operand& a, const Output& w, const Output& v);
    /// Computes eigenvalues by a plan for these only.
    void operator()(StreamRef stream, const Operand& a, const Output& w);
};

/// Computes eigenvalues and eigenvectors once; see Eigh.
CUBIND_EXPORT SolverResult eigh(StreamRef stream, const Operand& a, const Output& w, const Output& v,
                                const EighOptions& options = {});
/// Computes eigenvalues once.
CUBIND_EXPORT SolverResult eigh(StreamRef stream, const Operand& a, const Output& w, const EighOptions& options = {});

/// How singular values are computed.
enum class SvdMethod {
    qr,  ///< QR iterations: accurate for all matrices (cusolverDnXgesvd)
    /// A polar decomposition: faster; less accurate for singular values near zero (cusolverDnXgesvdp). Without vectors, `qr` is
    /// used, because the function writes vectors in any case.
    polar,
};

/// Options of Svd.
struct SvdOptions {
    /// How the singular values are computed.
    SvdMethod method = SvdMethod::qr;
    /// The memory of the plan. A limit of the workspace that is too low is refused.
    PlanOptions plan = {};
};

/// A plan for singular values and vectors: a = u diag(s) vh, with the singular values in descending order.
///
///     math::Svd plan(stream, a, u, s, vh);   // the types, shapes and strides; nothing is computed
///     plan(stream, a, u, s, vh);
///
/// `a` is a matrix (m, n) and is preserved. `s` has the real type and k = min(m, n) elements. The shapes of `u` and `vh` are (m,
/// k) and (k, n) for a thin decomposition, or (m, m) and (n, n) for a full one. vh is the conjugate transpose of the matrix whose
/// columns are the right singular vectors. Types, strides and the other rules are those of Eigh. For a matrix with more columns
/// than rows, the plan decomposes its transpose.
class [[nodiscard]] CUBIND_EXPORT Svd : public SolverResult {
public:
    /// Plans singular values and vectors.
    Svd(StreamRef stream, const Operand& a, const Output& u, const Output& s, const Output& vh, const SvdOptions& options = {});
    /// Plans singular values only.
    Svd(StreamRef stream, const Operand& a, const Output& s, const SvdOptions& options = {});
    /// Takes over the plan. The other object can only be assigned to or destroyed.
    Svd(Svd&&) noexcept = default;
    /// Ends the plan of this object, and takes over the other one.
    Svd& operator=(Svd&&) noexcept = default;

    /// Computes singular values and vectors of operands like those of the creation.
    void operator()(StreamRef stream, const Operand& a, const Output& u, const Output& s, const Output& vh);
    /// Computes singular values by a plan for these only.
    void operator()(StreamRef stream, const Operand& a, const Output& s);
};

/// Computes singular values and vectors once; see Svd.
CUBIND_EXPORT SolverResult svd(StreamRef stream, const Operand& a, const Output& u, const Output& s, const Output& vh,
                               const SvdOptions& options = {});
/// Computes singular values once.
CUBIND_EXPORT SolverResult svd(StreamRef stream, const Operand& a, const Output& s, const SvdOptions& options = {});

}  // namespace CUBIND_NAMESPACE::math
