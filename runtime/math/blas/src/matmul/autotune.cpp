// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/error.hpp>
#include <cubind/math/matmul.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "matmul/matmul_state.hpp"
#include "plan/tuning.hpp"

namespace CUBIND_NAMESPACE::math {
namespace {

using namespace detail;

/// Memory for the calls that are timed.
struct TuningMemory {
    Buffer workspace_buffer;
    Buffer copy_buffer;
    void* workspace = nullptr;
    void* copy = nullptr;  // of d, if calls add to it
};

TuningMemory tuning_memory(const MatmulState& state, StreamRef stream, std::size_t workspace_size, std::size_t copy_size) {
    try {
        TuningMemory memory;
        const auto allocate = [&](Buffer& buffer, void*& address, std::size_t size) {
            if (size == 0) return;
            buffer = state.workspace.allocate(stream, size);
            address = reinterpret_cast<void*>(buffer.native_handle());
        };
        allocate(memory.workspace_buffer, memory.workspace, workspace_size);
        allocate(memory.copy_buffer, memory.copy, copy_size);
        return memory;
    } catch (const OutOfMemory& error) {
        throw OutOfMemory(error, concat("Matmul::autotune needs ", workspace_size, " bytes for workspaces and ", copy_size,
                                        " for a copy of d. The plan is as before: free memory, or set a lower "
                                        "PlanOptions::workspace_limit."));
    }
}

}  // namespace

std::vector<TimedAlgorithm> Matmul::autotune(StreamRef stream, const Operand& a, const Operand& b, const Output& d,
                                             const MatmulArguments& arguments, const AutotuneOptions& options) {
    MatmulState& state = MatmulState::of(state_);
    const MatmulOperands operands(a, b, d, arguments);
    state.check("Matmul::autotune", operands);
    check_tuning("Matmul::autotune", stream, options);
    std::vector<TimedAlgorithm> timed;
    if (state.problem.is_empty) return timed;
    const void* c = state.addend("Matmul::autotune", operands, arguments);
    void* result = d.data();
    const PlanCall call("Matmul::autotune", state, stream);
    state.set_addresses(operands);
    const LtHandle handle(call.context(), nullptr);
    const auto found = state.find(handle.get(), options.candidates);
    std::size_t size = 0;
    for (const auto& each : found) size = std::max(size, each.workspaceSize);
    const bool is_in_place = !arguments.beta.is_zero() && c == result;
    const TuningMemory memory = tuning_memory(state, stream, size, is_in_place ? extent_bytes(d) : 0);
    if (is_in_place) {
        const auto address = [](void* data) { return reinterpret_cast<driver::CUdeviceptr>(data); };
        check(driver::cuMemcpyAsync(address(memory.copy), address(result), extent_bytes(d), call.stream()));
        c = result = memory.copy;
    }
    const auto submit = [&](const auto& each) {
        state.submit(handle.get(), each.algo, operands, c, result, arguments, memory.workspace, each.workspaceSize,
                     call.stream());
    };
    for (const auto& each : found) submit(each);  // loads the kernels
    const Ranking ranking = rank(stream, found.size(), options, [&](std::size_t i) { submit(found[i]); });
    for (const std::size_t i : ranking.order)
        timed.push_back({AlgorithmAccess::make(found[i], state.problem.text, state.version), ranking.times[i]});
    MatmulAlgorithm fastest = timed.front().algorithm;
    state.native_algorithm = AlgorithmAccess::native(fastest);
    state.algorithm = std::move(fastest);
    return timed;
}

}  // namespace CUBIND_NAMESPACE::math
