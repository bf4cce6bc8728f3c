// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/call.hpp"
#include "state/launch.hpp"
#include "state/registry.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

cudaError_t launch_host_function(const void* function, const LaunchShape& shape, void** arguments, bool is_cooperative) {
    Launchable launchable;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = find_launchable(function, launchable)) return status;
    return launch(launchable, shape, arguments, is_cooperative);
}

}  // namespace

extern "C" {

cudaError_t sim_cudaLaunchKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args, std::size_t sharedMem,
                                 cudaStream_t stream) {
    return launch_host_function(func, {gridDim, blockDim, sharedMem, stream}, args, false);
}

cudaError_t sim_cudaLaunchCooperativeKernel(const void* func, dim3 gridDim, dim3 blockDim, void** args, std::size_t sharedMem,
                                            cudaStream_t stream) {
    return launch_host_function(func, {gridDim, blockDim, sharedMem, stream}, args, true);
}

cudaError_t sim_cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* func, void** args) {
    Launchable launchable;
    if (config == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = find_launchable(func, launchable)) return status;
    const CUlaunchConfig converted = to_driver(*config);
    const CUresult status = cuLaunchKernelEx(&converted, launchable.handle, args, nullptr);
    return launch_status(status, launchable, config->gridDim, config->blockDim);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
