// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/math_sparse/sparse_matrix.hpp>

#include <limits>
#include <utility>

#include "operand/checks.hpp"

namespace CUBIND_NAMESPACE::math {
namespace {

using detail::concat;
using detail::throw_misuse;

constexpr const char* format_names[] = {"csr", "csc", "coo", "bsr"};
constexpr const char* creators[] = {"SparseMatrix::csr", "SparseMatrix::csc", "SparseMatrix::coo", "SparseMatrix::bsr"};
constexpr DataType value_types[] = {DataType::float16(), DataType::bfloat16(),           data_type<float>,
                                    data_type<double>,   {DataTypeKind::complex, 64, 1}, {DataTypeKind::complex, 128, 1}};

const char* creator(SparseFormat format) {
    return creators[static_cast<int>(format)];
}

// Returns a view of an array without gaps, with the kind of its memory.
StridedView array_of(const char* operation, const char* name, const Operand& operand) {
    detail::check_rank(operation, name, operand, 1, 1);
    const std::int64_t count = operand.size();
    if (count > 1 && operand.strides()[0] != 1)
        throw_misuse(operation, ": ", detail::describe(name, operand), ", but the elements must follow each other without gaps");
    if (count == 0) {
        return StridedView(StridedMemory{.data = operand.data(),
                                         .dtype = operand.dtype(),
                                         .shape = {0},
                                         .memory_type = MemoryType::device,
                                         .owner = operand.share()});
    }
    const auto size = static_cast<std::int64_t>(operand.dtype().size());
    StridedView view = StridedView::view_of(static_cast<std::byte*>(operand.data()), {count * size}, {}, operand.share())
                           .view_as(operand.dtype());
    if (!view.is_device_accessible()) {
        throw_misuse(operation, ": ", name, " is at an address that devices cannot access: ", detail::describe(name, operand),
                     "; copy it to memory of a device");
    }
    return view;
}

void check_count(const char* operation, const char* name, const Operand& array, std::int64_t count, const std::string& reason) {
    if (array.size() == count) return;
    throw_misuse(operation, ": ", name, " has ", array.size(), " elements, but needs ", count, ": ", reason);
}

void check_index_type(const char* operation, const char* name, const Operand& array, MatrixShape shape) {
    const bool is_int32 = array.dtype() == data_type<std::int32_t>;
    if (!is_int32 && array.dtype() != data_type<std::int64_t>) {
        throw_misuse(operation, ": ", name, " has elements of type ", to_string(array.dtype()),
                     ", but indices must be int32 or int64");
    }
    constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();
    if (is_int32 && (shape.rows > highest || shape.columns > highest)) {
        throw_misuse(operation, ": the matrix has ", shape.rows, " x ", shape.columns, " elements, but ", name,
                     " is int32, with which rows and columns are at most ", highest, ": use int64");
    }
}

void check_value_type(const char* operation, const Operand& values) {
    for (const DataType type : value_types) {
        if (values.dtype() == type) return;
    }
    throw_misuse(operation, ": values has elements of type ", to_string(values.dtype()),
                 ", but must be float16, bfloat16, float32, float64, complex64 or complex128");
}

void check_options(const char* operation, MatrixShape shape, MatrixShape block, const SparseMatrixOptions& options) {
    if (shape.rows < 0 || shape.columns < 0)
        throw_misuse(operation, ": the shape is ", shape.rows, " x ", shape.columns, ", but no extent can be negative");
    if (options.first_index != 0 && options.first_index != 1)
        throw_misuse(operation, ": first_index is ", options.first_index, ", but must be 0 or 1");
    if (block.rows < 1 || block.columns < 1 || shape.rows % block.rows != 0 || shape.columns % block.columns != 0) {
        throw_misuse(operation, ": the shape is ", shape.rows, " x ", shape.columns, ", but must be a multiple of the block, ",
                     block.rows, " x ", block.columns, ", whose extents are at least 1");
    }
}

}  // namespace

SparseMatrix::SparseMatrix(SparseFormat format, MatrixShape shape, MatrixShape block, StridedView major, StridedView minor,
                           StridedView values, const SparseMatrixOptions& options)
    : format_(format),
      stored_(shape),
      block_(block),
      options_(options),
      major_(std::move(major)),
      minor_(std::move(minor)),
      values_(std::move(values)) {}

SparseMatrix SparseMatrix::create(SparseFormat format, MatrixShape shape, MatrixShape block, const Operand& major,
                                  const Operand& minor, const Operand& values, const SparseMatrixOptions& options) {
    const char* const operation = creator(format);
    const char* const major_name = format == SparseFormat::coo ? "rows" : "offsets";
    const char* const minor_name = format == SparseFormat::csc ? "rows" : "columns";
    check_options(operation, shape, block, options);
    check_index_type(operation, major_name, major, shape);
    check_index_type(operation, minor_name, minor, shape);
    check_value_type(operation, values);
    if (format == SparseFormat::coo) {
        detail::check_type(operation, major_name, major, minor.dtype());
        check_count(operation, major_name, major, minor.size(), "one for each element of columns");
    } else {
        const std::int64_t extent = format == SparseFormat::csc ? shape.columns : shape.rows / block.rows;
        check_count(operation, major_name, major, extent + 1,
                    concat("one for each of ", extent,
                           format == SparseFormat::csc   ? " columns"
                           : format == SparseFormat::bsr ? " rows of blocks"
                                                         : " rows",
                           ", and one for the end"));
    }
    const std::int64_t block_size = block.rows * block.columns;
    check_count(operation, "values", values, minor.size() * block_size,
                concat("", block_size, " for each of ", minor.size(), " elements of ", minor_name));
    return {format,
            shape,
            block,
            array_of(operation, major_name, major),
            array_of(operation, minor_name, minor),
            array_of(operation, "values", values),
            options};
}

SparseMatrix SparseMatrix::csr(MatrixShape shape, const Operand& offsets, const Operand& columns, const Operand& values,
                               const SparseMatrixOptions& options) {
    return create(SparseFormat::csr, shape, {1, 1}, offsets, columns, values, options);
}

SparseMatrix SparseMatrix::csc(MatrixShape shape, const Operand& offsets, const Operand& rows, const Operand& values,
                               const SparseMatrixOptions& options) {
    return create(SparseFormat::csc, shape, {1, 1}, offsets, rows, values, options);
}

SparseMatrix SparseMatrix::coo(MatrixShape shape, const Operand& rows, const Operand& columns, const Operand& values,
                               const SparseMatrixOptions& options) {
    return create(SparseFormat::coo, shape, {1, 1}, rows, columns, values, options);
}

SparseMatrix SparseMatrix::bsr(MatrixShape shape, MatrixShape block, const Operand& offsets, const Operand& columns,
                               const Operand& values, const SparseMatrixOptions& options) {
    return create(SparseFormat::bsr, shape, block, offsets, columns, values, options);
}

MatrixShape SparseMatrix::shape() const noexcept {
    return is_transposed_ || is_conjugated_ ? MatrixShape{stored_.columns, stored_.rows} : stored_;
}

const StridedView& SparseMatrix::offsets() const {
    if (format_ == SparseFormat::coo) throw_misuse("SparseMatrix::offsets: a matrix in coo has none; see row_indices()");
    return major_;
}

const StridedView& SparseMatrix::row_indices() const {
    if (format_ == SparseFormat::coo) return major_;
    if (format_ != SparseFormat::csc) {
        throw_misuse("SparseMatrix::row_indices: a matrix in ", format_names[static_cast<int>(format_)],
                     " has none; see offsets()");
    }
    return minor_;
}

const StridedView& SparseMatrix::column_indices() const {
    if (format_ == SparseFormat::csc) throw_misuse("SparseMatrix::column_indices: a matrix in csc has none; see offsets()");
    return minor_;
}

SparseMatrix SparseMatrix::transposed() const {
    if (is_conjugated_) {
        throw_misuse("SparseMatrix::transposed: the matrix is a conjugate transpose, whose transpose would only conjugate the ",
                     to_string(dtype()), " values: store conjugated values");
    }
    SparseMatrix result = *this;
    result.is_transposed_ = !is_transposed_;
    return result;
}

SparseMatrix SparseMatrix::conjugate_transposed() const {
    if (dtype().kind != DataTypeKind::complex) return transposed();
    if (is_transposed_) {
        throw_misuse("SparseMatrix::conjugate_transposed: the matrix is a transpose, whose conjugate transpose would only ",
                     "conjugate the ", to_string(dtype()), " values: store conjugated values");
    }
    SparseMatrix result = *this;
    result.is_conjugated_ = !is_conjugated_;
    return result;
}

SparseMatrix SparseMatrix::with_values(const Operand& values) const {
    constexpr auto operation = "SparseMatrix::with_values";
    detail::check_type(operation, "values", values, dtype());
    check_count(operation, "values", values, entries(), "one for each entry");
    SparseMatrix result = *this;
    result.values_ = array_of(operation, "values", values);
    return result;
}

std::string to_string(const SparseMatrix& matrix) {
    std::string text = concat(format_names[static_cast<int>(matrix.format())], " ", to_string(matrix.dtype()), " ", matrix.rows(),
                              " x ", matrix.columns(), " with ", matrix.entries(), " entries");
    if (matrix.is_transposed()) text += ", transposed";
    if (matrix.is_conjugated()) text += ", conjugate transposed";
    return text;
}

}  // namespace CUBIND_NAMESPACE::math
