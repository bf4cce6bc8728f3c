// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/cusparse/conversion.hpp>
#include <cubind/math_sparse/sparse_conversion.hpp>

#include <limits>

#include "matrix/dense_operands.hpp"
#include "plan/plan_state.hpp"

namespace CUBIND_NAMESPACE::math {

using namespace cusparse;
using namespace detail;

namespace {

constexpr const char* to_dense_name = "to_dense";
constexpr const char* to_sparse_name = "to_sparse";
constexpr const char* convert_name = "convert";

/// A conversion between formats of one matrix.
struct Conversion {
    std::string what() const { return concat("The matrix is ", to_string(source), "."); }
    const int* indices(const StridedView& array) const { return static_cast<const int*>(array.data()); }
    StridedView array(DataType type, std::int64_t count) const { return allocate_array(plan.workspace, stream, type, count); }

    /// From compressed rows to compressed columns, or the reverse: a matrix in compressed columns is the transpose of one in
    /// compressed rows with the same arrays.
    SparseMatrix exchange() const {
        const bool has_rows = source.format() == SparseFormat::csr;
        const auto rows = static_cast<int>(has_rows ? source.rows() : source.columns());
        const auto columns = static_cast<int>(has_rows ? source.columns() : source.rows());
        const auto entries = static_cast<int>(source.entries());
        const StridedView& old_indices = has_rows ? source.column_indices() : source.row_indices();
        const StridedView offsets = array(data_type<int>, columns + 1);
        const StridedView new_indices = array(data_type<int>, entries);
        const StridedView values = array(source.dtype(), entries);
        const auto type = *find_native_type(source.dtype());
        const auto text = [this] { return what(); };
        const std::size_t size =
            checked(cusparseCsr2cscEx2_bufferSize(handle.get(), rows, columns, entries, source.values().data(),
                                                  indices(source.offsets()), indices(old_indices), values.data(),
                                                  static_cast<int*>(offsets.data()), static_cast<int*>(new_indices.data()), type,
                                                  CUSPARSE_ACTION_NUMERIC, base(), CUSPARSE_CSR2CSC_ALG_DEFAULT),
                    text);
        const Workspace::Use memory = plan.workspace.use(stream, size);
        checked(cusparseCsr2cscEx2(handle.get(), rows, columns, entries, source.values().data(), indices(source.offsets()),
                                   indices(old_indices), values.data(), static_cast<int*>(offsets.data()),
                                   static_cast<int*>(new_indices.data()), type, CUSPARSE_ACTION_NUMERIC, base(),
                                   CUSPARSE_CSR2CSC_ALG_DEFAULT, memory.data()),
                text);
        return create_matrix(has_rows ? SparseFormat::csc : SparseFormat::csr, source.shape(), offsets, new_indices, values,
                             source.options());
    }

    SparseMatrix expand_rows() const {
        const StridedView rows = array(data_type<int>, source.entries());
        checked(cusparseXcsr2coo(handle.get(), indices(source.offsets()), static_cast<int>(source.entries()),
                                 static_cast<int>(source.rows()), static_cast<int*>(rows.data()), base()),
                [this] { return what(); });
        return SparseMatrix::coo(source.shape(), rows, source.column_indices(), source.values(), source.options());
    }

    SparseMatrix compress_rows() const {
        const StridedView offsets = array(data_type<int>, source.rows() + 1);
        checked(cusparseXcoo2csr(handle.get(), indices(source.row_indices()), static_cast<int>(source.entries()),
                                 static_cast<int>(source.rows()), static_cast<int*>(offsets.data()), base()),
                [this] { return what(); });
        return SparseMatrix::csr(source.shape(), offsets, source.column_indices(), source.values(), source.options());
    }

    cusparseIndexBase_t base() const { return static_cast<cusparseIndexBase_t>(source.options().first_index); }

    const SparseMatrix& source;
    PlanState& plan;
    StreamRef stream;
    const CusparseHandle& handle;
};

void check_convertible(const SparseMatrix& matrix, SparseFormat format) {
    if (matrix.format() == SparseFormat::bsr || format == SparseFormat::bsr) {
        throw_misuse(convert_name, ": the matrix is ", to_string(matrix),
                     ", but only csr, csc and coo are converted to each other, not blocks");
    }
    if (matrix.is_conjugated()) {
        throw_misuse(convert_name, ": the matrix is ", to_string(matrix),
                     ", but conversions do not conjugate: store conjugated values");
    }
    const DataType index = (matrix.format() == SparseFormat::csc ? matrix.row_indices() : matrix.column_indices()).dtype();
    const bool has_offsets = matrix.format() != SparseFormat::coo;
    if (index.bits != 32 || (has_offsets && matrix.offsets().dtype().bits != 32) ||
        matrix.entries() > std::numeric_limits<int>::max()) {
        throw_misuse(convert_name, ": the matrix is ", to_string(matrix), " with indices of ", to_string(index),
                     ", but cuSPARSE converts only up to 2^31 - 1 entries with indices of int32");
    }
}

/// Returns the stored matrix of a transposed one in compressed rows or columns as what it is: the other of both.
SparseMatrix without_transposition(const SparseMatrix& matrix) {
    if (!matrix.is_transposed()) return matrix;
    const bool has_rows = matrix.format() == SparseFormat::csr;
    return create_matrix(has_rows ? SparseFormat::csc : SparseFormat::csr, matrix.shape(), matrix.offsets(),
                         has_rows ? matrix.column_indices() : matrix.row_indices(), matrix.values(), matrix.options());
}

SparseMatrix convert_in(PlanState& plan, StreamRef stream, const CusparseHandle& handle, const SparseMatrix& matrix,
                        SparseFormat format) {
    if (matrix.is_transposed()) {
        if (matrix.format() != SparseFormat::coo) return convert_in(plan, stream, handle, without_transposition(matrix), format);
        const SparseMatrix rows = convert_in(plan, stream, handle, matrix.transposed(), SparseFormat::csr);
        return convert_in(plan, stream, handle, rows.transposed(), format);
    }
    if (matrix.format() == format) return matrix;
    const Conversion conversion{matrix, plan, stream, handle};
    SparseMatrix next = matrix.format() == SparseFormat::coo                                  ? conversion.compress_rows()
                        : matrix.format() == SparseFormat::csr && format == SparseFormat::coo ? conversion.expand_rows()
                                                                                              : conversion.exchange();
    return next.format() == format ? next : convert_in(plan, stream, handle, next, format);
}

}  // namespace

SparseMatrix convert(StreamRef stream, const SparseMatrix& matrix, SparseFormat format, const PlanOptions& options) {
    check_convertible(matrix, format);
    if (matrix.format() == format && !matrix.is_transposed()) return matrix;
    check_not_captured(convert_name, stream, "allocates arrays, which the graph would own");
    PlanState plan(stream.device(), options);
    const MatrixOperands arrays(matrix);
    check_operands(convert_name, plan.device, {{"the matrix", &arrays.values}});
    PlanCall call(convert_name, plan, stream);
    if (matrix.entries() == 0) {
        return allocate_empty(plan.workspace, stream, format, matrix.shape(), data_type<int>, matrix.dtype(), matrix.options());
    }
    const CusparseHandle handle(call.context(), call.stream());
    return convert_in(plan, stream, handle, matrix, format);
}

void to_dense(StreamRef stream, const SparseMatrix& matrix, const Output& dense, const PlanOptions& options) {
    PlanState plan(stream.device(), options);
    check_rank(to_dense_name, "dense", dense, 2, 2);
    check_shape(to_dense_name, "dense", dense, {matrix.rows(), matrix.columns()});
    check_type(to_dense_name, "dense", dense, matrix.dtype());
    if (matrix.is_conjugated())
        throw_misuse(to_dense_name, ": the matrix is ", to_string(matrix), ", but conversions do not conjugate");
    const MatrixOperands arrays(matrix);
    const std::initializer_list<NamedOperand> operands{{"dense", &dense, true},
                                                       {"the index array", &arrays.major},
                                                       {"the index array", &arrays.minor},
                                                       {"values", &arrays.values}};
    check_operands(to_dense_name, plan.device, operands);
    if (dense.size() == 0) return;
    PlanCall call(to_dense_name, plan, stream);
    const CusparseHandle handle(call.context(), call.stream());
    DenseLayout layout(to_dense_name, "dense", dense);
    if (matrix.is_transposed()) layout.transpose();
    const SparseMatrix stored = matrix.is_transposed() ? matrix.transposed() : matrix;
    const auto source = describe_matrix(stored, dense.data());
    const auto target = describe_dense(layout, dense);
    const auto text = [&] { return concat("The matrix is ", to_string(matrix), "."); };
    const std::size_t size = checked(
        cusparseSparseToDense_bufferSize(handle.get(), source.get(), target.get(), CUSPARSE_SPARSETODENSE_ALG_DEFAULT), text);
    const Workspace::Use memory = plan.workspace.use(stream, size);
    checked(cusparseSparseToDense(handle.get(), source.get(), target.get(), CUSPARSE_SPARSETODENSE_ALG_DEFAULT, memory.data()),
            text);
    retain_for_capture(stream, operands);
}

SparseMatrix to_sparse(StreamRef stream, const Operand& dense, const SparseConversionOptions& options) {
    check_rank(to_sparse_name, "dense", dense, 2, 2);
    if (options.format == SparseFormat::bsr) throw_misuse(to_sparse_name, ": format is bsr, but must be csr, csc or coo");
    check_not_captured(to_sparse_name, stream, "waits for the number of entries");
    PlanState plan(stream.device(), options.plan);
    check_operands(to_sparse_name, plan.device, {{"dense", &dense}});
    PlanCall call(to_sparse_name, plan, stream);
    const CusparseHandle handle(call.context(), call.stream());
    const MatrixShape shape{dense.extent(0), dense.extent(1)};
    const DenseLayout layout(to_sparse_name, "dense", dense);
    const auto array = [&](DataType type, std::int64_t count) { return allocate_array(plan.workspace, stream, type, count); };
    const bool is_coo = options.format == SparseFormat::coo;
    const std::int64_t extent = options.format == SparseFormat::csc ? shape.columns : shape.rows;
    StridedView major = array(options.indices, is_coo ? 0 : extent + 1);
    // Checks the types, too.
    static_cast<void>(
        create_matrix(options.format, shape, major, array(options.indices, 0), array(dense.dtype(), 0), options.matrix));
    const auto source = describe_dense(layout, dense);
    const auto target = describe_result(options.format, shape, major, options.matrix.first_index, dense.dtype());
    const auto text = [&] { return concat(describe("dense", dense), "."); };
    const std::size_t size = checked(
        cusparseDenseToSparse_bufferSize(handle.get(), source.get(), target.get(), CUSPARSE_DENSETOSPARSE_ALG_DEFAULT), text);
    const Workspace::Use memory = plan.workspace.use(stream, size);
    checked(cusparseDenseToSparse_analysis(handle.get(), source.get(), target.get(), CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                           memory.data()),
            text);
    const auto sizes = cusparseSpMatGetSize(target.get());
    checked(sizes, text);
    const std::int64_t entries = sizes.value3;
    if (is_coo) major = array(options.indices, entries);
    SparseMatrix result = create_matrix(options.format, shape, major, array(options.indices, entries),
                                        array(dense.dtype(), entries), options.matrix);
    if (is_coo && entries == 0) return result;
    set_arrays(target.get(), result);
    checked(cusparseDenseToSparse_convert(handle.get(), source.get(), target.get(), CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                          memory.data()),
            text);
    return result;
}

}  // namespace CUBIND_NAMESPACE::math
