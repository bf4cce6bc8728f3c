// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/math_sparse/sparse_product.hpp>

#include <mutex>
#include <utility>

#include "matrix/sparse_plan.hpp"

namespace CUBIND_NAMESPACE::math {

using namespace cusparse;
using namespace detail;

namespace {

constexpr const char* product_name = "SparseProduct";

void check_product(const SparseMatrix& a, const Operand& x, const Operand& y, const SparseProductOptions& options) {
    check_rank(product_name, "x", x, 1, 3);
    check_rank(product_name, "y", y, x.rank(), x.rank());
    Dimensions x_shape = x.shape();
    Dimensions y_shape = x.shape();
    const std::size_t rows = x.rank() == 3 ? 1 : 0;
    x_shape.set(rows, a.columns());
    y_shape.set(rows, a.rows());
    if (x.shape() != x_shape || y.shape() != y_shape) {
        throw_misuse(product_name, ": the matrix is ", to_string(a), ", x has the shape ", to_string(x.shape()),
                     " and y has the shape ", to_string(y.shape()), ", but ", to_string(x_shape), " and ", to_string(y_shape),
                     " are required");
    }
    check_type(product_name, "x", x, a.dtype());
    if (a.dtype().bits != 16 || y.dtype() != data_type<float>) check_type(product_name, "y", y, a.dtype());
    const bool is_ordered = a.format() == SparseFormat::csr || a.format() == SparseFormat::coo;
    if (options.deterministic && (!is_ordered || operation_of(a) != CUSPARSE_OPERATION_NON_TRANSPOSE)) {
        throw_misuse(product_name, ": the matrix is ", to_string(a),
                     ", but deterministic products require csr or coo that is not transposed: convert it");
    }
    if (x.rank() == 3 && !is_ordered)
        throw_misuse(product_name, ": the matrix is ", to_string(a), ", but batches require csr or coo: convert it");
    if (a.columns() == 0 && y.size() != 0) {
        throw_misuse(product_name, ": the matrix is ", to_string(a), ", so that the product is beta y: fill or scale y instead");
    }
}

}  // namespace

struct SparseProduct::State : SparsePlan {
    State(StreamRef stream, SparseMatrix matrix, const Operand& x, const Output& y, const SparseProductOptions& product_options);
    void prepare(StreamRef stream, bool preprocess);
    /// Calls a function for vectors or its sibling for matrices with the common arguments, then `last`.
    template <class Vectors, class Matrices, class... Last>
    auto call(const Vectors& vectors, const Matrices& matrices, const CusparseHandle& handle, const NativeScalar& alpha,
              const NativeScalar& beta, Last... last) const {
        const auto text = [this] { return what(); };
        if (dense.are_vectors()) {
            return checked(vectors(handle.get(), operation, alpha.data(), a_descriptor.get(), dense.input_vector.get(),
                                   beta.data(), dense.output_vector.get(), computes_with, vector_algorithm, last...),
                           text);
        }
        return checked(
            matrices(handle.get(), operation, dense.input_operation, alpha.data(), a_descriptor.get(), dense.input_matrix.get(),
                     beta.data(), dense.output_matrix.get(), computes_with, matrix_algorithm, last...),
            text);
    }

    const cudaDataType computes_with;
    cusparseSpMVAlg_t vector_algorithm = CUSPARSE_SPMV_ALG_DEFAULT;
    cusparseSpMMAlg_t matrix_algorithm = CUSPARSE_SPMM_ALG_DEFAULT;
    std::size_t size = 0;
};

SparseProduct::State::State(StreamRef stream, SparseMatrix matrix, const Operand& x, const Output& y,
                            const SparseProductOptions& product_options)
    : SparsePlan(product_name, stream, product_options.plan, std::move(matrix), "x", x, "y", y),
      computes_with(compute_type(a.dtype())) {
    check_product(a, x, y, product_options);
    check_memory(x, y, nullptr);
    if (product_options.deterministic) {
        const bool has_rows = a.format() == SparseFormat::csr;
        vector_algorithm = has_rows ? CUSPARSE_SPMV_CSR_ALG2 : CUSPARSE_SPMV_COO_ALG2;
        matrix_algorithm = has_rows ? CUSPARSE_SPMM_CSR_ALG3 : CUSPARSE_SPMM_COO_ALG2;
    }
    if (is_empty) return;
    a_descriptor = describe_matrix(a, y.data());
    dense.create(product_name, x, y);
    const auto text = [this] { return what(); };
    if (dense.batch > 0 && a.format() == SparseFormat::csr) {
        checked(cusparseCsrSetStridedBatch(a_descriptor.get(), dense.batch, 0, 0), text);
    } else if (dense.batch > 0) {
        checked(cusparseCooSetStridedBatch(a_descriptor.get(), dense.batch, 0), text);
    }
    prepare(stream, product_options.preprocess);
}

void SparseProduct::State::prepare(StreamRef stream, bool preprocess) {
    const PlanCall scope(product_name, *this, stream);
    const CusparseHandle handle(scope.context(), scope.stream());
    const NativeScalar one(product_name, "alpha", 1, computes_with);
    const NativeScalar zero(product_name, "beta", 0, computes_with);
    size = call(cusparseSpMV_bufferSize, cusparseSpMM_bufferSize, handle, one, zero);
    if (options.workspace_limit && size > *options.workspace_limit) {
        throw_misuse(product_name, ": cuSPARSE needs a workspace of ", size, " bytes, but workspace_limit is ",
                     *options.workspace_limit, " bytes");
    }
    // The library stores what it learns in the workspace, which a graph does not have.
    if (!preprocess || a.format() != SparseFormat::csr || is_captured(stream)) return;
    const Workspace::Use memory = workspace.use(stream, size);
    call(cusparseSpMV_preprocess, cusparseSpMM_preprocess, handle, one, zero, memory.data());
}

SparseProduct::SparseProduct(StreamRef stream, SparseMatrix a, const Operand& x, const Output& y,
                             const SparseProductOptions& options)
    : state_(std::make_unique<State>(stream, std::move(a), x, y, options)) {}
SparseProduct::SparseProduct(SparseProduct&&) noexcept = default;
SparseProduct& SparseProduct::operator=(SparseProduct&&) noexcept = default;
SparseProduct::~SparseProduct() = default;

void SparseProduct::operator()(StreamRef stream, const Operand& x, const Output& y, Scalar alpha, Scalar beta) {
    State& plan = *state_;
    plan.dense.check(product_name, x, y);
    const PlanCall scope(product_name, plan, stream);
    plan.check_memory(x, y, nullptr);
    if (plan.is_empty) return;
    const NativeScalar native_alpha(product_name, "alpha", alpha, plan.computes_with);
    const NativeScalar native_beta(product_name, "beta", beta, plan.computes_with);
    const CusparseHandle handle(scope.context(), scope.stream());
    const Workspace::Use memory = plan.workspace.use(stream, plan.size);
    plan.dense.set(x, y);
    plan.call(cusparseSpMV, cusparseSpMM, handle, native_alpha, native_beta, memory.data());
    plan.retain(stream, x, y);
}

void SparseProduct::set_values(const Operand& values) {
    const std::lock_guard lock(state_->mutex);
    state_->take_values(values);
}

const SparseMatrix& SparseProduct::matrix() const {
    return state_->a;
}

std::size_t SparseProduct::workspace_size() const {
    return state_->size;
}

void multiply(StreamRef stream, const SparseMatrix& a, const Operand& x, const Output& y, Scalar alpha, Scalar beta) {
    SparseProduct(stream, a, x, y, {.preprocess = false})(stream, x, y, alpha, beta);
}

}  // namespace CUBIND_NAMESPACE::math
