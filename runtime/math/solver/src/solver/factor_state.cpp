// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "solver/factor_state.hpp"

#include <limits>

#include "solver/routines.hpp"

namespace CUBIND_NAMESPACE::math::detail::solver {

FactorState::FactorState(const char* name, StreamRef stream, const Operand& a, NumericalFailure::Kind failure, bool in_place,
                         bool accepts_row_major, const PlanOptions& plan_options)
    : SolverState(name, stream, a, failure, plan_options), overwrites(in_place) {
    check_rank(name, "a", a, 2, 2);
    const Array matrix(a);
    if (!overwrites) {
        matrix_offset = store(matrix.bytes());
    } else if (!matrix.is_column_major()) {
        is_transposed = matrix.transposed().is_column_major();
        if (!is_transposed || !accepts_row_major) {
            throw_misuse(name, ": ", describe("a", a),
                         ", but factors can replace only elements in column-major order, with strides (1, ", matrix.rows(),
                         ") or more: set overwrite_a to false, or copy `a` to the view that "
                         "a.allocate_like(stream, device, MemoryOrder::column_major) returns");
        }
    }
}

void FactorState::check_matrix(const Operand& a) const {
    check_operands(operation, device, {{"a", &a, overwrites}});
    check_like("a", a, dtype, shape, strides);
}

void FactorState::take(const SolverCall& call, StreamRef stream, const Operand& a) {
    retain_for_capture(stream, {{"a", &a}});
    if (!overwrites) return copy_array(stream, device, factors(call), Array(a));
    overwritten.emplace(StridedMemory{.data = a.data(),
                                      .dtype = dtype,
                                      .shape = shape,
                                      .strides = strides,
                                      .memory_type = MemoryType::device,
                                      .device_ordinal = device.ordinal(),
                                      .owner = a.share()});
}

Array FactorState::factors(const SolverCall& call) const {
    if (!overwrites) return column_major(call.stored(matrix_offset), dtype, shape);
    const Array matrix{Operand(*overwritten)};
    return is_transposed ? matrix.transposed() : matrix;
}

void FactorState::check_later(const char* name, const NamedOperand& input, const NamedOperand& output,
                              const char* in_place) const {
    if (!overwritten) return check_operands(name, device, {input, output}, in_place);
    const Operand factors(*overwritten);
    check_operands(name, device, {input, output, {"the matrix with the factors", &factors}}, in_place);
}

std::size_t packed_bytes(std::int64_t n, DataType type) {
    return static_cast<std::size_t>(n * (n + 1) / 2) * type.size();
}

void copy_triangle(const SolverCall& call, cublas::cublasFillMode_t triangle, const Array& to, const Array& from, void* packed) {
    const auto failed = [] { return std::string("A triangle of a matrix could not be copied."); };
    const int n = int_of("a triangle", from.rows());
    const int from_distance = int_of("a triangle", from.leading_dimension());
    const int to_distance = int_of("a triangle", to.leading_dimension());
    clear(call.stream(), to);
    with_routines(from.dtype, [&]<class Element>(Routines<Element>) {
        using R = Routines<Element>;
        auto* const elements = static_cast<Element*>(packed);
        check_blas(R::pack(call.blas(), triangle, n, static_cast<const Element*>(from.data), from_distance, elements), failed);
        check_blas(R::unpack(call.blas(), triangle, n, elements, static_cast<Element*>(to.data), to_distance), failed);
    });
}

}  // namespace CUBIND_NAMESPACE::math::detail::solver
