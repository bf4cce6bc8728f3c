// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "strided/captured_copy.hpp"

#include <cubind/core/device/context.hpp>
#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/driver/graph.hpp>

#include <tuple>

#include "calls/driver.hpp"
#include "calls/graph_retention.hpp"
#include "launch/kernel_state.hpp"
#include "strided/copy_kernel.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

driver::CUgraphNode add_node(const CapturePosition& position, const CopyLaunch& launch, ContextRef context) {
    void* arguments[] = {const_cast<CopyArguments*>(&launch.arguments)};  // the driver only reads
    const LaunchConfig& config = launch.config;
    driver::CUgraphNodeParams params{};
    params.type = driver::CU_GRAPH_NODE_TYPE_KERNEL;
    params.kernel = {nullptr,
                     config.grid.x,
                     config.grid.y,
                     config.grid.z,
                     config.block.x,
                     config.block.y,
                     config.block.z,
                     0,
                     arguments,
                     nullptr,
                     KernelAccess::state(launch.kernel)->handle(),
                     context.native_handle()};
    if (position.edges != nullptr) {  // only drivers that have this function return edges
        return std::get<0>(
            check(driver::cuGraphAddNode_v2(position.graph, position.nodes, position.edges, position.count, params)));
    }
    const auto& k = params.kernel;
    const driver::CUDA_KERNEL_NODE_PARAMS native{k.func,         k.gridDimX,  k.gridDimY,  k.gridDimZ,
                                                 k.blockDimX,    k.blockDimY, k.blockDimZ, k.sharedMemBytes,
                                                 k.kernelParams, k.extra,     k.kern,      k.ctx};
    return check(driver::cuGraphAddKernelNode_v2(position.graph, position.nodes, position.count, &native));
}

}  // namespace

void capture_copy_by_kernel(StreamRef stream, Device device, const CopyPlan& plan) {
    const CopyLaunch launch = copy_launch(plan);
    const ContextRef context = device.primary_context();
    const ScopedContext scope(context);
    const driver::CUstream handle = StreamAccess::handle(stream);
    continue_after(handle, add_node(position_of_capture(handle), launch, context));
}

}  // namespace CUBIND_NAMESPACE::detail
