// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/kernel/operation.hpp"

#include "work/graph_run.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

KernelOperation::KernelOperation(LaunchRequest request) {
    auto result = std::make_shared<Launch>(Launch{std::move(request), {}});
    // The API returns the arguments as pointers to mutable memory.
    std::byte* const bytes = result->request.launch.arguments.data();
    for (const auto& place : result->request.function->kernel.parameters) result->arguments.push_back(bytes + place.offset);
    launch = std::move(result);
}

CUresult KernelOperation::plan(Plan& plan) const {
    plan.steps.push_back([launch = launch] {
        run_launch(launch->request);
        if (GraphRun* const run = GraphRun::current()) run->run_children();
    });
    return CUDA_SUCCESS;
}

bool KernelOperation::can_update_to(const KernelOperation& next) const noexcept {
    return launch->request.function->context == next.launch->request.function->context;
}

CUDA_KERNEL_NODE_PARAMS_v3 KernelOperation::parameters() const {
    const sim::Launch& shape = launch->request.launch;
    const Function& function = *launch->request.function;
    return {.func = function.handle,
            .gridDimX = shape.grid.x,
            .gridDimY = shape.grid.y,
            .gridDimZ = shape.grid.z,
            .blockDimX = shape.block.x,
            .blockDimY = shape.block.y,
            .blockDimZ = shape.block.z,
            .sharedMemBytes = static_cast<unsigned>(shape.shared_bytes),
            .kernelParams = launch->arguments.empty() ? nullptr : const_cast<void**>(launch->arguments.data()),
            .extra = nullptr,
            .kern = nullptr,
            .ctx = function.context->handle};
}

}  // namespace CUBIND_NAMESPACE::sim
