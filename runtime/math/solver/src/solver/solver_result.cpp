// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/math/solver_result.hpp>

#include "solver/state.hpp"

namespace CUBIND_NAMESPACE::math {

using detail::concat;

std::string to_string(const NumericalFailure& failure) {
    using Kind = NumericalFailure::Kind;
    const std::string place = failure.matrix == 0 ? "" : concat("Matrix ", failure.matrix, " of the batch: ");
    const std::int64_t count = failure.index + 1;
    switch (failure.kind) {
        case Kind::not_positive_definite:
            return concat(place, "The matrix is not positive definite: its first ", count,
                          " rows and columns are not. math::Lu solves other systems.");
        case Kind::singular:
            return concat(place, "The matrix is singular: the element of U at index ", failure.index, " of the diagonal is 0.");
        case Kind::rank_deficient:
            return concat(place, "The columns of the matrix are dependent: column ", failure.index,
                          " is a combination of those before it, up to rounding. math::Svd decomposes such matrices.");
        case Kind::not_converged:
            break;
    }
    return concat(place, count, " of the values did not converge. Elements that are infinite or NaN can be the cause.");
}

NumericalError::NumericalError(const std::string& operation, const NumericalFailure& failure)
    : Error("cusolver", operation, static_cast<int>(failure.index + 1), "devInfo", to_string(failure)), failure_(failure) {}

detail::solver::SolverState& SolverResult::state() const {
    if (state_ == nullptr) detail::throw_misuse("A plan that was moved from cannot be used");
    return *state_;
}

std::optional<NumericalFailure> SolverResult::failure(StreamRef stream) const {
    return state().find_failure(stream);
}

void SolverResult::check(StreamRef stream) const {
    if (const auto found = failure(stream)) throw NumericalError(state().operation, *found);
}

}  // namespace CUBIND_NAMESPACE::math
