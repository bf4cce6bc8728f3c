// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/math_device/function.hpp>
#include <cubind/math_device/precision.hpp>

#include <cstddef>
#include <string>

namespace CUBIND_NAMESPACE::math::device {

/// What a Solver computes, with the parameters of the function. A is m x m, and B is m x right_hand_sides, unless stated. A and B
/// are replaced by the results. info[batch] is 0, or i if the leading minor of order i is not positive definite, or the i-th
/// pivot is 0.
enum class SolverFunction {
    cholesky,                     ///< A = L L* or U* U: `(T* a, int* info)` (POTRF)
    cholesky_solve,               ///< A X = B with a factor of cholesky: `(const T* a, T* b)` (POTRS)
    cholesky_factor_and_solve,    ///< both: `(T* a, T* b, int* info)` (POSV)
    lu,                           ///< A = L U without pivots: `(T* a, int* info)` (GETRF)
    lu_solve,                     ///< A X = B with factors of lu: `(const T* a, T* b)` (GETRS)
    lu_factor_and_solve,          ///< both: `(T* a, T* b, int* info)` (GESV)
    pivoted_lu,                   ///< A = P L U: `(T* a, int* pivots, int* info)` with m pivots (GETRF)
    pivoted_lu_solve,             ///< A X = B with factors of pivoted_lu: `(const T* a, const int* pivots, T* b)` (GETRS)
    pivoted_lu_factor_and_solve,  ///< both: `(T* a, int* pivots, T* b, int* info)` (GESV)
    triangular_solve,             ///< A X = B with a triangular A: `(const T* a, T* b)` (TRSM)
    qr,                           ///< A = Q R of an m x n A: `(T* a, T* tau)` with min(m, n) values in tau (GEQRF)
    least_squares,  ///< the X with the smallest |A X - B|, A is m x n, B has max(m, n) rows: `(T* a, T* tau, T* b)` (GELS)
};

/// The triangle of A that a function reads; the other one is not used.
enum class Triangle { lower, upper };

/// Whether A, its transpose or its conjugate transpose is solved with.
enum class Transpose { none, transposed, conjugated };

/// The description of a Solver. It is an aggregate.
struct SolverDescription {
    /// The operation of linear algebra.
    SolverFunction function = SolverFunction::cholesky;
    std::size_t m = 0;                 ///< rows of A
    std::size_t n = 0;                 ///< columns of A for qr and least_squares; 0: m
    std::size_t right_hand_sides = 1;  ///< columns of B
    /// f32 or f64.
    Precision precision = Precision::f32;
    /// Whether the elements are real or complex.
    Domain domain = Domain::real;
    /// The arrangement of A and B in shared memory.
    Arrangement arrangement = Arrangement::column_major;
    /// The triangle of A; for cholesky* and triangular_solve.
    Triangle triangle = Triangle::lower;
    /// The matrix to solve with; for lu_* and pivoted_lu_* that solve, triangular_solve and least_squares.
    Transpose transpose = Transpose::none;
    /// Whether the diagonal of A is 1 and is not read; for triangular_solve.
    bool is_unit = false;
    /// The number of systems that a block solves at once. Their matrices follow each other.
    unsigned int batches_per_block = 1;
    /// The number of threads of the block, which is one-dimensional; 0: libmathdx chooses.
    unsigned int block_size = 0;
    /// The architecture, such as "sm_90" or "90"; empty: that of the current device.
    std::string arch = {};
    /// The name in device code; empty: the function and the sizes of what it has, as in "cholesky_16", "triangular_solve_16x4"
    /// (m, right-hand sides) and "qr_16x8" (m, n), followed by what differs from the defaults, as in "cholesky_16_f64_upper".
    std::string symbol = {};
};

/// The numbers of a Solver. Matrices lie without gaps: a row, or a column of column_major, follows the one before.
struct SolverTraits {
    unsigned int a_size = 0;             ///< elements of one matrix A
    unsigned int b_size = 0;             ///< elements of one matrix B; 0 if there is none
    unsigned int b_offset = 0;           ///< where the matrices B are in shared memory if they follow those of A, in bytes
    unsigned int batches_per_block = 0;  ///< systems of a block
    unsigned int workspace_size = 0;     ///< bytes of shared memory that the function needs besides its operands
    unsigned int suggested_batches_per_block = 0;  ///< the number of systems that libmathdx suggests
    unsigned int suggested_block_size = 0;         ///< the number of threads that libmathdx suggests
};

/// A factorization, or the solution of a linear system, that a block computes within a kernel with matrices in shared memory
/// (cuSOLVERDx).
///
///     math::device::Solver solver({.function = math::device::SolverFunction::cholesky, .m = 16});
///     // in the kernel:  cholesky_16(a, info);  __syncthreads() before and after it
///
/// A and B are in shared memory; pivots, tau and info may be in any memory.
class CUBIND_EXPORT Solver : public Function {
public:
    /// Asks libmathdx for the traits; compiles nothing. The cache must outlive this function's first code(). Throws
    /// std::invalid_argument for contradictions, CompileError with libmathdx's log for what it does not support, and Error for
    /// other failures (cusolverdxCreateDescriptor, cusolverdxGetTrait*).
    explicit Solver(const SolverDescription& description, ProgramCache* cache = nullptr);

    /// Returns the numbers of the solver.
    [[nodiscard]] const SolverTraits& traits() const noexcept { return traits_; }

private:
    SolverTraits traits_;
};

}  // namespace CUBIND_NAMESPACE::math::device
