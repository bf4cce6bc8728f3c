// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/stream.hpp>
#include <cubind/error.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

/// @file
/// How solvers report that a matrix has no solution or decomposition.

namespace CUBIND_NAMESPACE::math {

/// The triangle of a symmetric or Hermitian matrix that is read. The other one may have any values.
enum class MatrixTriangle {
    lower,  ///< the diagonal, and the elements below it
    upper,  ///< the diagonal, and the elements above it
};

/// Why a solver has no result, as the elements of the matrix decide. It is no failed call.
struct NumericalFailure {
    /// What the matrix lacks.
    enum class Kind {
        not_positive_definite,  ///< Cholesky: the leading `index` + 1 rows and columns are not positive definite
        singular,               ///< LU: the element of U at `index` on the diagonal is 0
        rank_deficient,         ///< QR: column `index` depends on those before it, up to rounding
        not_converged,          ///< eigenvalues, singular values: `index` + 1 of them did not converge
    };

    Kind kind;                ///< what the matrix lacks
    std::int64_t index;       ///< of a row or a column, from 0
    std::int64_t matrix = 0;  ///< the position in a batch, from 0
};

/// Returns a sentence that states the failure.
[[nodiscard]] CUBIND_EXPORT std::string to_string(const NumericalFailure& failure);

#if defined(__cpp_exceptions)

/// A NumericalFailure that check() found. code() is what the solver reported (devInfo). Not declared with -fno-exceptions.
class CUBIND_EXPORT NumericalError : public Error {
public:
    /// Creates the error of an operation, such as "math::solve".
    NumericalError(const std::string& operation, const NumericalFailure& failure);

    /// Returns the failure.
    [[nodiscard]] const NumericalFailure& failure() const noexcept { return failure_; }

private:
    NumericalFailure failure_;
};

#endif

namespace detail::solver {
struct SolverState;
}

/// The outcome of a solver, whose work may still run. The device has the answer, so that both members wait for the stream.
///
///     math::solve(stream, a, b, x).check(stream);
///     if (const auto failure = math::solve(stream, a, b, x).failure(stream)) ...
///
/// It owns the temporary memory of the operation. It may be destroyed while the work runs: the memory is freed in the order of
/// the stream. Copies share the outcome. Several threads may use it.
class [[nodiscard]] CUBIND_EXPORT SolverResult {
public:
    /// Waits for the stream, and returns why there is no result, or std::nullopt if there is one. Throws std::invalid_argument
    /// for a stream that is captured, and Error if work of the stream failed (cuMemcpyDtoHAsync, cuStreamSynchronize).
    [[nodiscard]] std::optional<NumericalFailure> failure(StreamRef stream) const;
    /// Waits like failure(), and throws NumericalError if there is no result.
    void check(StreamRef stream) const;

protected:
    explicit SolverResult(std::shared_ptr<detail::solver::SolverState> state) noexcept : state_(std::move(state)) {}
    /// Returns the state. Throws std::invalid_argument for a plan that was moved from.
    [[nodiscard]] detail::solver::SolverState& state() const;

private:
    std::shared_ptr<detail::solver::SolverState> state_;
};

}  // namespace CUBIND_NAMESPACE::math
