// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "matmul/matmul_state.hpp"

#include <algorithm>
#include <utility>

#include "operand/native_type.hpp"

namespace CUBIND_NAMESPACE::math::detail {
namespace {

using namespace cublaslt;
using Slot = MatmulOperands::Slot;

// The alignment that kernels make use of for vectors and scales.
constexpr std::size_t small_alignment = 16;
constexpr std::size_t default_workspace_limit = std::size_t{32} << 20;

template <std::size_t... index>
void check_all(const char* operation, const Device& device, const MatmulOperands& operands, std::index_sequence<index...>) {
    check_operands(operation, device, {operands.all[index]...}, "c");
}

}  // namespace

MatmulState::MatmulState(const char* name, StreamRef stream, const MatmulOperands& operands, const MatmulOptions& chosen)
    : PlanState(stream.device(), chosen.plan),
      problem(problem_of(name, operands, chosen, device.arch())),
      workspace_limit(chosen.plan.workspace_limit.value_or(default_workspace_limit)) {
    check_all(name, device, operands, std::make_index_sequence<MatmulOperands::count>());
    for (std::size_t i = 0; i < MatmulOperands::count; ++i) {
        const bool is_matrix = i == Slot::a || i == Slot::b || i == Slot::c || i == Slot::d;
        if (const Operand* const each = operands[i]) {
            expected[i] = {each->dtype(), each->shape(), each->strides(),
                           planned_alignment(name, *each, is_matrix ? chosen.max_alignment : small_alignment)};
        }
    }
    if (problem.is_empty) return;
    const PlanCall call(name, *this, stream);
    const LtHandle handle(call.context(), nullptr);
    version = cublasLtGetVersion();
    describe_to_library();
    set_addresses(operands);
    const auto best = find(handle.get(), 1).front();
    algorithm = AlgorithmAccess::make(best, problem.text, version);
    native_algorithm = best.algo;
}

MatmulState& MatmulState::of(const std::unique_ptr<MatmulState>& plan) {
    if (plan == nullptr) throw_misuse("matmul: the plan was moved from: use the object to which it was moved");
    return *plan;
}

std::string MatmulState::describe_problem() const {
    return concat("The product is d = a @ b, where ", problem.text, "; the workspace may have ", workspace_limit, " bytes.",
                  problem.limits.empty() ? "" : " ", problem.limits);
}

void MatmulState::describe_to_library() {
    const auto what = [this] { return describe_problem(); };
    operation.reset(checked(cublasLtMatmulDescCreate(problem.compute, problem.scale), what));
    const auto set = [&](cublasLtMatmulDescAttributes_t attribute, const auto& value) {
        checked(cublasLtMatmulDescSetAttribute(operation.get(), attribute, &value, sizeof value), what);
    };
    set(CUBLASLT_MATMUL_DESC_TRANSA, problem.a.is_transposed ? cublas::CUBLAS_OP_T : cublas::CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_TRANSB, problem.b.is_transposed ? cublas::CUBLAS_OP_T : cublas::CUBLAS_OP_N);
    set(CUBLASLT_MATMUL_DESC_EPILOGUE, problem.epilogue);
    for (const MatmulProblem::Value& each :
         problem.values) {  // the first bytes of small numbers, as little-endian hosts have them
        checked(cublasLtMatmulDescSetAttribute(operation.get(), each.attribute, &each.value, each.size), what);
    }
    for (const auto& [layout, matrix] :
         {std::pair(&a, &problem.a), std::pair(&b, &problem.b), std::pair(&c, &problem.c), std::pair(&d, &problem.d)}) {
        layout->reset(checked(cublasLtMatrixLayoutCreate(matrix->type, static_cast<std::uint64_t>(matrix->rows),
                                                         static_cast<std::uint64_t>(matrix->columns), matrix->leading),
                              what));
        if (problem.batch == 1) continue;
        const auto count = static_cast<std::int32_t>(problem.batch);
        checked(cublasLtMatrixLayoutSetAttribute(layout->get(), CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count), what);
        checked(cublasLtMatrixLayoutSetAttribute(layout->get(), CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                                 &matrix->batch_stride, sizeof matrix->batch_stride),
                what);
    }
    preference.reset(checked(cublasLtMatmulPreferenceCreate(), what));
    const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
        checked(cublasLtMatmulPreferenceSetAttribute(preference.get(), attribute, &value, sizeof value), what);
    };
    prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{workspace_limit});
    const auto alignment = [&](Slot slot) {
        return static_cast<std::uint32_t>((expected[slot] ? expected[slot] : expected[Slot::d])->alignment);
    };
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment(problem.is_swapped ? Slot::b : Slot::a));
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment(problem.is_swapped ? Slot::a : Slot::b));
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment(Slot::c));
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment(Slot::d));
}

void MatmulState::set_addresses(const MatmulOperands& operands) {
    for (const MatmulProblem::Pointer& each : problem.pointers) {
        const void* const address = operands.data(each.slot);
        checked(cublasLtMatmulDescSetAttribute(operation.get(), each.attribute, &address, sizeof address),
                [this] { return describe_problem(); });
    }
}

void MatmulState::check(const char* name, const MatmulOperands& operands) const {
    for (std::size_t i = 0; i < MatmulOperands::count; ++i) {
        const auto& [what, operand, is_output] = operands.all[i];
        // A plan without c has described it like d.
        const bool is_like_d = i == Slot::c && !expected[i] && problem.c.type == problem.d.type;
        const std::optional<Expected>& as = expected[is_like_d ? std::size_t{Slot::d} : i];
        if (operand == nullptr) {
            if (as && i != Slot::c) throw_misuse(name, ": ", what, " is missing: the plan was made with one");
            continue;
        }
        if (!as) throw_misuse(name, ": ", describe(what, *operand), ", but the plan was made without: pass one at its creation");
        check_type(name, what, *operand, as->dtype);
        check_shape(name, what, *operand, as->shape);
        check_strides(name, what, *operand, as->strides);
        check_planned_alignment(name, what, *operand, as->alignment);
    }
    check_all(name, device, operands, std::make_index_sequence<MatmulOperands::count>());
}

std::vector<cublasLtMatmulHeuristicResult_t> MatmulState::find(cublasLtHandle_t handle, int limit) const {
    if (limit < 1) throw_misuse("matmul: ", limit, " algorithms were requested, but at least 1 is needed");
    const cubind::detail::RelaxedWhileCapturing mode;
    std::vector<cublasLtMatmulHeuristicResult_t> results(static_cast<std::size_t>(limit));
    const int count = checked(cublasLtMatmulAlgoGetHeuristic(handle, operation.get(), a.get(), b.get(), c.get(), d.get(),
                                                             preference.get(), limit, results.data()),
                              [this] { return describe_problem(); });
    results.resize(static_cast<std::size_t>(count));
    std::erase_if(results, [](const auto& each) { return each.state != CUBLAS_STATUS_SUCCESS; });
    if (results.empty()) throw_misuse("matmul: cuBLASLt knows no algorithm. ", describe_problem());
    return results;
}

const void* MatmulState::addend(const char* name, const MatmulOperands& operands, const MatmulArguments& arguments) const {
    if (operands[Slot::c] != nullptr) return operands.data(Slot::c);
    if (problem.c.type == problem.d.type) return operands.data(Slot::d);
    if (!arguments.beta.is_zero()) {
        throw_misuse(
            name,
            ": beta is not 0, but there is no c, and elements of d are too small to be added: pass a c of 16 bits, also when the "
            "plan is made");
    }
    return nullptr;
}

void MatmulState::submit(cublasLtHandle_t handle, const cublasLtMatmulAlgo_t& used, const MatmulOperands& operands,
                         const void* c_data, void* d_data, const MatmulArguments& arguments, void* memory,
                         std::size_t memory_size, driver::CUstream stream) const {
    const NativeScalar alpha("matmul", "alpha", arguments.alpha, problem.scale);
    const NativeScalar beta("matmul", "beta", arguments.beta, problem.scale);
    const cubind::detail::RelaxedWhileCapturing mode;  // the first use of a kernel loads it
    const void* const first = operands.data(problem.is_swapped ? Slot::b : Slot::a);
    const void* const second = operands.data(problem.is_swapped ? Slot::a : Slot::b);
    checked(cublasLtMatmul(handle, operation.get(), alpha.data(), first, a.get(), second, b.get(), beta.data(), c_data, c.get(),
                           d_data, d.get(), &used, memory, memory_size, stream),
            [this] { return describe_problem(); });
}

}  // namespace CUBIND_NAMESPACE::math::detail
