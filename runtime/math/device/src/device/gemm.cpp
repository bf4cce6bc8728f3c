// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/math_device/gemm.hpp>
#include <cubind/mathdx/types.hpp>

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "device/architecture.hpp"
#include "device/declaration.hpp"
#include "device/function_state.hpp"
#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::math::device {
namespace {

using cubind::detail::concat;
using cubind::detail::throw_misuse;
using namespace mathdx;

// libmathdx numbers the precisions in the order of the enumerators.
static_assert(static_cast<int>(Precision::f8_e5m2) == COMMONDX_PRECISION_F8_E5M2 &&
              static_cast<int>(Precision::f8_e4m3) == COMMONDX_PRECISION_F8_E4M3 &&
              static_cast<int>(Precision::bf16) == COMMONDX_PRECISION_BF16 &&
              static_cast<int>(Precision::f16) == COMMONDX_PRECISION_F16 &&
              static_cast<int>(Precision::tf32) == COMMONDX_PRECISION_TF32 &&
              static_cast<int>(Precision::f32) == COMMONDX_PRECISION_F32 &&
              static_cast<int>(Precision::f64) == COMMONDX_PRECISION_F64 &&
              static_cast<int>(Precision::i8) == COMMONDX_PRECISION_I8 &&
              static_cast<int>(Precision::u64) == COMMONDX_PRECISION_UI64);

struct Matrix {
    char name;
    std::size_t rows, columns;
    Precision precision;
    Arrangement arrangement;
    std::size_t leading_dimension, alignment;

    std::size_t line() const noexcept { return arrangement == Arrangement::row_major ? columns : rows; }
    std::size_t lines() const noexcept { return arrangement == Arrangement::row_major ? rows : columns; }
};

std::vector<Matrix> matrices_of(const GemmDescription& d) {
    return {{'a', d.m, d.k, d.precision.a, d.arrangement.a, d.leading_dimension.a, d.alignment.a},
            {'b', d.k, d.n, d.precision.b, d.arrangement.b, d.leading_dimension.b, d.alignment.b},
            {'c', d.m, d.n, d.precision.c, d.arrangement.c, d.leading_dimension.c, d.alignment.c}};
}

void check(const GemmDescription& description) {
    detail::check_size(description.m, "GemmDescription::m");
    detail::check_size(description.n, "GemmDescription::n");
    detail::check_size(description.k, "GemmDescription::k");
    for (const Matrix& matrix : matrices_of(description)) {
        const std::string name(1, matrix.name);
        const std::size_t element = detail::element_size(matrix.precision, description.domain);
        if (element == 0) {
            throw_misuse("GemmDescription::precision.", name, " is ", static_cast<int>(matrix.precision),
                         ", which is no Precision");
        }
        if (matrix.leading_dimension != 0 && matrix.leading_dimension < matrix.line()) {
            throw_misuse("GemmDescription::leading_dimension.", name, " is ", matrix.leading_dimension, ", but a ",
                         matrix.arrangement == Arrangement::row_major ? "row" : "column", " of the ", matrix.rows, " x ",
                         matrix.columns, " matrix has ", matrix.line(), " elements");
        }
        if (matrix.leading_dimension != 0) detail::check_size(matrix.leading_dimension, "GemmDescription::leading_dimension");
        const std::size_t alignment = matrix.alignment;
        if (alignment != 0 && (!std::has_single_bit(alignment) || alignment < element || alignment > 16)) {
            throw_misuse("GemmDescription::alignment.", name, " is ", alignment, " bytes, but must be a power of two from ",
                         element, " (an element) to 16");
        }
    }
    if (description.block_size > 1024) {
        throw_misuse("GemmDescription::block_size is ", description.block_size, ", but a block has at most 1024 threads");
    }
}

std::string default_symbol(const GemmDescription& description) {
    std::string symbol = concat("gemm_", description.m, "x", description.n, "x", description.k);
    const auto& [a, b, c] = description.precision;
    if (a != Precision::f32 || b != a || c != a) symbol.append("_").append(to_string(a));
    if (b != a || c != a) symbol.append("_").append(to_string(b)).append("_").append(to_string(c));
    if (description.domain == Domain::complex) symbol += "_complex";
    for (const Matrix& matrix : matrices_of(description)) {
        if (matrix.arrangement == Arrangement::column_major) symbol.append("_").append(1, matrix.name).append("t");
    }
    return symbol;
}

detail::Request request_of(const GemmDescription& description) {
    const auto& [a, b, c] = description.precision;
    detail::Request request;
    request.arch = detail::architecture_of(description.arch, "GemmDescription");
    request.symbol = description.symbol.empty() ? default_symbol(description) : description.symbol;
    detail::check_symbol(request.symbol, "GemmDescription");
    request.description = concat("GEMM of ", description.m, " x ", description.n, " x ", description.k, ": ", to_string(a), ", ",
                                 to_string(b), ", ", to_string(c), description.domain == Domain::complex ? ", complex" : "", ", ",
                                 description.block_size, " threads (0: automatic), ", request.arch);
    request.set(CUBLASDX_OPERATOR_FUNCTION, CUBLASDX_FUNCTION_MM);
    const auto number = [](std::size_t value) { return static_cast<long long>(value); };
    request.set_array(CUBLASDX_OPERATOR_SIZE, {number(description.m), number(description.n), number(description.k)});
    request.set(CUBLASDX_OPERATOR_TYPE, description.domain == Domain::complex ? CUBLASDX_TYPE_COMPLEX : CUBLASDX_TYPE_REAL);
    request.set_array(CUBLASDX_OPERATOR_PRECISION,
                      {static_cast<long long>(a), static_cast<long long>(b), static_cast<long long>(c)});
    request.set(CUBLASDX_OPERATOR_SM, detail::number_of(request.arch));
    request.set(CUBLASDX_OPERATOR_EXECUTION, COMMONDX_EXECUTION_BLOCK);
    request.set(CUBLASDX_OPERATOR_API, CUBLASDX_API_SMEM);
    std::vector<long long> arrangements, leading_dimensions, alignments;
    for (const Matrix& matrix : matrices_of(description)) {
        arrangements.push_back(matrix.arrangement == Arrangement::row_major ? CUBLASDX_ARRANGEMENT_ROW_MAJOR
                                                                            : CUBLASDX_ARRANGEMENT_COL_MAJOR);
        leading_dimensions.push_back(number(std::max(matrix.leading_dimension, matrix.line())));
        alignments.push_back(number(std::max(matrix.alignment, detail::element_size(matrix.precision, description.domain))));
    }
    request.set_array(CUBLASDX_OPERATOR_ARRANGEMENT, std::move(arrangements));
    request.set_array(CUBLASDX_OPERATOR_LEADING_DIMENSION, std::move(leading_dimensions));
    request.set_array(CUBLASDX_OPERATOR_ALIGNMENT, std::move(alignments));
    if (description.block_size != 0) request.set_array(CUBLASDX_OPERATOR_BLOCK_DIM, {description.block_size, 1, 1});
    return request;
}

detail::Answers ask_gemm(const detail::Descriptor& descriptor) {
    detail::Answers answers;
    answers.add(descriptor.traits(CUBLASDX_TRAIT_BLOCK_DIM));
    answers.add(descriptor.traits(CUBLASDX_TRAIT_LEADING_DIMENSION));
    answers.add(descriptor.traits(CUBLASDX_TRAIT_SUGGESTED_LEADING_DIMENSION));
    answers.add(descriptor.traits(CUBLASDX_TRAIT_SUGGESTED_BLOCK_DIM));
    return answers;
}

// The numbers that libmathdx has no trait for: the matrices follow each other, each aligned to 16 bytes.
GemmTraits traits_of(const GemmDescription& description, const detail::Answers& answers) {
    const auto three = [&](std::size_t first) {
        return OfMatrices<unsigned int>{answers.number(first), answers.number(first + 1), answers.number(first + 2)};
    };
    GemmTraits traits{.leading_dimension = three(3),
                      .suggested_leading_dimension = three(6),
                      .size = {},
                      .offset = {},
                      .suggested_block_size = answers.number(9) * answers.number(10) * answers.number(11)};
    unsigned int* const sizes[] = {&traits.size.a, &traits.size.b, &traits.size.c};
    unsigned int* const offsets[] = {&traits.offset.a, &traits.offset.b, &traits.offset.c};
    const unsigned int distances[] = {traits.leading_dimension.a, traits.leading_dimension.b, traits.leading_dimension.c};
    std::size_t end = 0;
    std::size_t index = 0;
    for (const Matrix& matrix : matrices_of(description)) {
        const std::size_t size = distances[index] * matrix.lines();
        *sizes[index] = static_cast<unsigned int>(size);
        *offsets[index] = static_cast<unsigned int>(end);
        end = (end + size * detail::element_size(matrix.precision, description.domain) + 15) / 16 * 16;
        ++index;
    }
    return traits;
}

std::shared_ptr<detail::FunctionState> gemm_state(const GemmDescription& description, ProgramCache* cache) {
    check(description);
    auto state = std::make_shared<detail::FunctionState>(detail::gemm_family, request_of(description), cache, ask_gemm);
    const detail::Answers& answers = state->answers();
    const GemmTraits traits = traits_of(description, answers);
    state->block = {answers.number(0), answers.number(1), answers.number(2)};
    const std::size_t size_of_c = traits.size.c * detail::element_size(description.precision.c, description.domain);
    state->shared_memory_size = (traits.offset.c + size_of_c + 15) / 16 * 16;
    const std::string& symbol = state->request().symbol;
    const auto pointer = [&](Precision precision) { return detail::type_name(precision, description.domain) + "* "; };
    const auto& [a, b, c] = description.precision;
    state->declaration =
        detail::traits_declaration(symbol, {{"m", description.m},
                                            {"n", description.n},
                                            {"k", description.k},
                                            {"a_leading_dimension", traits.leading_dimension.a},
                                            {"b_leading_dimension", traits.leading_dimension.b},
                                            {"c_leading_dimension", traits.leading_dimension.c},
                                            {"a_size", traits.size.a},
                                            {"b_size", traits.size.b},
                                            {"c_size", traits.size.c},
                                            {"a_offset", traits.offset.a},
                                            {"b_offset", traits.offset.b},
                                            {"c_offset", traits.offset.c},
                                            {"shared_memory_size", state->shared_memory_size}}) +
        detail::function_declaration(symbol, "const " + pointer(c) + "alpha, const " + pointer(a) + "a, const " + pointer(b) +
                                                 "b, const " + pointer(c) + "beta, " + pointer(c) + "c");
    return state;
}

}  // namespace

Gemm::Gemm(const GemmDescription& description, ProgramCache* cache)
    : Function(gemm_state(description, cache)), traits_(traits_of(description, state().answers())) {}

}  // namespace CUBIND_NAMESPACE::math::device
