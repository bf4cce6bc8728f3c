// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// The same program as layer.cpp, written on <cuda.h> and <nvrtc.h> and linked with both libraries.

#include <cuda.h>
#include <nvrtc.h>

#include <cstdlib>
#include <string>

#include "saxpy.hpp"

namespace {

void check(CUresult status) {
    if (status == CUDA_SUCCESS) return;
    const char* name = "";
    cuGetErrorName(status, &name);
    std::fprintf(stderr, "the driver failed: %s\n", name);
    std::exit(1);
}

void check(nvrtcResult status) {
    if (status == NVRTC_SUCCESS) return;
    std::fprintf(stderr, "NVRTC failed: %s\n", nvrtcGetErrorString(status));
    std::exit(1);
}

std::vector<char> compile(CUdevice device) {
    int major = 0;
    int minor = 0;
    check(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    check(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
    const std::string architecture = "--gpu-architecture=sm_" + std::to_string(major) + std::to_string(minor);
    const char* flags[] = {architecture.c_str()};

    nvrtcProgram program = nullptr;
    check(nvrtcCreateProgram(&program, saxpy::source, "default_program", 0, nullptr, nullptr));
    check(nvrtcCompileProgram(program, 1, flags));
    std::size_t size = 0;
    check(nvrtcGetCUBINSize(program, &size));
    std::vector<char> cubin(size);
    check(nvrtcGetCUBIN(program, cubin.data()));
    check(nvrtcDestroyProgram(&program));
    return cubin;
}

CUevent record(CUstream stream) {
    CUevent event = nullptr;
    check(cuEventCreate(&event, CU_EVENT_DEFAULT));
    check(cuEventRecord(event, stream));
    return event;
}

int run(CUdevice device) {
    CUcontext context = nullptr;
    check(cuDevicePrimaryCtxRetain(&context, device));
    check(cuCtxSetCurrent(context));
    CUstream stream = nullptr;
    check(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    const std::vector<char> cubin = compile(device);
    CUlibrary library = nullptr;
    CUkernel kernel = nullptr;
    check(cuLibraryLoadData(&library, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    check(cuLibraryGetKernel(&kernel, library, "saxpy"));

    const std::vector<float> x = saxpy::numbers(1021);
    const std::vector<float> y = saxpy::numbers(4093);
    std::vector<float> out(saxpy::n);
    constexpr std::size_t size = saxpy::n * sizeof(float);
    CUdeviceptr on_device_x = 0;
    CUdeviceptr on_device_y = 0;
    CUdeviceptr on_device_out = 0;
    for (CUdeviceptr* memory : {&on_device_x, &on_device_y, &on_device_out}) check(cuMemAllocAsync(memory, size, stream));
    check(cuMemcpyHtoDAsync(on_device_x, x.data(), size, stream));
    check(cuMemcpyHtoDAsync(on_device_y, y.data(), size, stream));

    const auto launch = [&] {
        float a = saxpy::a;
        std::size_t n = saxpy::n;
        void* arguments[] = {&a, &on_device_x, &on_device_y, &on_device_out, &n};
        const CUlaunchConfig config{saxpy::blocks, 1, 1, saxpy::threads, 1, 1, 0, stream, nullptr, 0};
        check(cuLaunchKernelEx(&config, reinterpret_cast<CUfunction>(kernel), arguments, nullptr));
    };
    launch();
    const CUevent start = record(stream);
    for (int i = 0; i < saxpy::timed_launches; ++i) launch();
    const CUevent stop = record(stream);

    check(cuMemcpyDtoHAsync(out.data(), on_device_out, size, stream));
    check(cuStreamSynchronize(stream));
    float milliseconds = 0;
    check(cuEventElapsedTime(&milliseconds, start, stop));

    const int status = saxpy::finish(x, y, out, milliseconds);
    for (const CUevent event : {start, stop}) check(cuEventDestroy(event));
    for (const CUdeviceptr memory : {on_device_x, on_device_y, on_device_out}) check(cuMemFreeAsync(memory, stream));
    check(cuStreamDestroy(stream));
    check(cuLibraryUnload(library));
    return status;
}

}  // namespace

int main() {
    CUdevice device = 0;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) {
        std::fputs("no GPU\n", stderr);
        return 77;
    }
    return run(device);
}
