// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "work/kernel/launch.hpp"
#include "work/plan.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A launch of a kernel.
struct KernelOperation {
    static constexpr driver::CUgraphNodeType type = driver::CU_GRAPH_NODE_TYPE_KERNEL;

    KernelOperation() = default;
    explicit KernelOperation(LaunchRequest request);

    driver::CUresult check() const noexcept {
        return launch != nullptr ? driver::CUDA_SUCCESS : driver::CUDA_ERROR_INVALID_VALUE;
    }
    driver::CUresult plan(Plan& plan) const;
    /// Returns whether an executable graph can replace this operation by `next`: the context must be the same, the kernel may
    /// differ.
    bool can_update_to(const KernelOperation& next) const noexcept;
    /// Returns the parameters. Arrays in them are valid as long as this operation exists.
    driver::CUDA_KERNEL_NODE_PARAMS_v3 parameters() const;
    const std::vector<driver::CUlaunchAttribute>& attributes() const noexcept { return launch->request.attributes; }

    /// Immutable, so that copies of a node and launches in progress can share it.
    struct Launch {
        LaunchRequest request;
        std::vector<void*> arguments;  ///< address of each argument in the request
    };
    std::shared_ptr<const Launch> launch;
};

}  // namespace CUBIND_NAMESPACE::sim
