// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "work/plan.hpp"

namespace CUBIND_NAMESPACE::sim {

/// An operation without effect, except for its edges.
struct EmptyOperation {
    static constexpr driver::CUgraphNodeType type = driver::CU_GRAPH_NODE_TYPE_EMPTY;

    driver::CUresult check() const noexcept { return driver::CUDA_SUCCESS; }
    driver::CUresult plan(Plan&) const noexcept { return driver::CUDA_SUCCESS; }
    bool can_update_to(const EmptyOperation&) const noexcept { return true; }
};

/// A call of a host function. After a fault of the device, the function is not called.
struct HostOperation {
    static constexpr driver::CUgraphNodeType type = driver::CU_GRAPH_NODE_TYPE_HOST;

    driver::CUresult check() const noexcept {
        return call.fn != nullptr ? driver::CUDA_SUCCESS : driver::CUDA_ERROR_INVALID_VALUE;
    }
    WorkQueue::Work work(const Device& device) const {
        return [call = call, &device] {
            if (device.fault() == driver::CUDA_SUCCESS) WorkQueue::call_host_function([&] { call.fn(call.userData); });
        };
    }
    driver::CUresult plan(Plan& plan) const {
        plan.steps.push_back(work(plan.context->device));
        return driver::CUDA_SUCCESS;
    }
    bool can_update_to(const HostOperation&) const noexcept { return true; }

    driver::CUDA_HOST_NODE_PARAMS call;
};

}  // namespace CUBIND_NAMESPACE::sim
