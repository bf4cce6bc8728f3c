// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "matrix/cusparse.hpp"

#include <cubind/core/strided/fill.hpp>
#include <cubind/cusparse/management.hpp>

namespace CUBIND_NAMESPACE::math::detail {

using namespace cusparse;

std::string StatusTraits<cusparseStatus_t>::advice(cusparseStatus_t status) {
    switch (status) {
        case CUSPARSE_STATUS_NOT_SUPPORTED:
            return "cuSPARSE does not support this combination of format, types, layout and transposition: convert the matrix, "
                   "for example to csr with indices of int32.";
        case CUSPARSE_STATUS_INSUFFICIENT_RESOURCES:
            return "cuSPARSE needs more memory than it may use: multiply fewer rows at a time.";
        case CUSPARSE_STATUS_INVALID_VALUE:
            return "Check that indices are within the matrix, and that arrays are aligned to their elements.";
        default:
            return {};
    }
}

cusparseHandle_t CusparseLibrary::create(driver::CUstream stream) {
    const auto handle = checked(cusparseCreate(), [] { return std::string("A handle of cuSPARSE could not be created."); });
    try {
        checked(cusparseSetStream(handle, reinterpret_cast<cudaStream_t>(stream)), [] { return std::string(); });
    } catch (...) {
        destroy(handle);
        throw;
    }
    return handle;
}

void CusparseLibrary::destroy(cusparseHandle_t handle) noexcept {
    report(cusparseDestroy(handle), "cusparseDestroy");
}

void DestroyDescriptor::operator()(::cusparseSpMatDescr* descriptor) const noexcept {
    report(cusparseDestroySpMat(descriptor), "cusparseDestroySpMat");
}
void DestroyDescriptor::operator()(::cusparseDnVecDescr* descriptor) const noexcept {
    report(cusparseDestroyDnVec(descriptor), "cusparseDestroyDnVec");
}
void DestroyDescriptor::operator()(::cusparseDnMatDescr* descriptor) const noexcept {
    report(cusparseDestroyDnMat(descriptor), "cusparseDestroyDnMat");
}
void DestroyDescriptor::operator()(::cusparseSpSVDescr* descriptor) const noexcept {
    report(cusparseSpSV_destroyDescr(descriptor), "cusparseSpSV_destroyDescr");
}
void DestroyDescriptor::operator()(::cusparseSpSMDescr* descriptor) const noexcept {
    report(cusparseSpSM_destroyDescr(descriptor), "cusparseSpSM_destroyDescr");
}
void DestroyDescriptor::operator()(::cusparseSpGEMMDescr* descriptor) const noexcept {
    report(cusparseSpGEMM_destroyDescr(descriptor), "cusparseSpGEMM_destroyDescr");
}

namespace {

struct Arrays {
    void* major;
    void* minor;
    void* values;
};

Descriptor<cusparseSpMatDescr_t> create_descriptor(SparseFormat format, MatrixShape shape, MatrixShape block,
                                                   std::int64_t entries, const Arrays& arrays, DataType major_type,
                                                   DataType minor_type, const SparseMatrixOptions& options, DataType value_type) {
    const auto base = static_cast<cusparseIndexBase_t>(options.first_index);
    const auto major = index_type(major_type);
    const auto minor = index_type(minor_type);
    const auto values = *find_native_type(value_type);
    const auto what = [] { return std::string("A sparse matrix could not be described."); };
    switch (format) {
        case SparseFormat::csr:
            return Descriptor<cusparseSpMatDescr_t>(
                checked(cusparseCreateCsr(shape.rows, shape.columns, entries, arrays.major, arrays.minor, arrays.values, major,
                                          minor, base, values),
                        what));
        case SparseFormat::csc:
            return Descriptor<cusparseSpMatDescr_t>(
                checked(cusparseCreateCsc(shape.rows, shape.columns, entries, arrays.major, arrays.minor, arrays.values, major,
                                          minor, base, values),
                        what));
        case SparseFormat::coo:
            return Descriptor<cusparseSpMatDescr_t>(checked(cusparseCreateCoo(shape.rows, shape.columns, entries, arrays.major,
                                                                              arrays.minor, arrays.values, minor, base, values),
                                                            what));
        case SparseFormat::bsr:
            break;
    }
    const auto order = options.block_order == MemoryOrder::row_major ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
    return Descriptor<cusparseSpMatDescr_t>(
        checked(cusparseCreateBsr(shape.rows / block.rows, shape.columns / block.columns, entries / (block.rows * block.columns),
                                  block.rows, block.columns, arrays.major, arrays.minor, arrays.values, major, minor, base,
                                  values, order),
                what));
}

const StridedView& major_of(const SparseMatrix& matrix) {
    return matrix.format() == SparseFormat::coo ? matrix.row_indices() : matrix.offsets();
}

const StridedView& minor_of(const SparseMatrix& matrix) {
    return matrix.format() == SparseFormat::csc ? matrix.row_indices() : matrix.column_indices();
}

MatrixShape stored_shape(const SparseMatrix& matrix) {
    const MatrixShape shape = matrix.shape();
    return operation_of(matrix) == CUSPARSE_OPERATION_NON_TRANSPOSE ? shape : MatrixShape{shape.columns, shape.rows};
}

}  // namespace

Descriptor<cusparseSpMatDescr_t> describe_matrix(const SparseMatrix& matrix, const void* placeholder) {
    const auto data = [&](const StridedView& array) { return array.size() == 0 ? const_cast<void*>(placeholder) : array.data(); };
    const StridedView& major = major_of(matrix);
    const StridedView& minor = minor_of(matrix);
    return create_descriptor(matrix.format(), stored_shape(matrix), matrix.block(), matrix.entries(),
                             {data(major), data(minor), data(matrix.values())}, major.dtype(), minor.dtype(), matrix.options(),
                             matrix.dtype());
}

Descriptor<cusparseSpMatDescr_t> describe_result(SparseFormat format, MatrixShape shape, const StridedView& major,
                                                 int first_index, DataType values) {
    return create_descriptor(format, shape, {1, 1}, 0, {major.data(), nullptr, nullptr}, major.dtype(), major.dtype(),
                             {.first_index = first_index}, values);
}

void set_arrays(::cusparseSpMatDescr* descriptor, const SparseMatrix& matrix) {
    void* const major = major_of(matrix).data();  // also in the place of arrays without elements, which are not accessed
    void* const minor = matrix.entries() == 0 ? major : minor_of(matrix).data();
    void* const values = matrix.entries() == 0 ? major : matrix.values().data();
    const auto what = [] { return std::string("The arrays of the result could not be set."); };
    if (matrix.format() == SparseFormat::csr) {
        checked(cusparseCsrSetPointers(descriptor, major, minor, values), what);
    } else if (matrix.format() == SparseFormat::csc) {
        checked(cusparseCscSetPointers(descriptor, major, minor, values), what);
    } else {
        checked(cusparseCooSetPointers(descriptor, major, minor, values), what);
    }
}

cusparseOperation_t operation_of(const SparseMatrix& matrix) noexcept {
    if (matrix.is_conjugated()) return CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
    return matrix.is_transposed() ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
}

cusparseIndexType_t index_type(DataType type) noexcept {
    return type.bits == 64 ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
}

cudaDataType compute_type(DataType type) {
    return type.bits == 16 ? CUDA_R_32F : *find_native_type(type);
}

MatrixOperands::MatrixOperands(const SparseMatrix& matrix)
    : major(major_of(matrix)), minor(minor_of(matrix)), values(matrix.values()) {}

void check_not_captured(const char* operation, StreamRef stream, const char* reason) {
    if (is_captured(stream)) throw_misuse(operation, ": the stream is captured, but the call ", reason, ": call it before");
}

StridedView allocate_array(const Workspace& workspace, StreamRef stream, DataType type, std::int64_t count) {
    return StridedView(workspace.allocate(stream, static_cast<std::size_t>(count) * type.size()), type, {count});
}

SparseMatrix create_matrix(SparseFormat format, MatrixShape shape, const StridedView& major, const StridedView& minor,
                           const StridedView& values, const SparseMatrixOptions& options) {
    if (format == SparseFormat::csr) return SparseMatrix::csr(shape, major, minor, values, options);
    if (format == SparseFormat::csc) return SparseMatrix::csc(shape, major, minor, values, options);
    return SparseMatrix::coo(shape, major, minor, values, options);
}

SparseMatrix allocate_empty(const Workspace& workspace, StreamRef stream, SparseFormat format, MatrixShape shape, DataType index,
                            DataType values, const SparseMatrixOptions& options) {
    const bool has_offsets = format != SparseFormat::coo;
    const std::int64_t extent = format == SparseFormat::csc ? shape.columns : shape.rows;
    const StridedView major = allocate_array(workspace, stream, index, has_offsets ? extent + 1 : 0);
    if (has_offsets) fill(stream, major, std::byte{0});
    if (has_offsets && options.first_index == 1) {  // the lower words, because a fill repeats at most 4 bytes
        const StridedView words = major.view_as(data_type<std::int32_t>);
        fill(stream, words.slice(0, 0, words.shape()[0], index.bits / 32), std::int32_t{1});
    }
    return create_matrix(format, shape, major, allocate_array(workspace, stream, index, 0),
                         allocate_array(workspace, stream, values, 0), options);
}

}  // namespace CUBIND_NAMESPACE::math::detail
