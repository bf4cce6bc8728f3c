// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/cusolver/generic.hpp>
#include <cubind/math/solve.hpp>

#include <algorithm>
#include <memory>

#include "solver/factor_state.hpp"

namespace CUBIND_NAMESPACE::math {
namespace detail::solver {
namespace {

struct LuState final : FactorState {
    LuState(StreamRef stream, const Operand& matrix, const LuOptions& lu_options)
        : FactorState("math::Lu", stream, matrix, NumericalFailure::Kind::singular, lu_options.overwrite_a, false,
                      lu_options.plan) {
        check_matrix(matrix);
        pivots_offset = store(static_cast<std::size_t>(std::min(shape[0], shape[1])) * sizeof(std::int64_t));
        prepare(stream, [&](const SolverCall& call) {
            if (overwrites) take(call, stream, matrix);
            const Array lu = factors(call);
            return call.call(cusolver::cusolverDnXgetrf_bufferSize, lu.rows(), lu.columns(), type.native, lu.data,
                             lu.leading_dimension(), type.native);
        });
    }

    std::size_t pivots_offset = 0;
};

struct CholeskyState final : FactorState {
    CholeskyState(const char* name, StreamRef stream, const Operand& matrix, const CholeskyOptions& cholesky_options)
        : FactorState(name, stream, matrix, NumericalFailure::Kind::not_positive_definite, cholesky_options.overwrite_a,
                      !element_type_of(name, "a", matrix).is_complex, cholesky_options.plan),
          triangle(cholesky_options.triangle),
          mode(fill_mode(triangle, is_transposed)) {
        check_matrix(matrix);
        check_shape(operation, "a", matrix, {shape[0], shape[0]});
        prepare(stream, [&](const SolverCall& call) {
            if (overwrites) take(call, stream, matrix);
            const Array factor = factors(call);
            return call.call(cusolver::cusolverDnXpotrf_bufferSize, mode, factor.rows(), type.native, factor.data,
                             factor.leading_dimension(), type.native);
        });
    }

    const MatrixTriangle triangle;
    const cublas::cublasFillMode_t mode;
};

/// Checks right-hand sides of a square matrix, and solves for them in place: `solve(call, x, info)`.
template <class Solve>
void solve_equations(const char* name, FactorState& state, StreamRef stream, const Operand& b, const Output& x,
                     const Solve& solve) {
    check_rank(name, "b", b, 1, 2);
    if (state.shape[0] != state.shape[1])
        throw_misuse(name, ": a has the shape ", to_string(state.shape),
                     ", but only a square matrix can be solved: use math::Qr");
    Dimensions expected = b.shape();
    expected.set(0, state.shape[0]);
    check_type(name, "b", b, state.dtype);
    check_shape(name, "b", b, expected);
    check_type(name, "x", x, state.dtype);
    check_shape(name, "x", x, b.shape());
    state.check_later(name, {"b", &b}, {"x", &x, true}, "b");
    if (b.size() == 0) return;
    SolverCall call(state, stream);
    Arena arena;
    Columns solution(Array(x), arena);
    call.reserve(arena, false);
    solution.place(call.arena());
    retain_for_capture(stream, {{"b", &b}, {"x", &x}});
    copy_array(stream, state.device, solution.matrix(), Array(b));
    checked_for(state, solve(call, solution));
    solution.copy_out(stream, state.device);
}

cublas::cublasOperation_t operation_of(SolveWith with) {
    if (with == SolveWith::matrix) return cublas::CUBLAS_OP_N;
    return with == SolveWith::transpose ? cublas::CUBLAS_OP_T : cublas::CUBLAS_OP_C;
}

}  // namespace
}  // namespace detail::solver

using namespace detail;
using namespace detail::solver;

Lu::Lu(StreamRef stream, const Operand& a, const LuOptions& options)
    : SolverResult(std::make_shared<LuState>(stream, a, options)) {
    factorize(stream, a);
}

void Lu::factorize(StreamRef stream, const Operand& a) {
    auto& lu = static_cast<LuState&>(state());
    lu.check_matrix(a);
    if (lu.is_empty) return;
    SolverCall call(lu, stream);
    call.reserve({});
    lu.take(call, stream, a);
    const Array factors = lu.factors(call);
    call.decompose(cusolver::cusolverDnXgetrf, factors.rows(), factors.columns(), lu.type.native, factors.data,
                   factors.leading_dimension(), call.stored<std::int64_t>(lu.pivots_offset), lu.type.native);
}

void Lu::solve(StreamRef stream, const Operand& b, const Output& x, SolveWith with) {
    auto& lu = static_cast<LuState&>(state());
    solve_equations("math::Lu::solve", lu, stream, b, x, [&](const SolverCall& call, const Columns& solution) {
        const Array factors = lu.factors(call);
        return call.call(cusolver::cusolverDnXgetrs, operation_of(with), factors.rows(), solution.matrix().columns(),
                         lu.type.native, factors.data, factors.leading_dimension(), call.stored<std::int64_t>(lu.pivots_offset),
                         lu.type.native, solution.data(), solution.leading_dimension(), call.unused_info());
    });
}

Cholesky::Cholesky(StreamRef stream, const Operand& a, const CholeskyOptions& options)
    : SolverResult(std::make_shared<CholeskyState>("math::Cholesky", stream, a, options)) {
    factorize(stream, a);
}

void Cholesky::factorize(StreamRef stream, const Operand& a) {
    auto& cholesky = static_cast<CholeskyState&>(state());
    cholesky.check_matrix(a);
    if (cholesky.is_empty) return;
    SolverCall call(cholesky, stream);
    call.reserve({});
    cholesky.take(call, stream, a);
    const Array factor = cholesky.factors(call);
    call.decompose(cusolver::cusolverDnXpotrf, cholesky.mode, factor.rows(), cholesky.type.native, factor.data,
                   factor.leading_dimension(), cholesky.type.native);
}

void Cholesky::solve(StreamRef stream, const Operand& b, const Output& x) {
    auto& cholesky = static_cast<CholeskyState&>(state());
    solve_equations("math::Cholesky::solve", cholesky, stream, b, x, [&](const SolverCall& call, const Columns& solution) {
        const Array factor = cholesky.factors(call);
        return call.call(cusolver::cusolverDnXpotrs, cholesky.mode, factor.rows(), solution.matrix().columns(),
                         cholesky.type.native, factor.data, factor.leading_dimension(), cholesky.type.native, solution.data(),
                         solution.leading_dimension(), call.unused_info());
    });
}

void Cholesky::factor(StreamRef stream, const Output& factor) {
    constexpr const char* name = "math::Cholesky::factor";
    auto& cholesky = static_cast<CholeskyState&>(state());
    check_type(name, "factor", factor, cholesky.dtype);
    check_shape(name, "factor", factor, cholesky.shape);
    cholesky.check_later(name, {}, {"factor", &factor, true});
    if (cholesky.is_empty) return;
    SolverCall call(cholesky, stream);
    Arena arena;
    // In place, the factor of a real matrix in row-major order is the other triangle of the transpose.
    Columns written(cholesky.is_transposed ? Array(factor).transposed() : Array(factor), arena);
    const std::size_t packed = arena.add(packed_bytes(cholesky.shape[0], cholesky.dtype));
    call.reserve(arena, false);
    written.place(call.arena());
    retain_for_capture(stream, {{"factor", &factor}});
    copy_triangle(call, cholesky.mode, written.matrix(), cholesky.factors(call), call.arena() + packed);
    written.copy_out(stream, cholesky.device);
}

SolverResult solve(StreamRef stream, const Operand& a, const Operand& b, const Output& x, const SolveOptions& options) {
    if (options.positive_definite) {
        Cholesky factor(stream, a, {.triangle = options.triangle, .overwrite_a = false, .plan = options.plan});
        factor.solve(stream, b, x);
        return factor;
    }
    Lu factors(stream, a, {.overwrite_a = false, .plan = options.plan});
    factors.solve(stream, b, x);
    return factors;
}

SolverResult cholesky(StreamRef stream, const Operand& a, const Output& factor, MatrixTriangle triangle,
                      const PlanOptions& options) {
    Cholesky plan(stream, a, {.triangle = triangle, .overwrite_a = false, .plan = options});
    plan.factor(stream, factor);
    return plan;
}

}  // namespace CUBIND_NAMESPACE::math
