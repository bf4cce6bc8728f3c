// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/cusolver/generic.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/math/least_squares.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <memory>
#include <vector>

#include "solver/factor_state.hpp"
#include "solver/routines.hpp"

namespace CUBIND_NAMESPACE::math {
namespace detail::solver {
namespace {

struct QrState final : FactorState {
    QrState(const char* name, StreamRef stream, const Operand& matrix, const QrOptions& qr_options)
        : FactorState(name, stream, matrix, NumericalFailure::Kind::rank_deficient, qr_options.overwrite_a, false,
                      qr_options.plan),
          rows(int_of(name, shape[0])),
          columns(int_of(name, shape[1])),
          rank(std::min(rows, columns)) {
        check_matrix(matrix);
        tau_offset = store(static_cast<std::size_t>(rank) * dtype.size());
        prepare(stream, [&](const SolverCall& call) {
            if (overwrites) take(call, stream, matrix);
            const Array qr = factors(call);
            int_of(name, qr.leading_dimension());
            return call.call(cusolver::cusolverDnXgeqrf_bufferSize, rows, columns, type.native, qr.data, qr.leading_dimension(),
                             type.native, call.stored(tau_offset), type.native);
        });
    }

    /// Multiplies a matrix in column-major order by Q or its adjoint. The arena has the workspace at `work`.
    void multiply(SolverCall& call, bool is_adjoint, const Array& c, void* work, int work_count) const;
    /// Returns the elements of the workspace for multiply().
    int multiply_size(const SolverCall& call, bool is_adjoint, const Array& c) const;
    /// Compares the diagonal of R.
    std::optional<NumericalFailure> find_failure(StreamRef stream) override;

    const int rows;
    const int columns;
    const int rank;  // the smaller of both
    std::size_t tau_offset = 0;
};

int QrState::multiply_size(const SolverCall& call, bool is_adjoint, const Array& c) const {
    return with_routines(dtype, [&]<class Element>(Routines<Element>) {
        using R = Routines<Element>;
        const Array qr = factors(call);
        return checked_for(
            *this,
            R::multiply_size(call.handles().solver, cublas::CUBLAS_SIDE_LEFT, is_adjoint ? R::adjoint : cublas::CUBLAS_OP_N, rows,
                             int_of(operation, c.columns()), rank, static_cast<const Element*>(qr.data),
                             static_cast<int>(qr.leading_dimension()), call.stored<Element>(tau_offset),
                             static_cast<const Element*>(c.data), int_of(operation, c.leading_dimension())));
    });
}

void QrState::multiply(SolverCall& call, bool is_adjoint, const Array& c, void* work, int work_count) const {
    with_routines(dtype, [&]<class Element>(Routines<Element>) {
        using R = Routines<Element>;
        const Array qr = factors(call);
        checked_for(
            *this,
            R::multiply(call.handles().solver, cublas::CUBLAS_SIDE_LEFT, is_adjoint ? R::adjoint : cublas::CUBLAS_OP_N, rows,
                        static_cast<int>(c.columns()), rank, static_cast<const Element*>(qr.data),
                        static_cast<int>(qr.leading_dimension()), call.stored<Element>(tau_offset), static_cast<Element*>(c.data),
                        static_cast<int>(c.leading_dimension()), static_cast<Element*>(work), work_count, call.unused_info()));
    });
}

template <class Number>
std::vector<double> magnitudes(const std::vector<std::byte>& bytes) {
    std::vector<double> result;
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(Number)) {
        Number number;
        std::memcpy(&number, bytes.data() + at, sizeof number);
        result.push_back(static_cast<double>(std::abs(number)));
    }
    return result;
}

std::optional<NumericalFailure> QrState::find_failure(StreamRef stream) {
    if (const auto failed = FactorState::find_failure(stream)) return failed;
    if (is_empty) return std::nullopt;
    std::vector<std::byte> bytes(static_cast<std::size_t>(rank) * dtype.size());
    {
        const SolverCall call(*this, stream);
        const Array qr = factors(call);
        driver::CUDA_MEMCPY2D diagonal{};
        diagonal.srcMemoryType = driver::CU_MEMORYTYPE_UNIFIED;
        diagonal.srcDevice = reinterpret_cast<driver::CUdeviceptr>(qr.data);
        diagonal.srcPitch = static_cast<std::size_t>(qr.leading_dimension() + 1) * dtype.size();
        diagonal.dstMemoryType = driver::CU_MEMORYTYPE_HOST;
        diagonal.dstHost = bytes.data();
        diagonal.dstPitch = diagonal.WidthInBytes = dtype.size();
        diagonal.Height = static_cast<std::size_t>(rank);
        cubind::check(driver::cuMemcpy2DAsync(&diagonal, call.stream()));
    }
    stream.synchronize();
    const bool is_single = type.real == data_type<float>;
    const auto values = type.is_complex
                            ? (is_single ? magnitudes<std::complex<float>>(bytes) : magnitudes<std::complex<double>>(bytes))
                            : (is_single ? magnitudes<float>(bytes) : magnitudes<double>(bytes));
    const double least = *std::max_element(values.begin(), values.end()) * std::max(rows, columns) * type.epsilon;
    const auto found = std::find_if(values.begin(), values.end(), [&](double value) { return value <= least; });
    if (found == values.end()) return std::nullopt;
    return NumericalFailure{NumericalFailure::Kind::rank_deficient, found - values.begin()};
}

/// Checks a matrix of a later operation on factors.
void check_matrix_of(const char* name, const char* operand_name, const QrState& state, const Operand& operand,
                     const Dimensions& shape) {
    check_type(name, operand_name, operand, state.dtype);
    check_shape(name, operand_name, operand, shape);
}

void multiply_in_place(const char* name, QrState& qr, StreamRef stream, const Output& c, bool is_adjoint) {
    check_rank(name, "c", c, 1, 2);
    Dimensions expected = c.shape();
    expected.set(0, qr.rows);
    check_matrix_of(name, "c", qr, c, expected);
    qr.check_later(name, {}, {"c", &c, true});
    if (c.size() == 0 || qr.is_empty) return;
    SolverCall call(qr, stream);
    Arena arena;
    Columns product(Array(c), arena);
    const int count = qr.multiply_size(call, is_adjoint, product.matrix());
    const std::size_t work = arena.add(static_cast<std::size_t>(count) * qr.dtype.size());
    call.reserve(arena, false);
    product.place(call.arena());
    retain_for_capture(stream, {{"c", &c}});
    copy_array(stream, qr.device, product.matrix(), Array(c));
    qr.multiply(call, is_adjoint, product.matrix(), call.arena() + work, count);
    product.copy_out(stream, qr.device);
}

}  // namespace
}  // namespace detail::solver

using namespace detail;
using namespace detail::solver;

Qr::Qr(StreamRef stream, const Operand& a, const QrOptions& options)
    : SolverResult(std::make_shared<QrState>("math::Qr", stream, a, options)) {
    factorize(stream, a);
}

void Qr::factorize(StreamRef stream, const Operand& a) {
    auto& qr = static_cast<QrState&>(state());
    qr.check_matrix(a);
    if (qr.is_empty) return;
    SolverCall call(qr, stream);
    call.reserve({});
    qr.take(call, stream, a);
    const Array factors = qr.factors(call);
    call.decompose(cusolver::cusolverDnXgeqrf, qr.rows, qr.columns, qr.type.native, factors.data, factors.leading_dimension(),
                   qr.type.native, call.stored(qr.tau_offset), qr.type.native);
}

void Qr::q(StreamRef stream, const Output& q) {
    constexpr const char* name = "math::Qr::q";
    auto& qr = static_cast<QrState&>(state());
    check_rank(name, "q", q, 2, 2);
    const bool is_complete = q.extent(1) == qr.rows;
    check_matrix_of(name, "q", qr, q, {qr.rows, is_complete ? qr.rows : qr.rank});
    qr.check_later(name, {}, {"q", &q, true});
    if (q.size() == 0 || qr.is_empty) return;
    SolverCall call(qr, stream);
    Arena arena;
    Columns columns(Array(q), arena);
    const int count = static_cast<int>(q.extent(1));
    const int distance = int_of(name, columns.leading_dimension());
    with_routines(qr.dtype, [&]<class Element>(Routines<Element>) {
        using R = Routines<Element>;
        const auto* const tau = call.stored<const Element>(qr.tau_offset);
        const int work_count = checked_for(qr, R::q_size(call.handles().solver, qr.rows, count, qr.rank,
                                                         static_cast<const Element*>(columns.data()), distance, tau));
        const std::size_t work = arena.add(static_cast<std::size_t>(work_count) * sizeof(Element));
        call.reserve(arena, false);
        columns.place(call.arena());
        retain_for_capture(stream, {{"q", &q}});
        copy_array(stream, qr.device, columns.matrix().first_columns(qr.rank), qr.factors(call).first_columns(qr.rank));
        checked_for(qr, R::q(call.handles().solver, qr.rows, count, qr.rank, static_cast<Element*>(columns.data()), distance, tau,
                             reinterpret_cast<Element*>(call.arena() + work), work_count, call.unused_info()));
    });
    columns.copy_out(stream, qr.device);
}

void Qr::r(StreamRef stream, const Output& r) {
    constexpr const char* name = "math::Qr::r";
    auto& qr = static_cast<QrState&>(state());
    check_matrix_of(name, "r", qr, r, {qr.rank, qr.columns});
    qr.check_later(name, {}, {"r", &r, true});
    if (qr.is_empty) return;
    SolverCall call(qr, stream);
    Arena arena;
    Columns columns(Array(r), arena);
    const std::size_t packed = arena.add(packed_bytes(qr.rank, qr.dtype));
    call.reserve(arena, false);
    columns.place(call.arena());
    retain_for_capture(stream, {{"r", &r}});
    const Array& written = columns.matrix();
    const Array factors = qr.factors(call).first_rows(qr.rank);
    copy_triangle(call, cublas::CUBLAS_FILL_MODE_UPPER, written.first_columns(qr.rank), factors.first_columns(qr.rank),
                  call.arena() + packed);
    copy_array(stream, qr.device, written.columns_from(qr.rank), factors.columns_from(qr.rank));
    columns.copy_out(stream, qr.device);
}

void Qr::multiply_by_q(StreamRef stream, const Output& c) {
    multiply_in_place("math::Qr::multiply_by_q", static_cast<QrState&>(state()), stream, c, false);
}

void Qr::multiply_by_adjoint_q(StreamRef stream, const Output& c) {
    multiply_in_place("math::Qr::multiply_by_adjoint_q", static_cast<QrState&>(state()), stream, c, true);
}

void Qr::solve(StreamRef stream, const Operand& b, const Output& x) {
    constexpr const char* name = "math::Qr::solve";
    auto& qr = static_cast<QrState&>(state());
    if (qr.rows < qr.columns) {
        throw_misuse(
            name, ": a has the shape ", to_string(qr.shape),
            ", but least squares need at least as many rows as columns: more unknowns than equations have no unique solution");
    }
    check_rank(name, "b", b, 1, 2);
    Dimensions expected = b.shape();
    expected.set(0, qr.rows);
    check_matrix_of(name, "b", qr, b, expected);
    expected.set(0, qr.columns);
    check_matrix_of(name, "x", qr, x, expected);
    qr.check_later(name, {"b", &b}, {"x", &x, true});
    if (x.size() == 0) return;
    SolverCall call(qr, stream);
    Arena arena;
    const Array right(b);
    Array product = column_major(nullptr, qr.dtype, right.shape);
    const std::size_t product_offset = arena.add(product.bytes());
    const int count = qr.multiply_size(call, true, product);
    const std::size_t work = arena.add(static_cast<std::size_t>(count) * qr.dtype.size());
    call.reserve(arena, false);
    product.data = call.arena() + product_offset;
    retain_for_capture(stream, {{"b", &b}, {"x", &x}});
    copy_array(stream, qr.device, product, right);
    qr.multiply(call, true, product, call.arena() + work, count);
    with_routines(qr.dtype, [&]<class Element>(Routines<Element>) {
        using R = Routines<Element>;
        const Array factors = qr.factors(call);
        check_blas(R::solve_triangle(call.blas(), cublas::CUBLAS_SIDE_LEFT, cublas::CUBLAS_FILL_MODE_UPPER, cublas::CUBLAS_OP_N,
                                     cublas::CUBLAS_DIAG_NON_UNIT, qr.columns, static_cast<int>(product.columns()), &R::one,
                                     static_cast<const Element*>(factors.data), static_cast<int>(factors.leading_dimension()),
                                     static_cast<Element*>(product.data), static_cast<int>(product.leading_dimension())),
                   [] { return std::string("math::Qr::solve: the system with R could not be solved."); });
    });
    copy_array(stream, qr.device, Array(x), product.first_rows(qr.columns));
}

SolverResult qr(StreamRef stream, const Operand& a, const Output& q, const Output& r, const PlanOptions& options) {
    Qr factors(stream, a, {.overwrite_a = false, .plan = options});
    check_operands("math::qr", stream.device(), {{"q", &q, true}, {"r", &r, true}});
    factors.q(stream, q);
    factors.r(stream, r);
    return factors;
}

SolverResult least_squares(StreamRef stream, const Operand& a, const Operand& b, const Output& x, const PlanOptions& options) {
    Qr factors(stream, a, {.overwrite_a = false, .plan = options});
    factors.solve(stream, b, x);
    return factors;
}

}  // namespace CUBIND_NAMESPACE::math
