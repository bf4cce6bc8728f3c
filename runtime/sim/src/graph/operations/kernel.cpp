// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/operations/kernel.hpp"

#include "kernel/find.hpp"
#include "machine/check.hpp"

namespace cubind::sim {

namespace {

/// Makes a context current for a scope. If it is null, the current context stays.
class Within {
public:
    explicit Within(std::shared_ptr<Context> context) : is_pushed_(context != nullptr) {
        if (is_pushed_) context_stack().push_back(std::move(context));
    }
    ~Within() {
        if (is_pushed_) context_stack().pop_back();
    }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;

private:
    const bool is_pushed_;
};

}  // namespace

KernelOperation::KernelOperation(LaunchRequest request) {
    auto made = std::make_shared<Launch>(Launch{std::move(request), {}});
    // The API returns the arguments as pointers to mutable memory.
    std::byte* const bytes = made->request.launch.arguments.data();
    for (const auto& place : made->request.function->kernel.parameters) made->arguments.push_back(bytes + place.offset);
    launch = std::move(made);
}

CUresult KernelOperation::make(const CUDA_KERNEL_NODE_PARAMS_v3& wanted, std::vector<CUlaunchAttribute> attributes,
                               KernelOperation& operation) {
    std::shared_ptr<Context> context;
    if (wanted.func == nullptr && wanted.ctx != nullptr) {
        context = machine().contexts.find(wanted.ctx);
        if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    }
    const Within within(std::move(context));
    const CUlaunchConfig config{
        wanted.gridDimX,  wanted.gridDimY,       wanted.gridDimZ, wanted.blockDimX,  wanted.blockDimY,
        wanted.blockDimZ, wanted.sharedMemBytes, nullptr,         attributes.data(), static_cast<unsigned>(attributes.size())};
    const CUfunction function = wanted.func != nullptr ? wanted.func : reinterpret_cast<CUfunction>(wanted.kern);
    LaunchRequest request;
    if (const CUresult status = make_launch(FunctionCheck(function, true), config, wanted.kernelParams, wanted.extra, request)) return status;
    operation = KernelOperation(std::move(request));
    return CUDA_SUCCESS;
}

CUresult KernelOperation::plan(Plan& plan) const {
    plan.steps.push_back([launch = launch] { run_launch(launch->request); });
    return CUDA_SUCCESS;
}

bool KernelOperation::may_become(const KernelOperation& next) const noexcept {
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

}  // namespace cubind::sim
