// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "objects/context/context.hpp"
#include "objects/virtual/external_semaphore.hpp"
#include "support/registry.hpp"
#include "work/plan.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Signals of external semaphores, or waits for them, which a stream or a node of a graph performs one after the other.
/// `NodeParameters` are CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2 or CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2.
template <class NodeParameters>
struct SemaphoreOperations {
    static constexpr bool is_signal = std::is_same_v<NodeParameters, driver::CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2>;
    static constexpr driver::CUgraphNodeType type =
        is_signal ? driver::CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL : driver::CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;

    using Parameters =
        std::conditional_t<is_signal, driver::CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, driver::CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS>;

    /// Creates the operations that the parameters describe. Returns CUDA_ERROR_INVALID_HANDLE for an unknown semaphore, and
    /// CUDA_ERROR_INVALID_VALUE for other invalid parameters.
    static driver::CUresult make(const NodeParameters& parameters,
                                 const Registry<driver::CUexternalSemaphore, ExternalSemaphore>& registry,
                                 SemaphoreOperations& operations) {
        if (parameters.extSemArray == nullptr || parameters.paramsArray == nullptr || parameters.numExtSems == 0)
            return driver::CUDA_ERROR_INVALID_VALUE;
        SemaphoreOperations result;
        result.handles.assign(parameters.extSemArray, parameters.extSemArray + parameters.numExtSems);
        result.requested.assign(parameters.paramsArray, parameters.paramsArray + parameters.numExtSems);
        result.context = parameters.ctx;
        for (const driver::CUexternalSemaphore each : result.handles) {
            if (result.semaphores.emplace_back(registry.find(each)) == nullptr) return driver::CUDA_ERROR_INVALID_HANDLE;
        }
        if (std::ranges::any_of(result.requested, [](const Parameters& each) { return each.flags != 0; }))
            return driver::CUDA_ERROR_INVALID_VALUE;
        operations = std::move(result);
        return driver::CUDA_SUCCESS;
    }

    driver::CUresult check() const noexcept {
        return semaphores.empty() ? driver::CUDA_ERROR_INVALID_VALUE : driver::CUDA_SUCCESS;
    }
    driver::CUresult plan(Plan& plan) const {
        plan.steps.push_back(work(plan.context));
        return driver::CUDA_SUCCESS;
    }
    /// Returns whether an executable graph can replace the operations: their number must remain.
    bool can_update_to(const SemaphoreOperations& next) const noexcept { return semaphores.size() == next.semaphores.size(); }
    /// Returns the parameters of a node. The arrays in them are valid as long as this object exists.
    NodeParameters parameters() const noexcept {
        NodeParameters parameters{};
        parameters.extSemArray = const_cast<driver::CUexternalSemaphore*>(handles.data());
        parameters.paramsArray = requested.data();
        parameters.numExtSems = static_cast<unsigned>(handles.size());
        parameters.ctx = context;
        return parameters;
    }

    /// Creates the work, which retains the semaphores. A wait ends when the semaphore has the value, or when `in_context` is
    /// destroyed.
    WorkQueue::Work work(std::shared_ptr<const Context> in_context) const {
        return [semaphores = semaphores, requested = requested, context = std::move(in_context)] {
            for (std::size_t i = 0; i < semaphores.size(); ++i) perform(*semaphores[i], requested[i], *context);
        };
    }

    std::vector<driver::CUexternalSemaphore> handles;
    std::vector<Parameters> requested;
    std::vector<std::shared_ptr<ExternalSemaphore>> semaphores;
    driver::CUcontext context = nullptr;

private:
    static void perform(const ExternalSemaphore& semaphore, const Parameters& parameters, const Context& context) {
        const std::uint64_t value = parameters.params.fence.value;
        if constexpr (is_signal) {
            semaphore.signal(value);
        } else {
            // Another process may signal, which notifies no one, so the value is polled.
            constexpr std::chrono::microseconds pause{20};
            while (!semaphore.try_wait(value) && context.is_alive()) std::this_thread::sleep_for(pause);
        }
    }
};

using SemaphoreSignals = SemaphoreOperations<driver::CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2>;
using SemaphoreWaits = SemaphoreOperations<driver::CUDA_EXT_SEM_WAIT_NODE_PARAMS_v2>;

}  // namespace CUBIND_NAMESPACE::sim
