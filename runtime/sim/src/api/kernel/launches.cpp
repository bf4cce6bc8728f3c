// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "capture/capture.hpp"
#include "kernel/launch_attributes.hpp"
#include "machine/function_check.hpp"
#include "machine/stream_check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Events of a launch complete when the launch has ended, which is never too early.
CUresult record_events(const LaunchRequest& request, CUstream stream) {
    for (const CUlaunchAttribute& attribute : request.attributes) {
        const CUevent* const event = event_of(attribute);
        if (event == nullptr) continue;
        if (const CUresult status = sim_cuEventRecord(*event, stream)) return status;
    }
    return CUDA_SUCCESS;
}

CUresult launch(CUfunction function, const CUlaunchConfig& config, void** parameters, void** extra) {
    const StreamCheck stream(config.hStream);
    if (stream.failed()) return stream.status;
    LaunchRequest request;
    // The function is looked up in the stream's context, which need not be current.
    const FunctionCheck function_check(function, stream->context);
    if (const CUresult status = make_launch(function_check, config, parameters, extra, request)) return status;
    if (request.function->context.get() != stream->context.get()) return CUDA_ERROR_INVALID_HANDLE;
    for (const CUlaunchAttribute& attribute : request.attributes) {
        const CUevent* const event = event_of(attribute);
        if (event != nullptr && machine().events.find(*event) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    }
    if (stream.is_captured()) {
        if (const CUresult status = capture(stream, KernelOperation(request))) return status;
    } else {
        // Only kernel nodes of graphs can be updated by a device.
        if (find_attribute(config, CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE) != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
        if (const CUresult status = stream.submit([=] { run_launch(request); })) return status;
    }
    return record_events(request, config.hStream);
}

}  // namespace

extern "C" {

CUresult sim_cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                            unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes,
                            CUstream hStream, void** kernelParams, void** extra) {
    const CUlaunchConfig config{gridDimX,  gridDimY,       gridDimZ, blockDimX, blockDimY,
                                blockDimZ, sharedMemBytes, hStream,  nullptr,   0};
    return launch(f, config, kernelParams, extra);
}

CUresult sim_cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** kernelParams, void** extra) {
    if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return launch(f, *config, kernelParams, extra);
}

CUresult sim_cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                                       unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                                       unsigned int sharedMemBytes, CUstream hStream, void** kernelParams) {
    CUlaunchAttribute cooperative{};
    cooperative.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
    cooperative.value.cooperative = 1;
    const CUlaunchConfig config{gridDimX,  gridDimY,       gridDimZ, blockDimX,    blockDimY,
                                blockDimZ, sharedMemBytes, hStream,  &cooperative, 1};
    return launch(f, config, kernelParams, nullptr);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
