// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/math_sparse/triangular_solver.hpp>

#include <utility>

#include "matrix/sparse_plan.hpp"
#include "plan/call_order.hpp"

namespace CUBIND_NAMESPACE::math {

using namespace cusparse;
using namespace detail;

namespace {

constexpr const char* triangular_name = "SparseTriangularSolver";

void check_system(const SparseMatrix& a, const Operand& b, const Operand& x, const SparseTriangularOptions& options) {
    const bool is_supported = a.format() == SparseFormat::csr || a.format() == SparseFormat::coo;
    if (!is_supported || a.rows() != a.columns() || a.dtype().bits == 16) {
        throw_misuse(triangular_name, ": the matrix is ", to_string(a),
                     ", but a square one in csr or coo of float32, float64, complex64 or complex128 is required");
    }
    if (options.triangle == SparseTriangle::full) throw_misuse(triangular_name, ": triangle is full, but must be lower or upper");
    check_rank(triangular_name, "b", b, 1, 2);
    Dimensions shape = b.shape();
    shape.set(0, a.rows());
    check_shape(triangular_name, "b", b, shape);
    check_shape(triangular_name, "x", x, shape);
    check_type(triangular_name, "b", b, a.dtype());
    check_type(triangular_name, "x", x, a.dtype());
}

}  // namespace

struct SparseTriangularSolver::State : SparsePlan {
    State(StreamRef stream, SparseMatrix matrix, const Operand& b, const Output& x,
          const SparseTriangularOptions& solver_options);
    void analyze(StreamRef stream);
    /// Calls a function for vectors or its sibling for matrices with the common arguments, then `last`.
    template <class Vectors, class Matrices, class... Last>
    auto call(const Vectors& vectors, const Matrices& matrices, const CusparseHandle& handle, const NativeScalar& alpha,
              Last... last) const {
        const auto text = [this] { return what(); };
        if (dense.are_vectors()) {
            return checked(vectors(handle.get(), operation, alpha.data(), a_descriptor.get(), dense.input_vector.get(),
                                   dense.output_vector.get(), type, CUSPARSE_SPSV_ALG_DEFAULT, vector_analysis.get(), last...),
                           text);
        }
        return checked(
            matrices(handle.get(), operation, dense.input_operation, alpha.data(), a_descriptor.get(), dense.input_matrix.get(),
                     dense.output_matrix.get(), type, CUSPARSE_SPSM_ALG_DEFAULT, matrix_analysis.get(), last...),
            text);
    }
    /// Makes the stream wait for other work with the memory of the plan, unless a graph orders it.
    void follow(const char* operation_name, StreamRef stream) {
        if (!is_captured(stream) && order.follow(operation_name, stream) && !memory.is_closed())
            memory.set_deallocation_stream(stream);
    }

    const cudaDataType type;
    CallOrder order;
    Buffer memory;  // with the results of the analysis
    Descriptor<cusparseSpSVDescr_t> vector_analysis;
    Descriptor<cusparseSpSMDescr_t> matrix_analysis;
};

SparseTriangularSolver::State::State(StreamRef stream, SparseMatrix matrix, const Operand& b, const Output& x,
                                     const SparseTriangularOptions& solver_options)
    : SparsePlan(triangular_name, stream, solver_options.plan, std::move(matrix), "b", b, "x", x), type(compute_type(a.dtype())) {
    check_system(a, b, x, solver_options);
    check_memory(b, x, "b");
    check_not_captured(triangular_name, stream, "analyzes the matrix");
    order.begin(stream);
    if (is_empty) return;
    const auto text = [this] { return what(); };
    a_descriptor = describe_matrix(a, x.data());
    auto triangle = solver_options.triangle == SparseTriangle::lower ? CUSPARSE_FILL_MODE_LOWER : CUSPARSE_FILL_MODE_UPPER;
    auto diagonal = solver_options.unit_diagonal ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
    checked(cusparseSpMatSetAttribute(a_descriptor.get(), CUSPARSE_SPMAT_FILL_MODE, &triangle, sizeof triangle), text);
    checked(cusparseSpMatSetAttribute(a_descriptor.get(), CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof diagonal), text);
    dense.create(triangular_name, b, x);
    if (dense.are_vectors()) {
        vector_analysis.reset(checked(cusparseSpSV_createDescr(), text));
    } else {
        matrix_analysis.reset(checked(cusparseSpSM_createDescr(), text));
    }
    analyze(stream);
}

void SparseTriangularSolver::State::analyze(StreamRef stream) {
    const PlanCall scope(triangular_name, *this, stream);
    const CusparseHandle handle(scope.context(), scope.stream());
    const NativeScalar one(triangular_name, "alpha", 1, type);
    if (const std::size_t size = call(cusparseSpSV_bufferSize, cusparseSpSM_bufferSize, handle, one); size > 0)
        memory = workspace.allocate(stream, size);
    void* const address = memory.is_closed() ? nullptr : reinterpret_cast<void*>(memory.native_handle());
    call(cusparseSpSV_analysis, cusparseSpSM_analysis, handle, one, address);
}

SparseTriangularSolver::SparseTriangularSolver(StreamRef stream, SparseMatrix a, const Operand& b, const Output& x,
                                               const SparseTriangularOptions& options)
    : state_(std::make_unique<State>(stream, std::move(a), b, x, options)) {}
SparseTriangularSolver::SparseTriangularSolver(SparseTriangularSolver&&) noexcept = default;
SparseTriangularSolver& SparseTriangularSolver::operator=(SparseTriangularSolver&&) noexcept = default;
SparseTriangularSolver::~SparseTriangularSolver() = default;

void SparseTriangularSolver::operator()(StreamRef stream, const Operand& b, const Output& x, Scalar alpha) {
    State& plan = *state_;
    plan.dense.check(triangular_name, b, x);
    const PlanCall scope(triangular_name, plan, stream);
    plan.check_memory(b, x, "b");
    if (plan.is_empty) return;
    const NativeScalar native_alpha(triangular_name, "alpha", alpha, plan.type);
    const CusparseHandle handle(scope.context(), scope.stream());
    plan.follow(triangular_name, stream);
    plan.dense.set(b, x);
    plan.call(cusparseSpSV_solve, cusparseSpSM_solve, handle, native_alpha);
    plan.retain(stream, b, x);
}

void SparseTriangularSolver::set_values(StreamRef stream, const Operand& values) {
    constexpr auto operation = "SparseTriangularSolver::set_values";
    State& plan = *state_;
    check_not_captured(operation, stream, "changes the plan");
    const PlanCall scope(operation, plan, stream);
    plan.take_values(values);
    if (plan.is_empty || plan.a.entries() == 0) return;
    const CusparseHandle handle(scope.context(), scope.stream());
    plan.follow(operation, stream);
    const auto text = [&] { return plan.what(); };
    void* const data = plan.a.values().data();
    if (plan.dense.are_vectors()) {
        checked(cusparseSpSV_updateMatrix(handle.get(), plan.vector_analysis.get(), data, CUSPARSE_SPSV_UPDATE_GENERAL), text);
    } else {
        checked(cusparseSpSM_updateMatrix(handle.get(), plan.matrix_analysis.get(), data, CUSPARSE_SPSM_UPDATE_GENERAL), text);
    }
}

const SparseMatrix& SparseTriangularSolver::matrix() const {
    return state_->a;
}

void solve_triangular(StreamRef stream, const SparseMatrix& a, const Operand& b, const Output& x,
                      const SparseTriangularOptions& options) {
    SparseTriangularSolver(stream, a, b, x, options)(stream, b, x);
}

}  // namespace CUBIND_NAMESPACE::math
