// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/math/matmul.hpp>

#include <mutex>
#include <string>
#include <utility>

#include "matmul/matmul_state.hpp"

namespace CUBIND_NAMESPACE::math {
namespace {

using namespace detail;

MatmulState& state_with_algorithm(const std::unique_ptr<MatmulState>& state, const char* function) {
    MatmulState& found = MatmulState::of(state);
    if (found.problem.is_empty)
        throw_misuse("Matmul::", function, ": d is empty, so that there is no algorithm: ", found.problem.text);
    return found;
}

template <std::size_t... index>
void retain_all(StreamRef stream, const MatmulOperands& operands, std::index_sequence<index...>) {
    retain_for_capture(stream, {operands.all[index]...});
}

}  // namespace

Matmul::Matmul(StreamRef stream, const Operand& a, const Operand& b, const Output& d, const MatmulOptions& options)
    : Matmul(stream, a, b, d, MatmulArguments(), options) {}

Matmul::Matmul(StreamRef stream, const Operand& a, const Operand& b, const Output& d, const MatmulArguments& arguments,
               const MatmulOptions& options)
    : state_(std::make_unique<MatmulState>("matmul", stream, MatmulOperands(a, b, d, arguments), options)) {}

Matmul::Matmul(Matmul&& other) noexcept = default;
Matmul& Matmul::operator=(Matmul&& other) noexcept = default;
Matmul::~Matmul() = default;

void Matmul::operator()(StreamRef stream, const Operand& a, const Operand& b, const Output& d, const MatmulArguments& arguments) {
    MatmulState& state = MatmulState::of(state_);
    const MatmulOperands operands(a, b, d, arguments);
    state.check("matmul", operands);
    if (state.problem.is_empty) return;
    const void* const c = state.addend("matmul", operands, arguments);
    const PlanCall call("matmul", state, stream);
    retain_all(stream, operands, std::make_index_sequence<MatmulOperands::count>());
    state.set_addresses(operands);
    const LtHandle handle(call.context(), nullptr);
    const std::size_t size = state.algorithm->workspace_size();
    const Workspace::Use memory = state.workspace.use(stream, size);
    state.submit(handle.get(), state.native_algorithm, operands, c, d.data(), arguments, memory.data(), size, call.stream());
}

std::vector<MatmulAlgorithm> Matmul::heuristics(int limit) const {
    MatmulState& state = MatmulState::of(state_);
    std::vector<MatmulAlgorithm> algorithms;
    if (state.problem.is_empty) return algorithms;
    const std::lock_guard lock(state.mutex);
    const ScopedContext scope(state.context);
    const LtHandle handle(state.context.native_handle(), nullptr);
    for (const auto& each : state.find(handle.get(), limit))
        algorithms.push_back(AlgorithmAccess::make(each, state.problem.text, state.version));
    return algorithms;
}

MatmulAlgorithm Matmul::algorithm() const {
    MatmulState& state = state_with_algorithm(state_, "algorithm");
    const std::lock_guard lock(state.mutex);
    return *state.algorithm;
}

void Matmul::use(const MatmulAlgorithm& algorithm) {
    MatmulState& state = state_with_algorithm(state_, "use");
    if (algorithm.library_version() != state.version) {
        throw_misuse("Matmul::use: the algorithm is of version ", algorithm.library_version(),
                     " of cuBLASLt, but this process has ", state.version, ": call autotune() and store the result again");
    }
    if (algorithm.problem() != state.problem.text) {
        throw_misuse("Matmul::use: the algorithm is for another problem than the plan. Algorithm: ", algorithm.problem(),
                     ". Plan: ", state.problem.text);
    }
    const std::lock_guard lock(state.mutex);
    const ScopedContext scope(state.context);
    const LtHandle handle(state.context.native_handle(), nullptr);
    const auto native = AlgorithmAccess::native(algorithm);
    const auto result = checked(cublaslt::cublasLtMatmulAlgoCheck(handle.get(), state.operation.get(), state.a.get(),
                                                                  state.b.get(), state.c.get(), state.d.get(), &native),
                                [&] { return state.describe_problem(); });
    if (result.workspaceSize > state.workspace_limit) {
        throw_misuse("Matmul::use: the algorithm needs a workspace of ", result.workspaceSize, " bytes, but the plan may have ",
                     state.workspace_limit, ": raise PlanOptions::workspace_limit");
    }
    auto checked_algorithm =
        AlgorithmAccess::make({native, result.workspaceSize, {}, result.wavesCount, {}}, state.problem.text, state.version);
    state.algorithm = std::move(checked_algorithm);
    state.native_algorithm = native;
}

void matmul(StreamRef stream, const Operand& a, const Operand& b, const Output& d, const MatmulOptions& options) {
    matmul(stream, a, b, d, MatmulArguments(), options);
}

void matmul(StreamRef stream, const Operand& a, const Operand& b, const Output& d, const MatmulArguments& arguments,
            const MatmulOptions& options) {
    Matmul(stream, a, b, d, arguments, options)(stream, a, b, d, arguments);
}

}  // namespace CUBIND_NAMESPACE::math
