// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "matrix/dense_operands.hpp"

#include <algorithm>
#include <utility>

namespace CUBIND_NAMESPACE::math::detail {

using namespace cusparse;

namespace {

bool is_plain_vector(const Operand& operand) {
    return operand.rank() == 1 && (operand.strides()[0] == 1 || operand.size() == 1);
}

std::string descriptor_text() {
    return "A dense operand could not be described.";
}

}  // namespace

DenseLayout::DenseLayout(const char* operation, const char* name, const Operand& operand, cusparseOrder_t preferred) {
    check_rank(operation, name, operand, 1, 3);
    const std::int64_t* shape = operand.shape().begin();
    const std::int64_t* strides = operand.strides().begin();
    if (operand.rank() == 3) {
        batch = static_cast<int>(*shape++);
        batch_stride = *strides++;
    }
    const bool is_vector = operand.rank() == 1;
    rows = shape[0];
    columns = is_vector ? 1 : shape[1];
    const std::int64_t row_stride = strides[0];
    const std::int64_t column_stride = is_vector ? 1 : strides[1];
    // A dimension of one element may have any stride.
    const bool is_row_major = (columns <= 1 || column_stride == 1) && (rows <= 1 || row_stride >= columns);
    const bool is_column_major = (rows <= 1 || row_stride == 1) && (columns <= 1 || column_stride >= rows);
    if (!(is_row_major || is_column_major) || batch_stride < 0) {
        throw_misuse(operation, ": ", detail::describe(name, operand),
                     ", but one stride of a matrix must be 1, the other at least the elements between, and none negative: "
                     "copy it to an array without gaps");
    }
    const bool takes_rows = preferred == CUSPARSE_ORDER_ROW ? is_row_major : !is_column_major;
    order = takes_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
    const std::int64_t width = takes_rows ? columns : rows;
    const bool is_single = (takes_rows ? rows : columns) <= 1;
    leading = is_single ? std::max<std::int64_t>(width, 1) : takes_rows ? row_stride : column_stride;
}

void DenseLayout::transpose() noexcept {
    std::swap(rows, columns);
    order = order == CUSPARSE_ORDER_ROW ? CUSPARSE_ORDER_COL : CUSPARSE_ORDER_ROW;
}

Descriptor<cusparseDnMatDescr_t> describe_dense(const DenseLayout& layout, const Operand& operand) {
    Descriptor<cusparseDnMatDescr_t> descriptor(
        checked(cusparseCreateDnMat(layout.rows, layout.columns, layout.leading, operand.data(),
                                    *find_native_type(operand.dtype()), layout.order),
                descriptor_text));
    if (layout.batch > 0)
        checked(cusparseDnMatSetStridedBatch(descriptor.get(), layout.batch, layout.batch_stride), descriptor_text);
    return descriptor;
}

DenseOperands::DenseOperands(const char* in_name, const Operand& input, const char* out_name, const Operand& output)
    : input_name(in_name),
      output_name(out_name),
      input_type_(input.dtype()),
      output_type_(output.dtype()),
      input_shape_(input.shape()),
      output_shape_(output.shape()),
      input_strides_(input.strides()),
      output_strides_(output.strides()) {}

void DenseOperands::create(const char* operation, const Operand& input, const Operand& output) {
    if (is_plain_vector(input) && is_plain_vector(output)) {
        const auto vector = [](const Operand& operand) {
            return checked(cusparseCreateDnVec(operand.size(), operand.data(), *find_native_type(operand.dtype())),
                           descriptor_text);
        };
        input_vector.reset(vector(input));
        output_vector.reset(vector(output));
        return;
    }
    const DenseLayout output_layout(operation, output_name, output);
    DenseLayout input_layout(operation, input_name, input, output_layout.order);
    if (input_layout.order != output_layout.order) {
        input_layout.transpose();
        input_operation = CUSPARSE_OPERATION_TRANSPOSE;
    }
    input_matrix = describe_dense(input_layout, input);
    output_matrix = describe_dense(output_layout, output);
    batch = output_layout.batch;
}

void DenseOperands::check(const char* operation, const Operand& input, const Operand& output) const {
    check_type(operation, input_name, input, input_type_);
    check_shape(operation, input_name, input, input_shape_);
    check_strides(operation, input_name, input, input_strides_);
    check_type(operation, output_name, output, output_type_);
    check_shape(operation, output_name, output, output_shape_);
    check_strides(operation, output_name, output, output_strides_);
}

void DenseOperands::set(const Operand& input, const Operand& output) const {
    if (are_vectors()) {
        checked(cusparseDnVecSetValues(input_vector.get(), input.data()), descriptor_text);
        checked(cusparseDnVecSetValues(output_vector.get(), output.data()), descriptor_text);
    } else {
        checked(cusparseDnMatSetValues(input_matrix.get(), input.data()), descriptor_text);
        checked(cusparseDnMatSetValues(output_matrix.get(), output.data()), descriptor_text);
    }
}

std::string DenseOperands::text() const {
    return concat(input_name, " is ", to_string(input_type_), " ", to_string(input_shape_), ", ", output_name, " is ",
                  to_string(output_type_), " ", to_string(output_shape_));
}

}  // namespace CUBIND_NAMESPACE::math::detail
