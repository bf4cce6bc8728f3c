// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "matrix/cusparse.hpp"

namespace CUBIND_NAMESPACE::math::detail {

/// A dense matrix, or a batch of them, as cuSPARSE sees it.
struct DenseLayout {
    /// Throws std::invalid_argument for strides that neither order can express. `preferred` decides where both are right.
    DenseLayout(const char* operation, const char* name, const Operand& operand,
                cusparse::cusparseOrder_t preferred = cusparse::CUSPARSE_ORDER_ROW);
    /// Makes this the layout of the transpose.
    void transpose() noexcept;

    std::int64_t rows;
    std::int64_t columns;
    std::int64_t leading;  // elements from one column or row to the next
    cusparse::cusparseOrder_t order;
    int batch = 0;  // 0 if the operand has no dimension of batches
    std::int64_t batch_stride = 0;
};

[[nodiscard]] Descriptor<cusparse::cusparseDnMatDescr_t> describe_dense(const DenseLayout& layout, const Operand& operand);

/// The input and the output of a plan: vectors if both are vectors without gaps, else matrices in the order of the output.
class DenseOperands {
public:
    DenseOperands(const char* input_name, const Operand& input, const char* output_name, const Operand& output);

    /// Creates the descriptors.
    void create(const char* operation, const Operand& input, const Operand& output);
    /// Throws unless the operands have the types, shapes and strides of the creation.
    void check(const char* operation, const Operand& input, const Operand& output) const;
    /// Sets the addresses.
    void set(const Operand& input, const Operand& output) const;

    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool are_vectors() const noexcept { return input_vector != nullptr; }

    Descriptor<cusparse::cusparseDnVecDescr_t> input_vector, output_vector;
    Descriptor<cusparse::cusparseDnMatDescr_t> input_matrix, output_matrix;
    cusparse::cusparseOperation_t input_operation = cusparse::CUSPARSE_OPERATION_NON_TRANSPOSE;
    int batch = 0;
    const char* const input_name;
    const char* const output_name;

private:
    DataType input_type_, output_type_;
    Dimensions input_shape_, output_shape_, input_strides_, output_strides_;
};

}  // namespace CUBIND_NAMESPACE::math::detail
