// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "matmul/problem.hpp"

#include <algorithm>

#include "matmul/attributes.hpp"
#include "matmul/matrix.hpp"
#include "operand/native_type.hpp"

namespace CUBIND_NAMESPACE::math::detail {
namespace {

using namespace cublaslt;
using Slot = MatmulOperands::Slot;

bool is_small_float(cudaDataType type) {
    return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2 || type == CUDA_R_4F_E2M1;
}

std::size_t bits_of(const Operand& operand) {
    return operand.dtype().bits;
}

ProductSize size_of(const char* operation, const MatmulOperands& operands, const Matrix& a, const Matrix& b, const Matrix& d) {
    const auto fail = [&](const auto&... why) {
        throw_misuse(operation, ": ", describe("a", *operands[Slot::a]), ", ", describe("b", *operands[Slot::b]), ", ",
                     describe("d", *operands[Slot::d]), ": ", why...);
    };
    if (a.columns != b.rows) fail("a has ", a.columns, " columns, but b has ", b.rows, " rows");
    if (a.rows != d.rows) fail("a has ", a.rows, " rows, but d has ", d.rows);
    if (b.columns != d.columns) fail("b has ", b.columns, " columns, but d has ", d.columns);
    if (a.columns == 0 && d.rows != 0 && d.columns != 0 && d.batch != 0)
        fail("k is 0, so that each sum is empty: cuBLASLt does not compute this; fill d instead");
    return {d.batch, d.rows, d.columns, a.columns};
}

void check_batch(const char* operation, const char* name, const Operand& operand, const Matrix& matrix, const Operand& d,
                 std::int64_t batch) {
    if (matrix.batch != 1 && matrix.batch != batch)
        throw_misuse(operation, ": ", describe(name, operand), ", but ", describe("d", d), ": the batches must be equal");
}

/// Returns the order in which d, c and the bias can be used together.
MemoryOrder order_of(const char* operation, const MatmulOperands& operands, const Matrix& c, const Matrix& d) {
    const Operand* const vector = operands[Slot::bias] != nullptr ? operands[Slot::bias] : operands[Slot::bias_gradient];
    for (const MemoryOrder order : {MemoryOrder::row_major, MemoryOrder::column_major}) {
        if (d.leading(order) && c.leading(order) && (vector == nullptr || suits(*vector, order))) return order;
    }
    std::string text =
        concat(operation, ": ", describe("d", *operands[Slot::d]), d.row_leading ? " (row-major)" : " (column-major)");
    for (const Slot slot : {Slot::c, Slot::bias, Slot::bias_gradient}) {
        if (operands[slot] != nullptr) text += ", " + describe(operands.all[slot].name, *operands[slot]);
    }
    throw_misuse(
        text,
        ": cuBLASLt needs c in the order of d, and adds a bias of the shape (n) or (1, n) to row-major d, and of (m, 1) to "
        "column-major d");
}

StoredMatrix stored(const char* operation, const char* name, const Operand& operand, const Matrix& matrix, MemoryOrder order,
                    bool is_swapped) {
    const bool is_row_major = order == MemoryOrder::row_major;
    return {native_type(operation, name, operand.dtype()),
            is_row_major ? matrix.columns : matrix.rows,
            is_row_major ? matrix.rows : matrix.columns,
            matrix.leading(order).value_or(0),
            matrix.batch_stride,
            is_row_major != is_swapped};
}

/// Returns the order of an input: with k contiguous if it can be seen as both, because small types need that.
MemoryOrder input_order(const Matrix& matrix, MemoryOrder contiguous_k) {
    if (matrix.leading(contiguous_k)) return contiguous_k;
    return contiguous_k == MemoryOrder::row_major ? MemoryOrder::column_major : MemoryOrder::row_major;
}

void check_types(const char* operation, const MatmulOperands& operands, const MatmulProblem& problem) {
    const auto is_float8 = [](cudaDataType type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; };
    if (problem.a.type != problem.b.type && !(is_float8(problem.a.type) && is_float8(problem.b.type))) {
        throw_misuse(operation, ": ", describe("a", *operands[Slot::a]), ", but ", describe("b", *operands[Slot::b]),
                     ": both must have elements of one type, or of types of 8-bit floating-point numbers");
    }
}

/// Checks what all kernels for small types need.
void check_small_types(const char* operation, const MatmulOperands& operands, MatmulProblem& problem) {
    const bool is_float = is_small_float(problem.a.type);
    if (!is_float && problem.a.type != CUDA_R_8I) return;
    problem.limits =
        is_float ? "Floating-point numbers of 8 and 4 bits need addresses and leading dimensions of multiples of 16 bytes, k "
                   "contiguous in a and b (a row-major, b column-major; a must), m, n and k that are multiples of 16, and a "
                   "device of compute capability 8.9 or later, or 10.0 for block scaling."
                 : "int8 needs addresses and leading dimensions of multiples of 4 bytes, k contiguous in a and b (a "
                   "row-major, b column-major), and m, n and k that are multiples of 4.";
    const std::int64_t multiple = is_float ? 16 : 4;
    const bool is_swapped = problem.is_swapped;
    for (const auto& [slot, matrix] : {std::pair(is_swapped ? Slot::b : Slot::a, &problem.a),
                                       std::pair(is_swapped ? Slot::a : Slot::b, &problem.b), std::pair(Slot::d, &problem.d)}) {
        const char* const name = operands.all[slot].name;
        const Operand& operand = *operands[slot];
        check_alignment(operation, name, operand, static_cast<std::size_t>(multiple));
        const std::int64_t bytes = matrix->leading * static_cast<std::int64_t>(bits_of(operand)) / 8;
        if (bytes % multiple != 0) {
            throw_misuse(operation, ": ", describe(name, operand), ", a leading dimension of ", bytes,
                         " bytes, but with elements of type ", to_string(operands[Slot::a]->dtype()),
                         " cuBLASLt needs a multiple of ", multiple, " bytes: add elements to each line");
        }
    }
}

std::string text_of(const MatmulOperands& operands, const MatmulOptions& options, const std::string& architecture) {
    std::string text;
    for (const NamedOperand& each : operands.all) {
        if (each.operand != nullptr) text += describe(each.name, *each.operand) + ", ";
    }
    return text + concat("epilogue ", to_string(options.epilogue), ", precision ", to_string(options.compute),
                         options.fast_accumulation ? ", fast accumulation" : "", ", sm_", architecture);
}

}  // namespace

MatmulProblem problem_of(const char* operation, const MatmulOperands& operands, const MatmulOptions& options,
                         const std::string& architecture) {
    using enum MemoryOrder;
    const Operand& d_operand = *operands[Slot::d];
    const bool has_c = operands[Slot::c] != nullptr;
    const Matrix a = matrix_of(operation, "a", *operands[Slot::a], row_major);
    const Matrix b = matrix_of(operation, "b", *operands[Slot::b], column_major);
    const Matrix d = matrix_of(operation, "d", d_operand, row_major);
    const Matrix c = has_c ? matrix_of(operation, "c", *operands[Slot::c], row_major) : d;
    const ProductSize size = size_of(operation, operands, a, b, d);
    check_batch(operation, "a", *operands[Slot::a], a, d_operand, size.batch);
    check_batch(operation, "b", *operands[Slot::b], b, d_operand, size.batch);
    if (has_c) {
        check_batch(operation, "c", *operands[Slot::c], c, d_operand, size.batch);
        if (c.rows != d.rows || c.columns != d.columns)
            throw_misuse(operation, ": ", describe("c", *operands[Slot::c]), ", but ", describe("d", d_operand),
                         ": c must have the shape of d");
    }
    const MemoryOrder order = order_of(operation, operands, c, d);

    MatmulProblem problem;
    problem.is_empty = size.m == 0 || size.n == 0 || size.batch == 0;
    problem.is_swapped = order == row_major;
    problem.batch = size.batch;
    const auto input = [&](Slot slot, const Matrix& matrix, MemoryOrder contiguous_k) {
        return stored(operation, operands.all[slot].name, *operands[slot], matrix, input_order(matrix, contiguous_k),
                      problem.is_swapped);
    };
    problem.a = problem.is_swapped ? input(Slot::b, b, column_major) : input(Slot::a, a, row_major);
    problem.b = problem.is_swapped ? input(Slot::a, a, row_major) : input(Slot::b, b, column_major);
    problem.d = stored(operation, "d", d_operand, d, order, problem.is_swapped);
    problem.c = has_c ? stored(operation, "c", *operands[Slot::c], c, order, problem.is_swapped) : problem.d;
    check_types(operation, operands, problem);
    check_small_types(operation, operands, problem);
    // A result of 8 bits has a c of 16 bits, also if it is not read.
    if (!has_c && is_small_float(problem.d.type)) {
        const Operand* const bias = operands[Slot::bias];
        problem.c.type = bias != nullptr && bias->dtype() == DataType::float16() ? CUDA_R_16F : CUDA_R_16BF;
    }
    add_precision(operation, operands, options, problem);
    add_epilogue(operation, operands, options.epilogue, size, order, problem);
    add_scales(operation, operands, size, problem);
    if (options.fast_accumulation) problem.values.add({CUBLASLT_MATMUL_DESC_FAST_ACCUM, 1, 1});
    problem.text = text_of(operands, options, architecture);
    return problem;
}

}  // namespace CUBIND_NAMESPACE::math::detail
