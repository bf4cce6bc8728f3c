// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/operations/kernel.hpp"

#include "machine/check.hpp"
#include "machine/function_check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// Makes a context current for a scope. If it is null, the current context stays.
class ScopedContext {
public:
    explicit ScopedContext(std::shared_ptr<Context> context) : is_pushed_(context != nullptr) {
        if (is_pushed_) context_stack().push_back(std::move(context));
    }
    ~ScopedContext() {
        if (is_pushed_) context_stack().pop_back();
    }
    ScopedContext(const ScopedContext&) = delete;
    ScopedContext& operator=(const ScopedContext&) = delete;

private:
    const bool is_pushed_;
};

}  // namespace

KernelOperation::KernelOperation(LaunchRequest request) {
    auto result = std::make_shared<Launch>(Launch{std::move(request), {}});
    // The API returns the arguments as pointers to mutable memory.
    std::byte* const bytes = result->request.launch.arguments.data();
    for (const auto& place : result->request.function->kernel.parameters) result->arguments.push_back(bytes + place.offset);
    launch = std::move(result);
}

CUresult KernelOperation::make(const CUDA_KERNEL_NODE_PARAMS_v3& requested, std::vector<CUlaunchAttribute> attributes,
                               KernelOperation& operation) {
    std::shared_ptr<Context> context;
    if (requested.func == nullptr && requested.ctx != nullptr) {
        context = machine().contexts.find(requested.ctx);
        if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
    }
    const ScopedContext scoped_context(std::move(context));
    const CUlaunchConfig config{requested.gridDimX,       requested.gridDimY,
                                requested.gridDimZ,       requested.blockDimX,
                                requested.blockDimY,      requested.blockDimZ,
                                requested.sharedMemBytes, nullptr,
                                attributes.data(),        static_cast<unsigned>(attributes.size())};
    const CUfunction function = requested.func != nullptr ? requested.func : reinterpret_cast<CUfunction>(requested.kern);
    LaunchRequest request;
    if (const CUresult status =
            make_launch(FunctionCheck(function, true), config, requested.kernelParams, requested.extra, request))
        return status;
    operation = KernelOperation(std::move(request));
    return CUDA_SUCCESS;
}

CUresult KernelOperation::plan(Plan& plan) const {
    plan.steps.push_back([launch = launch] { run_launch(launch->request); });
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
