// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/function_check.hpp"
#include "machine/stream_check.hpp"
#include "machine/submit.hpp"
#include "work/kernel/launch_attributes.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Records the events of launch attributes after the launch. A GPU may complete them earlier.
CUresult record_events(const std::vector<CUevent>& events, CUstream stream) {
    for (const CUevent event : events) {
        if (const CUresult status = sim_cuEventRecord(event, stream)) return status;
    }
    return CUDA_SUCCESS;
}

CUresult launch(CUfunction handle, const CUlaunchConfig& config, void** parameters, void** extra) {
    const Valid<StreamCheck> stream(config.hStream);
    // The function is looked up in the stream's context, which need not be current.
    const Valid<FunctionCheck> function(handle, stream->context);
    LaunchRequest request;
    const CUresult status = make_launch(machine().launch_services, function.function, config, parameters, extra, request);
    if (status != CUDA_SUCCESS) return status;
    if (function->context.get() != stream->context.get()) return CUDA_ERROR_INVALID_HANDLE;
    std::vector<CUevent> events;
    for (const CUlaunchAttribute& attribute : request.attributes) {
        const CUevent* const event = event_of(attribute);
        if (event == nullptr) continue;
        if (machine().events.find(*event) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
        events.push_back(*event);
    }
    if (const CUresult submitted = submit(stream, std::move(request))) return submitted;
    return record_events(events, config.hStream);
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
