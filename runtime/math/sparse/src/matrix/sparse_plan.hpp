// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "matrix/dense_operands.hpp"
#include "plan/plan_state.hpp"

namespace CUBIND_NAMESPACE::math::detail {

/// What plans for one sparse matrix and two dense operands have.
struct SparsePlan : PlanState {
    SparsePlan(const char* plan_name, StreamRef stream, const PlanOptions& plan_options, SparseMatrix matrix,
               const char* input_name, const Operand& input, const char* output_name, const Operand& output);

    /// Checks memory and overlaps. `in_place` is the name of an input that may be equal to the output.
    void check_memory(const Operand& input, const Output& output, const char* in_place) const;
    /// Makes a graph retain all arrays.
    void retain(StreamRef stream, const Operand& input, const Output& output) const;
    /// Takes over other values. The caller has locked the plan.
    void take_values(const Operand& new_values);
    [[nodiscard]] std::string what() const;

    const char* const name;
    SparseMatrix a;
    MatrixOperands arrays;
    DenseOperands dense;
    const bool is_empty;
    const cusparse::cusparseOperation_t operation;
    Descriptor<cusparse::cusparseSpMatDescr_t> a_descriptor;  // unless it is empty
};

}  // namespace CUBIND_NAMESPACE::math::detail
