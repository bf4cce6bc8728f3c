// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/cusparse/descriptors.hpp>
#include <cubind/cusparse/generic.hpp>
#include <cubind/cusparse/status.hpp>
#include <cubind/math_sparse/sparse_matrix.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "operand/checks.hpp"
#include "operand/native_type.hpp"
#include "plan/checked.hpp"
#include "plan/handle_pool.hpp"
#include "plan/workspace.hpp"

namespace CUBIND_NAMESPACE::math::detail {

template <>
struct StatusTraits<cusparse::cusparseStatus_t> {
    static constexpr const char* package = "nvidia-cusparse";
    static constexpr cusparse::cusparseStatus_t out_of_memory = cusparse::CUSPARSE_STATUS_ALLOC_FAILED;
    static std::string advice(cusparse::cusparseStatus_t status);
};

/// For PooledHandle.
struct CusparseLibrary {
    using Handle = cusparse::cusparseHandle_t;
    static Handle create(driver::CUstream stream);
    static void destroy(Handle handle) noexcept;
};
using CusparseHandle = PooledHandle<CusparseLibrary>;

struct DestroyDescriptor {
    void operator()(::cusparseSpMatDescr* descriptor) const noexcept;
    void operator()(::cusparseDnVecDescr* descriptor) const noexcept;
    void operator()(::cusparseDnMatDescr* descriptor) const noexcept;
    void operator()(::cusparseSpSVDescr* descriptor) const noexcept;
    void operator()(::cusparseSpSMDescr* descriptor) const noexcept;
    void operator()(::cusparseSpGEMMDescr* descriptor) const noexcept;
};
template <class Handle>
using Descriptor = std::unique_ptr<std::remove_pointer_t<Handle>, DestroyDescriptor>;

/// The matrix for cuSPARSE. `placeholder` is an address of the device for arrays without elements, which are not accessed.
[[nodiscard]] Descriptor<cusparse::cusparseSpMatDescr_t> describe_matrix(const SparseMatrix& matrix, const void* placeholder);
/// A matrix that has no values yet.
[[nodiscard]] Descriptor<cusparse::cusparseSpMatDescr_t> describe_result(SparseFormat format, MatrixShape shape,
                                                                         const StridedView& major, int first_index,
                                                                         DataType values);
/// Sets the arrays of a result.
void set_arrays(::cusparseSpMatDescr* descriptor, const SparseMatrix& matrix);

[[nodiscard]] cusparse::cusparseOperation_t operation_of(const SparseMatrix& matrix) noexcept;
[[nodiscard]] cusparse::cusparseIndexType_t index_type(DataType type) noexcept;
/// Returns the type in which products of these values compute.
[[nodiscard]] runtime::cudaDataType compute_type(DataType type);

/// The arrays of a matrix as operands, for the checks of overlaps and for graphs.
struct MatrixOperands {
    explicit MatrixOperands(const SparseMatrix& matrix);
    Operand major;
    Operand minor;
    Operand values;
};

/// Throws if the stream is captured; `reason` is a clause that begins with a verb.
void check_not_captured(const char* operation, StreamRef stream, const char* reason);

/// Allocates an array of a result.
[[nodiscard]] StridedView allocate_array(const Workspace& workspace, StreamRef stream, DataType type, std::int64_t count);
/// Allocates a matrix without entries in compressed rows, compressed columns or coordinates. The libraries are not asked.
[[nodiscard]] SparseMatrix allocate_empty(const Workspace& workspace, StreamRef stream, SparseFormat format, MatrixShape shape,
                                          DataType index, DataType values, const SparseMatrixOptions& options);
/// Creates a matrix in one of these formats from its arrays.
[[nodiscard]] SparseMatrix create_matrix(SparseFormat format, MatrixShape shape, const StridedView& major,
                                         const StridedView& minor, const StridedView& values, const SparseMatrixOptions& options);

}  // namespace CUBIND_NAMESPACE::math::detail
