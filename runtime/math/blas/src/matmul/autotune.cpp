// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/driver/memory.hpp>
#include <cubind/error.hpp>
#include <cubind/math/matmul.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "matmul/matmul_state.hpp"
#include "plan/held_stream.hpp"

namespace CUBIND_NAMESPACE::math {
namespace {

using namespace detail;

/// Returns where a matrix without gaps before its first element ends, in bytes.
std::size_t bytes_of(const Operand& operand) {
    std::int64_t last = 0;
    for (std::size_t i = 0; i < operand.rank(); ++i) last += (operand.extent(i) - 1) * operand.strides()[i];
    return static_cast<std::size_t>(last + 1) * operand.dtype().size();
}

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
    if (options.rounds < 1 || options.calls < 1)
        throw_misuse("Matmul::autotune: ", options.rounds, " rounds of ", options.calls, " calls, but both must be at least 1");
    if (is_captured(stream)) throw_misuse("Matmul::autotune: the stream is captured into a graph, in which nothing can be timed");
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
    const TuningMemory memory = tuning_memory(state, stream, size, is_in_place ? bytes_of(d) : 0);
    if (is_in_place) {
        const auto address = [](void* data) { return reinterpret_cast<driver::CUdeviceptr>(data); };
        check(driver::cuMemcpyAsync(address(memory.copy), address(result), bytes_of(d), call.stream()));
        c = result = memory.copy;
    }
    const auto submit = [&](const auto& each) {
        state.submit(handle.get(), each.algo, operands, c, result, arguments, memory.workspace, each.workspaceSize,
                     call.stream());
    };
    const auto time_one = [&](const auto& each, const Event& start, const Event& stop) {
        stream.record(start);
        for (int i = 0; i < options.calls; ++i) submit(each);
        stream.record(stop);
    };
    std::vector<std::pair<Event, Event>> events;
    for (const auto& each : found) {
        events.emplace_back(stream.record({.timing_enabled = true}), stream.record({.timing_enabled = true}));
        submit(each);  // loads the kernels
    }
    // Returns the median time of a call of each of these algorithms, whose rounds alternate.
    const auto times_of = [&](const std::vector<std::size_t>& indices) {
        std::vector<std::vector<Milliseconds>> times(indices.size());
        for (int round = 0; round < options.rounds; ++round) {
            HeldStream held(stream);
            for (const std::size_t i : indices) time_one(found[i], events[i].first, events[i].second);
            held.release();
            events[indices.back()].second.synchronize();
            for (std::size_t i = 0; i < indices.size(); ++i)
                times[i].push_back(events[indices[i]].second - events[indices[i]].first);
        }
        std::vector<Milliseconds> medians;
        for (auto& each : times) {
            const auto middle = each.begin() + options.rounds / 2;
            std::nth_element(each.begin(), middle, each.end());
            medians.push_back(*middle / static_cast<float>(options.calls));
        }
        return medians;
    };
    std::vector<std::size_t> order(found.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::vector<Milliseconds> medians = times_of(order);
    std::stable_sort(order.begin() + 1, order.end(),
                     [&](std::size_t left, std::size_t right) { return medians[left] < medians[right]; });
    // A difference of less than 1 % can be noise, so that the library's choice remains. The lowest of many times is low by
    // chance, too, so that the two algorithms are timed again.
    const auto is_faster = [](Milliseconds time, Milliseconds other) { return time < 0.99f * other; };
    if (order.size() > 1 && is_faster(medians[order[1]], medians[0])) {
        const std::vector<Milliseconds> again = times_of({0, order[1]});
        if (is_faster(again[1], again[0])) {
            std::stable_sort(order.begin(), order.end(),
                             [&](std::size_t left, std::size_t right) { return medians[left] < medians[right]; });
        }
    }
    for (const std::size_t i : order)
        timed.push_back({AlgorithmAccess::make(found[i], state.problem.text, state.version), medians[i]});
    MatmulAlgorithm fastest = timed.front().algorithm;
    state.native_algorithm = AlgorithmAccess::native(fastest);
    state.algorithm = std::move(fastest);
    return timed;
}

}  // namespace CUBIND_NAMESPACE::math
