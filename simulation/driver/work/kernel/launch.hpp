// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/kernel_body.hpp>
#include <cubind/sim/options.hpp>

#include <memory>
#include <vector>

#include "objects/module/code_registry.hpp"
#include "objects/module/function.hpp"
#include "objects/texture/kernel_textures.hpp"
#include "objects/virtual/kernel_heaps.hpp"
#include "work/graph_run.hpp"
#include "work/kernel/bodies.hpp"
#include "work/kernel/launch_log.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The state of the machine that launches depend on.
struct LaunchServices {
    int release;
    const KernelBodies& bodies;
    LaunchLog& log;
    const Options& options;
    KernelHeaps& heaps;
    const KernelObjects& objects;
    const CodeRegistry& code;
    const Devices& devices;
    bool (*set_condition)(driver::CUgraphConditionalHandle handle,
                          unsigned value);  ///< returns false if the condition does not exist
    /// Writes the steps of a graph for a launch by a kernel. Returns false if kernels cannot launch the graph.
    ptx::DeviceError (*plan_graph)(driver::CUgraphExec graph, const std::shared_ptr<const Context>& context, GraphSteps& steps);
};

/// A checked launch. It owns all that it needs, so that it may run later, repeatedly and on any thread.
struct LaunchRequest {
    const LaunchServices* services = nullptr;
    std::shared_ptr<Function> function;
    std::shared_ptr<const detail::Body> body;  ///< null if the kernel has no body
    std::vector<driver::CUlaunchAttribute> attributes;
    Launch launch;
    bool is_cooperative = false;
    bool has_cluster = false;  ///< whether the launch or the kernel requests a cluster, which may have one block
};

/// Returns CUDA_ERROR_INVALID_VALUE if the grid, the blocks or their shared memory exceed the limits of the device or the kernel.
driver::CUresult check_shape(const KernelView& view, const driver::CUlaunchConfig& config);

/// Checks a launch and copies its arguments from `parameters` or `extra`. The stream is stored, but not checked.
driver::CUresult make_launch(const LaunchServices& services, const std::shared_ptr<Function>& function,
                             const driver::CUlaunchConfig& config, void** parameters, void** extra, LaunchRequest& request);

/// Runs the launch on the calling thread and records it. An error becomes the fault of the device. Does nothing if the
/// device has a fault, or if the context has ended and the time of its kernels is over.
void run_launch(const LaunchRequest& request);

}  // namespace CUBIND_NAMESPACE::sim
