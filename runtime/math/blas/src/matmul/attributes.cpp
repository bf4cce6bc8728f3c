// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "matmul/attributes.hpp"

#include <string>

#include "matmul/matrix.hpp"
#include "operand/native_type.hpp"

namespace CUBIND_NAMESPACE::math::detail {
namespace {

using namespace cublaslt;
using Slot = MatmulOperands::Slot;

void add_vector(const char* operation, const MatmulOperands& operands, Slot slot, std::int64_t length, MatmulProblem& problem,
                std::int64_t batch = 1) {
    const char* const name = operands.all[slot].name;
    const Operand& vector = *operands[slot];
    std::int64_t stride = 1;
    std::int64_t batch_stride = 0;
    check_rank(operation, name, vector, 1, 3);
    if (vector.rank() == 3) {
        if (vector.extent(0) != batch)
            throw_misuse(operation, ": ", describe(name, vector), ", but the product has a batch of ", batch);
        batch_stride = batch > 1 ? vector.strides()[0] : 0;
    }
    for (std::size_t i = vector.rank() == 3 ? 1 : 0; i < vector.rank(); ++i) {
        if (vector.extent(i) > 1) stride = vector.strides()[i];
    }
    const std::int64_t count = vector.rank() == 3 && batch > 0 ? vector.size() / batch : vector.size();
    if (count != length || stride != 1 || batch_stride < 0) {
        throw_misuse(operation, ": ", describe(name, vector), ", but ", length,
                     length == 1 ? " number is required" : " numbers are required, each beside the next");
    }
    problem.pointers.add({slot, CUBLASLT_MATMUL_DESC_BIAS_POINTER});
    const cudaDataType type = native_type(operation, name, vector.dtype());
    if (type != problem.d.type) problem.values.add({CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, type, 4});
    if (batch_stride != 0) problem.values.add({CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, batch_stride, 8});
}

void add_aux(const char* operation, const MatmulOperands& operands, Slot slot, bool is_mask, const ProductSize& size,
             MemoryOrder order, MatmulProblem& problem) {
    const char* const name = operands.all[slot].name;
    const Operand& aux = *operands[slot];
    const Matrix matrix = matrix_of(operation, name, aux, order);
    const bool is_row_major = order == MemoryOrder::row_major;
    const std::int64_t bits = is_mask ? 8 : 1;  // the library counts the bits of a mask
    const std::int64_t length = is_row_major ? size.n : size.m;
    const std::int64_t found = is_row_major ? matrix.columns : matrix.rows;
    const std::int64_t required = is_mask ? relu_mask_size(length) : length;
    const std::int64_t lines = is_row_major ? matrix.rows : matrix.columns;
    if (is_mask) check_type(operation, name, aux, data_type<std::uint8_t>);
    if (matrix.batch != size.batch || lines != (is_row_major ? size.m : size.n) || found != required) {
        throw_misuse(operation, ": ", describe(name, aux), ", but ", required, is_mask ? " bytes" : " numbers", " for each ",
                     is_row_major ? "row" : "column", " of d are required: ", describe("d", *operands[Slot::d]));
    }
    const std::int64_t multiple = is_mask ? 128 : 8;
    const std::int64_t leading = matrix.leading(order).value_or(0) * bits;
    if (leading == 0 || leading % multiple != 0) {
        throw_misuse(operation, ": ", describe(name, aux), ", but it must be ", is_row_major ? "row-major" : "column-major",
                     ", as d is, with a leading dimension that is a multiple of ", multiple / bits, is_mask ? " bytes" : "");
    }
    problem.pointers.add({slot, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER});
    problem.values.add({CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, leading, 8});
    if (matrix.batch_stride != 0)
        problem.values.add({CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, matrix.batch_stride * bits, 8});
    const cudaDataType type = native_type(operation, name, aux.dtype());
    if (!is_mask && type != problem.d.type) problem.values.add({CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, type, 4});
}

void check_absent(const char* operation, const MatmulOperands& operands, std::initializer_list<Slot> slots, const char* why) {
    for (const Slot slot : slots) {
        if (operands[slot] != nullptr) throw_misuse(operation, ": ", operands.all[slot].name, " was passed, but ", why);
    }
}

bool is_complex(const StoredMatrix& matrix) {
    return matrix.type == CUDA_C_32F || matrix.type == CUDA_C_64F;
}

}  // namespace

bool suits(const Operand& vector, MemoryOrder order) {
    if (vector.rank() == 0 || vector.rank() > 3) return false;
    const std::int64_t rows = vector.rank() == 1 ? 1 : vector.extent(vector.rank() - 2);
    return (order == MemoryOrder::row_major ? rows : vector.extent(vector.rank() - 1)) == 1 &&
           (order == MemoryOrder::row_major || vector.rank() > 1);
}

void add_precision(const char* operation, const MatmulOperands& operands, const MatmulOptions& options, MatmulProblem& problem) {
    const bool is_wide = problem.a.type == CUDA_R_64F || problem.a.type == CUDA_C_64F;
    ComputePrecision precision = options.compute;
    if (precision == ComputePrecision::automatic) {
        precision = is_wide                       ? ComputePrecision::float64
                    : problem.a.type == CUDA_R_8I ? ComputePrecision::int32
                                                  : ComputePrecision::float32;
    }
    problem.scale = is_complex(problem.d) ? CUDA_C_32F : CUDA_R_32F;
    switch (precision) {
        case ComputePrecision::float16:
            problem.compute = CUBLAS_COMPUTE_16F;
            problem.scale = CUDA_R_16F;
            break;
        case ComputePrecision::float32:
            problem.compute = CUBLAS_COMPUTE_32F;
            break;
        case ComputePrecision::float64:
        case ComputePrecision::emulated_float64:
            problem.compute =
                precision == ComputePrecision::float64 ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT;
            problem.scale = is_complex(problem.d) ? CUDA_C_64F : CUDA_R_64F;
            break;
        case ComputePrecision::int32:
            problem.compute = CUBLAS_COMPUTE_32I;
            if (problem.d.type == CUDA_R_32I) problem.scale = CUDA_R_32I;
            break;
        case ComputePrecision::tf32:
            problem.compute = CUBLAS_COMPUTE_32F_FAST_TF32;
            break;
        case ComputePrecision::bfloat16:
            problem.compute = CUBLAS_COMPUTE_32F_FAST_16BF;
            break;
        case ComputePrecision::bfloat16x9:
            problem.compute = CUBLAS_COMPUTE_32F_EMULATED_16BFX9;
            break;
        default:
            throw_misuse(operation, ": MatmulOptions::compute is ", static_cast<int>(precision),
                         ", which is no ComputePrecision");
    }
    if (is_wide != (problem.compute == CUBLAS_COMPUTE_64F || problem.compute == CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT)) {
        throw_misuse(operation, ": ", describe("a", *operands[Slot::a]), ", but the precision is ", to_string(precision),
                     ": elements of 64 bits, and only those, are added as float64");
    }
}

void add_epilogue(const char* operation, const MatmulOperands& operands, Epilogue epilogue, const ProductSize& size,
                  MemoryOrder order, MatmulProblem& problem) {
    const std::int64_t bias_length = order == MemoryOrder::row_major ? size.n : size.m;
    const bool has_bias = operands[Slot::bias] != nullptr;
    const bool has_aux = operands[Slot::aux_output] != nullptr;
    if (has_bias) add_vector(operation, operands, Slot::bias, bias_length, problem, size.batch);
    if (epilogue != Epilogue::none)
        check_absent(operation, operands, {Slot::a_row_sums, Slot::b_column_sums}, "MatmulOptions::epilogue is not none");
    switch (epilogue) {
        case Epilogue::none: {
            check_absent(operation, operands, {Slot::aux_output, Slot::aux_input, Slot::bias_gradient},
                         "MatmulOptions::epilogue is none");
            problem.epilogue = has_bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
            for (const Slot slot : {Slot::a_row_sums, Slot::b_column_sums}) {
                if (operands[slot] == nullptr) continue;
                if (problem.epilogue != CUBLASLT_EPILOGUE_DEFAULT)
                    throw_misuse(operation,
                                 ": a product computes only one of bias, a_row_sums and b_column_sums: make two products");
                const bool is_of_a = slot == Slot::a_row_sums;
                add_vector(operation, operands, slot, is_of_a ? size.m : size.n, problem);
                problem.epilogue = is_of_a != problem.is_swapped ? CUBLASLT_EPILOGUE_BGRADA : CUBLASLT_EPILOGUE_BGRADB;
            }
            return;
        }
        case Epilogue::relu:
        case Epilogue::gelu: {
            check_absent(operation, operands, {Slot::aux_input, Slot::bias_gradient}, "the epilogue is no gradient");
            const bool is_relu = epilogue == Epilogue::relu;
            if (has_aux) add_aux(operation, operands, Slot::aux_output, is_relu, size, order, problem);
            constexpr cublasLtEpilogue_t all[2][2][2] = {
                {{CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_AUX},
                 {CUBLASLT_EPILOGUE_GELU_BIAS, CUBLASLT_EPILOGUE_GELU_AUX_BIAS}},
                {{CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_RELU_AUX},
                 {CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_RELU_AUX_BIAS}},
            };
            problem.epilogue = all[is_relu][has_bias][has_aux];
            return;
        }
        case Epilogue::relu_gradient:
        case Epilogue::gelu_gradient: {
            check_absent(operation, operands, {Slot::bias, Slot::aux_output}, "the epilogue is a gradient");
            const bool is_relu = epilogue == Epilogue::relu_gradient;
            const bool has_gradient = operands[Slot::bias_gradient] != nullptr;
            if (operands[Slot::aux_input] == nullptr)
                throw_misuse(operation, ": the epilogue ", to_string(epilogue),
                             " needs aux_input, which the product before it has stored");
            add_aux(operation, operands, Slot::aux_input, is_relu, size, order, problem);
            if (has_gradient) add_vector(operation, operands, Slot::bias_gradient, bias_length, problem);
            problem.epilogue = is_relu ? (has_gradient ? CUBLASLT_EPILOGUE_DRELU_BGRAD : CUBLASLT_EPILOGUE_DRELU)
                                       : (has_gradient ? CUBLASLT_EPILOGUE_DGELU_BGRAD : CUBLASLT_EPILOGUE_DGELU);
            return;
        }
    }
    throw_misuse(operation, ": MatmulOptions::epilogue is ", static_cast<int>(epilogue), ", which is no Epilogue");
}

void add_scales(const char* operation, const MatmulOperands& operands, const ProductSize& size, MatmulProblem& problem) {
    const auto mode_of = [&](Slot slot, std::int64_t outer) {
        const Operand& scale = *operands[slot];
        const char* const name = operands.all[slot].name;
        const bool is_block_of_32 = scale.dtype().kind == DataTypeKind::float8_e8m0fnu;
        const bool is_block = is_block_of_32 || scale.dtype().kind == DataTypeKind::float8_e4m3fn;
        const std::int64_t width = is_block_of_32 ? 32 : 16;
        const std::int64_t required = is_block ? block_scale_count(outer, (size.k + width - 1) / width) : outer;
        if (!is_block) check_type(operation, name, scale, data_type<float>);
        const bool is_one = !is_block && scale.size() == 1;
        const bool is_dense = scale.rank() == 1 && (scale.size() <= 1 || scale.strides()[0] == 1);
        if (!is_one && (!is_dense || scale.size() != required)) {
            throw_misuse(operation, ": ", describe(name, scale), ", but ", is_block ? "" : "1 number, or ", required,
                         " numbers in one dimension with the stride 1 are required");
        }
        return is_one           ? CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F
               : !is_block      ? CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F
               : is_block_of_32 ? CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0
                                : CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3;
    };
    for (const Slot slot : {Slot::a_scale, Slot::b_scale}) {
        if (operands[slot] == nullptr) continue;
        const bool is_first = (slot == Slot::a_scale) != problem.is_swapped;
        const auto mode = mode_of(slot, slot == Slot::a_scale ? size.m : size.n);
        problem.pointers.add({slot, is_first ? CUBLASLT_MATMUL_DESC_A_SCALE_POINTER : CUBLASLT_MATMUL_DESC_B_SCALE_POINTER});
        // Libraries before 12.8 have no modes, and need none for a scalar.
        if (mode != CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F)
            problem.values.add({is_first ? CUBLASLT_MATMUL_DESC_A_SCALE_MODE : CUBLASLT_MATMUL_DESC_B_SCALE_MODE, mode, 4});
    }
    for (const Slot slot : {Slot::d_scale, Slot::d_amax}) {
        if (operands[slot] == nullptr) continue;
        check_type(operation, operands.all[slot].name, *operands[slot], data_type<float>);
        if (operands[slot]->size() != 1)
            throw_misuse(operation, ": ", describe(operands.all[slot].name, *operands[slot]), ", but 1 number is required");
        problem.pointers.add(
            {slot, slot == Slot::d_scale ? CUBLASLT_MATMUL_DESC_D_SCALE_POINTER : CUBLASLT_MATMUL_DESC_AMAX_D_POINTER});
    }
}

}  // namespace CUBIND_NAMESPACE::math::detail
