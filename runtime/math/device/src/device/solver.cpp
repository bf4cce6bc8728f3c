// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/math_device/solver.hpp>
#include <cubind/mathdx/types.hpp>

#include <algorithm>
#include <iterator>
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

// What distinguishes the functions. T stands for the element type in the parameters.
struct SolverForm {
    const char* name;
    cusolverdxFunction function;
    const char* parameters;
    bool has_b, has_triangle, has_transpose, has_columns;
};

constexpr SolverForm forms[] = {
    {"cholesky", CUSOLVERDX_FUNCTION_POTRF, "T* a, int* info", false, true, false, false},
    {"cholesky_solve", CUSOLVERDX_FUNCTION_POTRS, "const T* a, T* b", true, true, false, false},
    {"cholesky_factor_and_solve", CUSOLVERDX_FUNCTION_POSV, "T* a, T* b, int* info", true, true, false, false},
    {"lu", CUSOLVERDX_FUNCTION_GETRF_NO_PIVOT, "T* a, int* info", false, false, false, false},
    {"lu_solve", CUSOLVERDX_FUNCTION_GETRS_NO_PIVOT, "const T* a, T* b", true, false, true, false},
    {"lu_factor_and_solve", CUSOLVERDX_FUNCTION_GESV_NO_PIVOT, "T* a, T* b, int* info", true, false, true, false},
    {"pivoted_lu", CUSOLVERDX_FUNCTION_GETRF_PARTIAL_PIVOT, "T* a, int* pivots, int* info", false, false, false, false},
    {"pivoted_lu_solve", CUSOLVERDX_FUNCTION_GETRS_PARTIAL_PIVOT, "const T* a, const int* pivots, T* b", true, false, true,
     false},
    {"pivoted_lu_factor_and_solve", CUSOLVERDX_FUNCTION_GESV_PARTIAL_PIVOT, "T* a, int* pivots, T* b, int* info", true, false,
     true, false},
    {"triangular_solve", CUSOLVERDX_FUNCTION_TRSM, "const T* a, T* b", true, true, true, false},
    {"qr", CUSOLVERDX_FUNCTION_GEQRF, "T* a, T* tau", false, false, false, true},
    {"least_squares", CUSOLVERDX_FUNCTION_GELS, "T* a, T* tau, T* b", true, false, true, true},
};

const SolverForm& form_of(const SolverDescription& description) {
    const auto index = static_cast<std::size_t>(description.function);
    if (index >= std::size(forms)) throw_misuse("SolverDescription::function is ", index, ", which is no SolverFunction");
    return forms[index];
}

std::size_t columns_of(const SolverDescription& description) {
    return description.n == 0 ? description.m : description.n;
}

void check(const SolverDescription& description, const SolverForm& form) {
    const auto refuse = [&](const char* member, const std::string& value) {
        throw_misuse("SolverDescription::", member, " is ", value, ", but ", form.name, " does not have it: leave it out");
    };
    detail::check_size(description.m, "SolverDescription::m");
    if (description.n != 0) detail::check_size(description.n, "SolverDescription::n");
    detail::check_size(description.right_hand_sides, "SolverDescription::right_hand_sides");
    detail::check_size(description.batches_per_block, "SolverDescription::batches_per_block");
    if (!form.has_columns && columns_of(description) != description.m) {
        throw_misuse("SolverDescription::n is ", description.n, ", but the matrix of ", form.name, " is square, and m is ",
                     description.m);
    }
    if (!form.has_b && description.right_hand_sides != 1) {
        refuse("right_hand_sides", std::to_string(description.right_hand_sides));
    }
    if (!form.has_triangle && description.triangle != Triangle::lower) refuse("triangle", "upper");
    if (!form.has_transpose && description.transpose != Transpose::none) refuse("transpose", "set");
    if (description.is_unit && form.function != CUSOLVERDX_FUNCTION_TRSM) refuse("is_unit", "true");
    if (description.precision != Precision::f32 && description.precision != Precision::f64) {
        throw_misuse("SolverDescription::precision is ", to_string(description.precision), ", but must be f32 or f64");
    }
    if (description.block_size > 1024) {
        throw_misuse("SolverDescription::block_size is ", description.block_size, ", but a block has at most 1024 threads");
    }
}

std::string default_symbol(const SolverDescription& description, const SolverForm& form) {
    std::string symbol = concat(form.name, "_", description.m);
    if (form.has_columns) symbol += concat("x", columns_of(description));
    if (form.has_b) symbol += concat("x", description.right_hand_sides);
    if (description.precision == Precision::f64) symbol += "_f64";
    if (description.domain == Domain::complex) symbol += "_complex";
    if (description.arrangement == Arrangement::row_major) symbol += "_row_major";
    if (description.triangle == Triangle::upper) symbol += "_upper";
    if (description.transpose == Transpose::transposed) symbol += "_transposed";
    if (description.transpose == Transpose::conjugated) symbol += "_conjugated";
    if (description.is_unit) symbol += "_unit";
    return symbol;
}

detail::Request request_of(const SolverDescription& description, const SolverForm& form) {
    detail::Request request;
    request.arch = detail::architecture_of(description.arch, "SolverDescription");
    request.symbol = description.symbol.empty() ? default_symbol(description, form) : description.symbol;
    detail::check_symbol(request.symbol, "SolverDescription");
    request.description = concat("solver ", form.name, ": ", description.m, " x ", columns_of(description), ", ",
                                 description.right_hand_sides, " right-hand sides, ", to_string(description.precision),
                                 description.domain == Domain::complex ? ", complex" : "", ", ", description.batches_per_block,
                                 " per block, ", description.block_size, " threads (0: automatic), ", request.arch);
    const auto number = [](std::size_t value) { return static_cast<long long>(value); };
    const bool is_triangular = form.function == CUSOLVERDX_FUNCTION_TRSM;
    std::vector<long long> sizes{number(description.m), number(columns_of(description))};
    if (form.has_b && is_triangular) sizes.back() = number(description.right_hand_sides);
    if (form.has_b && !is_triangular) sizes.push_back(number(description.right_hand_sides));
    request.set_array(CUSOLVERDX_OPERATOR_SIZE, std::move(sizes));
    request.set(CUSOLVERDX_OPERATOR_TYPE, description.domain == Domain::complex ? CUSOLVERDX_TYPE_COMPLEX : CUSOLVERDX_TYPE_REAL);
    request.set(CUSOLVERDX_OPERATOR_PRECISION,
                description.precision == Precision::f64 ? COMMONDX_PRECISION_F64 : COMMONDX_PRECISION_F32);
    request.set(CUSOLVERDX_OPERATOR_SM, detail::number_of(request.arch));
    request.set(CUSOLVERDX_OPERATOR_EXECUTION, COMMONDX_EXECUTION_BLOCK);
    request.set(CUSOLVERDX_OPERATOR_API, CUSOLVERDX_API_SMEM);
    request.set(CUSOLVERDX_OPERATOR_FUNCTION, form.function);
    const long long arrangement =
        description.arrangement == Arrangement::row_major ? CUSOLVERDX_ARRANGEMENT_ROW_MAJOR : CUSOLVERDX_ARRANGEMENT_COL_MAJOR;
    request.set_array(CUSOLVERDX_OPERATOR_ARRANGEMENT, std::vector<long long>(form.has_b ? 2 : 1, arrangement));
    if (form.has_triangle) {
        request.set(CUSOLVERDX_OPERATOR_FILL_MODE,
                    description.triangle == Triangle::upper ? CUSOLVERDX_FILL_MODE_UPPER : CUSOLVERDX_FILL_MODE_LOWER);
    }
    if (is_triangular) {
        request.set(CUSOLVERDX_OPERATOR_SIDE, CUSOLVERDX_SIDE_LEFT);
        request.set(CUSOLVERDX_OPERATOR_DIAG, description.is_unit ? CUSOLVERDX_DIAG_UNIT : CUSOLVERDX_DIAG_NON_UNIT);
    }
    if (form.has_transpose) {
        request.set(CUSOLVERDX_OPERATOR_TRANSPOSE_MODE,
                    description.transpose == Transpose::none         ? CUSOLVERDX_TRANSPOSE_MODE_NON_TRANSPOSED
                    : description.transpose == Transpose::transposed ? CUSOLVERDX_TRANSPOSE_MODE_TRANSPOSED
                                                                     : CUSOLVERDX_TRANSPOSE_MODE_CONJ_TRANSPOSED);
    }
    request.set(CUSOLVERDX_OPERATOR_BATCHES_PER_BLOCK, description.batches_per_block);
    if (description.block_size != 0) request.set_array(CUSOLVERDX_OPERATOR_BLOCK_DIM, {description.block_size, 1, 1});
    return request;
}

detail::Answers ask_solver(const detail::Descriptor& descriptor) {
    detail::Answers answers;
    answers.add(descriptor.traits(CUSOLVERDX_TRAIT_BLOCK_DIM));
    answers.add(descriptor.trait(CUSOLVERDX_TRAIT_WORKSPACE_SIZE));
    answers.add(descriptor.trait(CUSOLVERDX_TRAIT_SUGGESTED_BATCHES_PER_BLOCK));
    answers.add(descriptor.traits(CUSOLVERDX_TRAIT_SUGGESTED_BLOCK_DIM));
    return answers;
}

SolverTraits traits_of(const SolverDescription& description, const detail::Answers& answers) {
    const SolverForm& form = form_of(description);
    const std::size_t columns = columns_of(description);
    const std::size_t b_size = form.has_b ? std::max(description.m, columns) * description.right_hand_sides : 0;
    const std::size_t a_bytes =
        description.m * columns * description.batches_per_block * detail::element_size(description.precision, description.domain);
    return {.a_size = static_cast<unsigned int>(description.m * columns),
            .b_size = static_cast<unsigned int>(b_size),
            .b_offset = static_cast<unsigned int>((a_bytes + 15) / 16 * 16),
            .batches_per_block = description.batches_per_block,
            .workspace_size = answers.number(3),
            .suggested_batches_per_block = answers.number(4),
            .suggested_block_size = answers.number(5) * answers.number(6) * answers.number(7)};
}

std::shared_ptr<detail::FunctionState> solver_state(const SolverDescription& description, ProgramCache* cache) {
    const SolverForm& form = form_of(description);
    check(description, form);
    auto state = std::make_shared<detail::FunctionState>(detail::solver_family, request_of(description, form), cache, ask_solver);
    const detail::Answers& answers = state->answers();
    const SolverTraits traits = traits_of(description, answers);
    state->block = {answers.number(0), answers.number(1), answers.number(2)};
    const std::size_t b_bytes =
        std::size_t{traits.b_size} * traits.batches_per_block * detail::element_size(description.precision, description.domain);
    state->shared_memory_size = traits.b_offset + (b_bytes + 15) / 16 * 16 + traits.workspace_size;
    const std::string& symbol = state->request().symbol;
    std::string parameters;
    for (const char letter : std::string(form.parameters)) {
        if (letter == 'T') {
            parameters += detail::type_name(description.precision, description.domain);
        } else {
            parameters += letter;
        }
    }
    state->declaration = detail::traits_declaration(symbol, {{"m", description.m},
                                                             {"n", columns_of(description)},
                                                             {"right_hand_sides", description.right_hand_sides},
                                                             {"a_size", traits.a_size},
                                                             {"b_size", traits.b_size},
                                                             {"b_offset", traits.b_offset},
                                                             {"batches_per_block", traits.batches_per_block},
                                                             {"shared_memory_size", state->shared_memory_size}}) +
                         detail::function_declaration(symbol, parameters);
    return state;
}

}  // namespace

Solver::Solver(const SolverDescription& description, ProgramCache* cache)
    : Function(solver_state(description, cache)), traits_(traits_of(description, state().answers())) {}

}  // namespace CUBIND_NAMESPACE::math::device
