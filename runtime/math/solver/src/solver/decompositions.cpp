// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/cusolver/generic.hpp>
#include <cubind/math/decompositions.hpp>

#include <algorithm>
#include <memory>
#include <optional>

#include "solver/factor_state.hpp"
#include "solver/routines.hpp"

namespace CUBIND_NAMESPACE::math {
namespace detail::solver {
namespace {

/// What a plan compares its operands with.
struct Layout {
    explicit Layout(const Operand& operand) : dtype(operand.dtype()), shape(operand.shape()), strides(operand.strides()) {}
    DataType dtype;
    Dimensions shape;
    Dimensions strides;
};

/// A plan whose results the user owns.
struct DecompositionState : SolverState {
    using SolverState::SolverState;

    void check_as_planned(const char* name, const Operand& operand, const Layout& layout) const {
        check_like(name, operand, layout.dtype, layout.shape, layout.strides);
    }
    void refuse_capture(StreamRef stream) const {
        if (is_captured(stream))
            throw_misuse(
                operation,
                ": the stream is captured, but cuSOLVER waits for results of this operation: submit it outside of graphs");
    }
    void check_vectors(bool are_planned, bool are_passed) const {
        if (are_planned == are_passed) return;
        throw_misuse(operation, ": the plan was made ", are_planned ? "with" : "without", " vectors, but the call is ",
                     are_passed ? "with" : "without", " them: create another plan");
    }
};

struct EighState final : DecompositionState {
    EighState(StreamRef stream, const Operand& matrix, const Output& values, const Output* vectors,
              const EighOptions& eigh_options)
        : DecompositionState("math::Eigh", stream, matrix, NumericalFailure::Kind::not_converged, eigh_options.plan),
          mode(fill_mode(eigh_options.triangle)),
          job(vectors == nullptr ? cusolver::CUSOLVER_EIG_MODE_NOVECTOR : cusolver::CUSOLVER_EIG_MODE_VECTOR),
          w(values) {
        check_rank(operation, "a", matrix, 2, 3);
        const Array all(matrix);
        is_batch = shape.rank() == 3;
        Dimensions expected = shape;
        expected.set(shape.rank() - 1, all.rows());
        check_shape(operation, "a", matrix, expected);
        check_type(operation, "w", values, type.real);
        check_shape(operation, "w", values, is_batch ? Dimensions{all.matrices(), all.rows()} : Dimensions{all.rows()});
        if (vectors != nullptr) {
            v.emplace(*vectors);
            check_type(operation, "v", *vectors, dtype);
            check_shape(operation, "v", *vectors, shape);
        }
        info_count = static_cast<std::size_t>(all.matrices());
        prepare(stream, [&](const SolverCall& call) {
            Arena arena;
            Columns work = place_vectors(matrix, vectors, arena);
            work.place(call.stored<std::byte>(0));  // any address of the device
            const Array& m = work.matrix();
            if (is_batch) {
                return call.call(cusolver::cusolverDnXsyevBatched_bufferSize, job, mode, m.rows(), type.native, m.data,
                                 m.leading_dimension(), type.real_native, values.data(), type.native, m.matrices());
            }
            return call.call(cusolver::cusolverDnXsyevd_bufferSize, job, mode, m.rows(), type.native, m.data,
                             m.leading_dimension(), type.real_native, values.data(), type.native);
        });
    }

    /// Returns the matrix that cuSOLVER replaces by vectors: that of the user, or a copy.
    static Columns place_vectors(const Operand& matrix, const Output* vectors, Arena& arena) {
        return vectors != nullptr ? Columns(Array(*vectors), arena) : Columns::in_workspace(Array(matrix), arena);
    }

    void run(StreamRef stream, const Operand& matrix, const Output& values, const Output* vectors) {
        check_vectors(v.has_value(), vectors != nullptr);
        check_like("a", matrix, dtype, shape, strides);
        check_as_planned("w", values, w);
        if (v) check_as_planned("v", *vectors, *v);
        check_operands(operation, device, {{"a", &matrix}, {"w", &values, true}, {"v", vectors, true}}, "a");
        refuse_capture(stream);
        if (is_empty) return;
        SolverCall call(*this, stream);
        Arena arena;
        Columns work = place_vectors(matrix, vectors, arena);
        // The eigenvalues of a batch follow each other like columns.
        const Array given(values);
        Columns ascending(is_batch ? given.transposed() : given, arena);
        call.reserve(arena);
        work.place(call.arena());
        ascending.place(call.arena());
        copy_array(stream, device, work.matrix(), Array(matrix));
        const Array& m = work.matrix();
        if (is_batch) {
            call.decompose([&](auto... all) { return cusolver::cusolverDnXsyevBatched(all..., m.matrices()); }, job, mode,
                           m.rows(), type.native, m.data, m.leading_dimension(), type.real_native, ascending.data(), type.native);
        } else {
            call.decompose(cusolver::cusolverDnXsyevd, job, mode, m.rows(), type.native, m.data, m.leading_dimension(),
                           type.real_native, ascending.data(), type.native);
        }
        ascending.copy_out(stream, device);
        if (v) work.copy_out(stream, device);
    }

    const cublas::cublasFillMode_t mode;
    const cusolver::cusolverEigMode_t job;
    const Layout w;
    std::optional<Layout> v;
    bool is_batch = false;
};

/// cuSOLVER's QR method needs at least as many rows as columns. The plan decomposes the transpose of other matrices:
/// a^T = u' diag(s) vh' is a = vh'^T diag(s) u'^T.
struct SvdState final : DecompositionState {
    SvdState(StreamRef stream, const Operand& matrix, const Output* left, const Output& values, const Output* right,
             const SvdOptions& svd_options)
        : DecompositionState("math::Svd", stream, matrix, NumericalFailure::Kind::not_converged, svd_options.plan),
          method(left == nullptr ? SvdMethod::qr : svd_options.method),  // the polar one writes vectors in any case
          s(values) {
        check_rank(operation, "a", matrix, 2, 2);
        const std::int64_t rank = std::min(shape[0], shape[1]);
        is_transposed = shape[0] < shape[1];
        check_type(operation, "s", values, type.real);
        check_shape(operation, "s", values, {rank});
        if (left != nullptr) {
            u.emplace(*left);
            vh.emplace(*right);
            check_type(operation, "u", *left, dtype);
            check_type(operation, "vh", *right, dtype);
            check_rank(operation, "u", *left, 2, 2);
            is_full = left->extent(1) == shape[0] && shape[0] != rank;
            is_full = is_full || (right->rank() == 2 && right->extent(0) == shape[1] && shape[1] != rank);
            check_shape(operation, "u", *left, {shape[0], is_full ? shape[0] : rank});
            check_shape(operation, "vh", *right, {is_full ? shape[1] : rank, shape[1]});
        }
        prepare(stream, [&](const SolverCall& call) {
            if (type.is_complex && method == SvdMethod::polar && u) (void)call.blas();
            Arena arena;
            Parts parts(*this, matrix, left, values, right, arena);
            parts.place(call.stored<std::byte>(0));  // any address of the device
            const Array& m = parts.matrix.matrix();
            const Array left_part = parts.left_matrix();
            const Array right_part = parts.right_matrix();
            if (method == SvdMethod::polar) {
                return call.call(cusolver::cusolverDnXgesvdp_bufferSize, eig_mode(), is_full ? 0 : 1, m.rows(), m.columns(),
                                 type.native, m.data, m.leading_dimension(), type.real_native, parts.values.data(), type.native,
                                 left_part.data, left_part.leading_dimension(), type.native, right_part.data,
                                 right_part.leading_dimension(), type.native);
            }
            return call.call(cusolver::cusolverDnXgesvd_bufferSize, job(), job(), m.rows(), m.columns(), type.native, m.data,
                             m.leading_dimension(), type.real_native, parts.values.data(), type.native, left_part.data,
                             left_part.leading_dimension(), type.native, right_part.data, right_part.leading_dimension(),
                             type.native);
        });
    }

    [[nodiscard]] signed char job() const noexcept {
        if (!u) return 'N';
        return is_full ? 'A' : 'S';
    }
    [[nodiscard]] cusolver::cusolverEigMode_t eig_mode() const noexcept {
        return u ? cusolver::CUSOLVER_EIG_MODE_VECTOR : cusolver::CUSOLVER_EIG_MODE_NOVECTOR;
    }

    /// The matrices of a call. cuSOLVER replaces the elements of the matrix. The polar method returns the right vectors as
    /// columns, which are conjugated and transposed then.
    struct Parts {
        Parts(const SvdState& state, const Operand& a, const Output* given_left, const Output& s, const Output* given_right,
              Arena& arena)
            : matrix(Columns::in_workspace(state.is_transposed ? Array(a).transposed() : Array(a), arena)),
              values(Array(s), arena) {
            if (given_left == nullptr) return;
            const Array u(*given_left);
            const Array vh(*given_right);
            left.emplace(state.is_transposed ? vh.transposed() : u, arena);
            const Array wanted = state.is_transposed ? u.transposed() : vh;
            if (state.method == SvdMethod::qr) {
                right.emplace(wanted, arena);
            } else if (!state.type.is_complex) {
                right.emplace(wanted.transposed(), arena);
            } else {
                right.emplace(wanted, arena);
                columns.emplace(Columns::in_workspace(wanted.transposed(), arena));
            }
        }
        void place(std::byte* arena) {
            matrix.place(arena);
            values.place(arena);
            if (left) left->place(arena);
            if (right) right->place(arena);
            if (columns) columns->place(arena);
        }
        /// Returns what cuSOLVER writes.
        [[nodiscard]] Array left_matrix() const { return left ? left->matrix() : none(matrix.matrix().rows()); }
        [[nodiscard]] Array right_matrix() const {
            if (columns) return columns->matrix();
            return right ? right->matrix() : none(matrix.matrix().columns());
        }
        [[nodiscard]] Array none(std::int64_t rows) const { return column_major(nullptr, matrix.matrix().dtype, {rows, rows}); }

        Columns matrix;
        Columns values;
        std::optional<Columns> left;
        std::optional<Columns> right;
        std::optional<Columns> columns;
    };

    void run(StreamRef stream, const Operand& matrix, const Output* left, const Output& values, const Output* right) {
        check_vectors(u.has_value(), left != nullptr);
        check_like("a", matrix, dtype, shape, strides);
        check_as_planned("s", values, s);
        if (u) {
            check_as_planned("u", *left, *u);
            check_as_planned("vh", *right, *vh);
        }
        check_operands(operation, device, {{"a", &matrix}, {"u", left, true}, {"s", &values, true}, {"vh", right, true}}, "a");
        refuse_capture(stream);
        if (is_empty) return;
        SolverCall call(*this, stream);
        Arena arena;
        Parts parts(*this, matrix, left, values, right, arena);
        call.reserve(arena);
        parts.place(call.arena());
        copy_array(stream, device, parts.matrix.matrix(), is_transposed ? Array(matrix).transposed() : Array(matrix));
        submit(call, parts);
        if (parts.columns) conjugate(call, parts.right->matrix(), parts.columns->matrix());
        parts.values.copy_out(stream, device);
        if (parts.left) parts.left->copy_out(stream, device);
        if (parts.right) parts.right->copy_out(stream, device);
    }

    void submit(const SolverCall& call, const Parts& parts) {
        const Array& m = parts.matrix.matrix();
        const Array left = parts.left_matrix();
        const Array right = parts.right_matrix();
        if (method == SvdMethod::polar) {
            call.decompose([&](auto... all) { return cusolver::cusolverDnXgesvdp(all..., &perturbation); }, eig_mode(),
                           is_full ? 0 : 1, m.rows(), m.columns(), type.native, m.data, m.leading_dimension(), type.real_native,
                           parts.values.data(), type.native, left.data, left.leading_dimension(), type.native, right.data,
                           right.leading_dimension(), type.native);
        } else {
            call.decompose(cusolver::cusolverDnXgesvd, job(), job(), m.rows(), m.columns(), type.native, m.data,
                           m.leading_dimension(), type.real_native, parts.values.data(), type.native, left.data,
                           left.leading_dimension(), type.native, right.data, right.leading_dimension(), type.native);
        }
    }

    /// Writes the conjugate transpose. (cublas<t>geam)
    void conjugate(const SolverCall& call, const Array& to, const Array& from) const {
        const auto add = [&]<class Element>(Routines<Element>) {
            using R = Routines<Element>;
            check_blas(R::add(call.blas(), cublas::CUBLAS_OP_C, cublas::CUBLAS_OP_N, to.rows(), to.columns(), &R::one,
                              static_cast<const Element*>(from.data), from.leading_dimension(), &R::zero,
                              static_cast<const Element*>(to.data), to.leading_dimension(), static_cast<Element*>(to.data),
                              to.leading_dimension()),
                       [] { return std::string("math::Svd: the right vectors could not be conjugated."); });
        };
        if (type.real == data_type<float>) return add(Routines<runtime::cuComplex>());
        add(Routines<runtime::cuDoubleComplex>());
    }

    const SvdMethod method;
    const Layout s;
    std::optional<Layout> u;
    std::optional<Layout> vh;
    bool is_transposed = false;
    bool is_full = false;
    double perturbation = 0;  // of the singular values; cuSOLVER writes it
};

}  // namespace
}  // namespace detail::solver

using namespace detail;
using namespace detail::solver;

Eigh::Eigh(StreamRef stream, const Operand& a, const Output& w, const Output& v, const EighOptions& options)
    : SolverResult(std::make_shared<EighState>(stream, a, w, &v, options)) {}

Eigh::Eigh(StreamRef stream, const Operand& a, const Output& w, const EighOptions& options)
    : SolverResult(std::make_shared<EighState>(stream, a, w, nullptr, options)) {}

void Eigh::operator()(StreamRef stream, const Operand& a, const Output& w, const Output& v) {
    static_cast<EighState&>(state()).run(stream, a, w, &v);
}

void Eigh::operator()(StreamRef stream, const Operand& a, const Output& w) {
    static_cast<EighState&>(state()).run(stream, a, w, nullptr);
}

SolverResult eigh(StreamRef stream, const Operand& a, const Output& w, const Output& v, const EighOptions& options) {
    Eigh plan(stream, a, w, v, options);
    plan(stream, a, w, v);
    return plan;
}

SolverResult eigh(StreamRef stream, const Operand& a, const Output& w, const EighOptions& options) {
    Eigh plan(stream, a, w, options);
    plan(stream, a, w);
    return plan;
}

Svd::Svd(StreamRef stream, const Operand& a, const Output& u, const Output& s, const Output& vh, const SvdOptions& options)
    : SolverResult(std::make_shared<SvdState>(stream, a, &u, s, &vh, options)) {}

Svd::Svd(StreamRef stream, const Operand& a, const Output& s, const SvdOptions& options)
    : SolverResult(std::make_shared<SvdState>(stream, a, nullptr, s, nullptr, options)) {}

void Svd::operator()(StreamRef stream, const Operand& a, const Output& u, const Output& s, const Output& vh) {
    static_cast<SvdState&>(state()).run(stream, a, &u, s, &vh);
}

void Svd::operator()(StreamRef stream, const Operand& a, const Output& s) {
    static_cast<SvdState&>(state()).run(stream, a, nullptr, s, nullptr);
}

SolverResult svd(StreamRef stream, const Operand& a, const Output& u, const Output& s, const Output& vh,
                 const SvdOptions& options) {
    Svd plan(stream, a, u, s, vh, options);
    plan(stream, a, u, s, vh);
    return plan;
}

SolverResult svd(StreamRef stream, const Operand& a, const Output& s, const SvdOptions& options) {
    Svd plan(stream, a, s, options);
    plan(stream, a, s);
    return plan;
}

}  // namespace CUBIND_NAMESPACE::math
