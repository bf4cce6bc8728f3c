// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/strided/strided_view.hpp>

#include <cstdint>
#include <memory>
#include <optional>

#include "solver/state.hpp"

namespace CUBIND_NAMESPACE::math::detail::solver {

/// A plan that keeps factors of a matrix: in `storage`, or in the memory of the matrix.
struct FactorState : SolverState {
    /// `accepts_row_major` says whether the plan can factor the transpose in place instead.
    FactorState(const char* operation, StreamRef stream, const Operand& a, NumericalFailure::Kind failure, bool overwrites,
                bool accepts_row_major, const PlanOptions& options);

    /// Checks another matrix, and copies it to the memory of the factors, or adopts its memory.
    void take(const SolverCall& call, StreamRef stream, const Operand& a);
    /// Checks a matrix before it is taken.
    void check_matrix(const Operand& a) const;
    /// Returns the factors, in column-major order, as cuSOLVER has written them.
    [[nodiscard]] Array factors(const SolverCall& call) const;
    /// Checks operands of a later operation. If the factors are in memory of the user, an output must not overlap it.
    void check_later(const char* name, const NamedOperand& input, const NamedOperand& output,
                     const char* in_place = nullptr) const;

    const bool overwrites;
    bool is_transposed = false;  // the factors in place are those of the transpose
    std::size_t matrix_offset = 0;
    std::optional<StridedView> overwritten;  // the user's matrix
};

/// Writes a triangle of a square matrix in column-major order to another one, whose other elements become 0, through
/// packed_bytes() of memory. (cublas<t>trttp, cublas<t>tpttr)
void copy_triangle(const SolverCall& call, cublas::cublasFillMode_t triangle, const Array& to, const Array& from, void* packed);
[[nodiscard]] std::size_t packed_bytes(std::int64_t n, DataType type);

[[nodiscard]] inline cublas::cublasFillMode_t fill_mode(MatrixTriangle triangle, bool is_transposed = false) noexcept {
    return (triangle == MatrixTriangle::lower) != is_transposed ? cublas::CUBLAS_FILL_MODE_LOWER : cublas::CUBLAS_FILL_MODE_UPPER;
}

}  // namespace CUBIND_NAMESPACE::math::detail::solver
