// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/strided/fill.hpp>
#include <cubind/math_sparse/sparse_matrix_product.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

#include "matrix/cusparse.hpp"
#include "plan/plan_state.hpp"

namespace CUBIND_NAMESPACE::math {

using namespace cusparse;
using namespace detail;

namespace {

constexpr const char* multiply_name = "multiply";

void check_factor(const char* name, const SparseMatrix& matrix) {
    if (matrix.format() == SparseFormat::csr && operation_of(matrix) == CUSPARSE_OPERATION_NON_TRANSPOSE) return;
    throw_misuse(multiply_name, ": ", name, " is ", to_string(matrix),
                 ", but products of sparse matrices require csr that is not transposed: convert it");
}

void check_factors(const SparseMatrix& a, const SparseMatrix& b) {
    check_factor("a", a);
    check_factor("b", b);
    if (a.columns() != b.rows())
        throw_misuse(multiply_name, ": a is ", to_string(a), ", but b is ", to_string(b), ": b needs a row for each column of a");
    const bool has_same_types = a.dtype() == b.dtype() && a.offsets().dtype() == b.offsets().dtype() &&
                                a.column_indices().dtype() == b.column_indices().dtype() &&
                                a.offsets().dtype() == a.column_indices().dtype();
    if (!has_same_types || a.options().first_index != b.options().first_index) {
        const auto types = [](const SparseMatrix& matrix) {
            return concat(to_string(matrix.dtype()), " with offsets of ", to_string(matrix.offsets().dtype()), ", columns of ",
                          to_string(matrix.column_indices().dtype()), " and first_index ", matrix.options().first_index);
        };
        throw_misuse(multiply_name, ": a is ", types(a), ", but b is ", types(b), ": all types must be equal");
    }
}

/// The arguments that all steps of the library have.
struct Steps {
    template <class Function, class... Arguments>
    auto call(Function& function, Arguments... arguments) const {
        return checked(function(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha.data(), a, b,
                                beta.data(), c, computes_with, CUSPARSE_SPGEMM_DEFAULT, descriptor, arguments...),
                       [this] { return concat("a is ", to_string(a_matrix), ", b is ", to_string(b_matrix), "."); });
    }

    const SparseMatrix& a_matrix;
    const SparseMatrix& b_matrix;
    cusparseHandle_t handle;
    const NativeScalar& alpha;
    const NativeScalar& beta;
    ::cusparseSpMatDescr* a;
    ::cusparseSpMatDescr* b;
    ::cusparseSpMatDescr* c;
    cudaDataType computes_with;
    ::cusparseSpGEMMDescr* descriptor;
};

void* address_of(const Buffer& buffer) {
    return buffer.size() == 0 ? nullptr : reinterpret_cast<void*>(buffer.native_handle());
}

}  // namespace

SparseMatrix multiply(StreamRef stream, const SparseMatrix& a, const SparseMatrix& b, Scalar alpha, const PlanOptions& options) {
    check_factors(a, b);
    check_not_captured(multiply_name, stream, "waits for the number of entries");
    PlanState plan(stream.device(), options);
    const MatrixOperands a_arrays(a), b_arrays(b);
    check_operands(multiply_name, plan.device, {{"a", &a_arrays.values}, {"b", &b_arrays.values}});
    PlanCall call(multiply_name, plan, stream);
    const MatrixShape shape{a.rows(), b.columns()};
    if (shape.rows == 0 || shape.columns == 0 || a.entries() == 0 || b.entries() == 0)
        return allocate_empty(plan.workspace, stream, SparseFormat::csr, shape, a.offsets().dtype(), a.dtype(), a.options());

    const cudaDataType type = compute_type(a.dtype());
    const NativeScalar native_alpha(multiply_name, "alpha", alpha, type);
    const NativeScalar native_beta(multiply_name, "beta", 0, type);
    const CusparseHandle handle(call.context(), call.stream());
    const auto a_descriptor = describe_matrix(a, nullptr);
    const auto b_descriptor = describe_matrix(b, nullptr);
    const DataType index = a.offsets().dtype();
    const StridedView offsets = allocate_array(plan.workspace, stream, index, shape.rows + 1);
    const auto c_descriptor = describe_result(SparseFormat::csr, shape, offsets, a.options().first_index, a.dtype());
    const Descriptor<cusparseSpGEMMDescr_t> descriptor(checked(cusparseSpGEMM_createDescr(), [] { return std::string(); }));
    const Steps steps{a,
                      b,
                      handle.get(),
                      native_alpha,
                      native_beta,
                      a_descriptor.get(),
                      b_descriptor.get(),
                      c_descriptor.get(),
                      type,
                      descriptor.get()};
    // Both buffers must exist until the copy is submitted.
    const std::size_t first_size = steps.call(cusparseSpGEMM_workEstimation, std::size_t{0}, static_cast<void*>(nullptr));
    const Buffer first = plan.workspace.allocate(stream, first_size);
    static_cast<void>(steps.call(cusparseSpGEMM_workEstimation, first_size, address_of(first)));
    const std::size_t second_size = steps.call(cusparseSpGEMM_compute, std::size_t{0}, static_cast<void*>(nullptr));
    const Buffer second = plan.workspace.allocate(stream, second_size);
    static_cast<void>(steps.call(cusparseSpGEMM_compute, second_size, address_of(second)));

    const auto size = cusparseSpMatGetSize(c_descriptor.get());
    checked(size, [] { return std::string("The size of the product could not be read."); });
    const std::int64_t entries = size.value3;
    SparseMatrix c = SparseMatrix::csr(shape, offsets, allocate_array(plan.workspace, stream, index, entries),
                                       allocate_array(plan.workspace, stream, a.dtype(), entries), a.options());
    set_arrays(c_descriptor.get(), c);
    steps.call(cusparseSpGEMM_copy);
    return c;
}

}  // namespace CUBIND_NAMESPACE::math
