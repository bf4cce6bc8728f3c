// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/graph/graph_position.hpp>
#include <cubind/core/launch/detail/kernel_call.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/result.hpp>

#include <memory>
#include <span>
#include <string>

#include "graph/node_records.hpp"
#include "launch/native_launch.hpp"

namespace CUBIND_NAMESPACE::detail {

/// The checked parameters of a kernel node in the driver's form. It exists only during a call.
class KernelNodeParameters {
public:
    /// Compares the arguments with the kernel's parameters, raises the kernel's limit on dynamic shared memory if necessary, and
    /// throws std::invalid_argument for attributes that no node can have.
    KernelNodeParameters(ContextRef context, const KernelCall& call);

    /// Returns the record of the node. May be called once.
    NodeRecord take_record();

    const driver::CUDA_KERNEL_NODE_PARAMS& native() const noexcept { return params_; }
    bool has_attributes() const noexcept { return !attributes().empty(); }

    /// Adds a node without attributes (cuGraphAddKernelNode, cuGraphAddNode). The context must be current.
    driver::CUgraphNode add(const GraphPlace& place) const;
    /// Sets all attributes (cuGraphKernelNodeSetAttribute). Throws Error, which explains what the driver rejected.
    void set_attributes(driver::CUgraphNode node) const;

    /// Throws the error of a call that failed, with an explanation.
    [[noreturn]] void throw_failure(Result<driver::CUresult> failed, const std::string& if_unknown = {}) const;

private:
    std::span<const driver::CUlaunchAttribute> attributes() const noexcept;
    driver::CUgraphNode add_after_programmatic_edges(const GraphPlace& place) const;

    ContextRef context_;
    LaunchConfig config_;
    std::shared_ptr<KernelState> kernel_;
    NodeObjects& objects_;
    NativeLaunch launch_;
    driver::CUDA_KERNEL_NODE_PARAMS params_;
};

/// Throws std::invalid_argument if the configs differ in more than the shape of the launch.
void check_same_attributes(const LaunchConfig& before, LaunchConfig next);

}  // namespace CUBIND_NAMESPACE::detail
