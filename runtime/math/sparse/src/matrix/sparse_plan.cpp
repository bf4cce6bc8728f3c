// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "matrix/sparse_plan.hpp"

#include <utility>

namespace CUBIND_NAMESPACE::math::detail {

SparsePlan::SparsePlan(const char* plan_name, StreamRef stream, const PlanOptions& plan_options, SparseMatrix matrix,
                       const char* input_name, const Operand& input, const char* output_name, const Operand& output)
    : PlanState(stream.device(), plan_options),
      name(plan_name),
      a(std::move(matrix)),
      arrays(a),
      dense(input_name, input, output_name, output),
      is_empty(output.size() == 0),
      operation(operation_of(a)) {}

void SparsePlan::check_memory(const Operand& input, const Output& output, const char* in_place) const {
    check_operands(name, device,
                   {{dense.input_name, &input},
                    {dense.output_name, &output, true},
                    {"the index array", &arrays.major},
                    {"the index array", &arrays.minor},
                    {"values", &arrays.values}},
                   in_place);
}

void SparsePlan::retain(StreamRef stream, const Operand& input, const Output& output) const {
    retain_for_capture(stream, {{"", &input}, {"", &output}, {"", &arrays.major}, {"", &arrays.minor}, {"", &arrays.values}});
}

void SparsePlan::take_values(const Operand& new_values) {
    a = a.with_values(new_values);
    arrays.values = Operand(a.values());
    if (is_empty || a.entries() == 0) return;
    checked(cusparse::cusparseSpMatSetValues(a_descriptor.get(), a.values().data()), [this] { return what(); });
}

std::string SparsePlan::what() const {
    return concat("The matrix is ", to_string(a), "; ", dense.text(), ".");
}

}  // namespace CUBIND_NAMESPACE::math::detail
