// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/plan.hpp"
#include "kernel/launch.hpp"

namespace cubind::sim {

/// A launch of a kernel.
struct KernelOperation {
    static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_KERNEL;

    KernelOperation() = default;
    explicit KernelOperation(LaunchRequest request);

    /// Checks a launch that parameters describe, with these attributes.
    static CUresult make(const CUDA_KERNEL_NODE_PARAMS_v3& wanted, std::vector<CUlaunchAttribute> attributes,
                         KernelOperation& operation);

    CUresult check() const noexcept { return launch != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
    CUresult plan(Plan& plan) const;
    /// Another kernel is fine, but in the same context.
    bool may_become(const KernelOperation& next) const noexcept;
    /// The arrays in it live as long as this does.
    CUDA_KERNEL_NODE_PARAMS_v3 parameters() const;
    const std::vector<CUlaunchAttribute>& attributes() const noexcept { return launch->request.attributes; }

    /// Never changes, so that copies of a node and launches under way share it.
    struct Launch {
        LaunchRequest request;
        std::vector<void*> arguments;  ///< where each lies
    };
    std::shared_ptr<const Launch> launch;
};

}  // namespace cubind::sim
