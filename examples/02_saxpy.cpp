// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Compiles and runs a kernel: NVRTC compiles it to PTX, the driver compiles the PTX for the GPU and launches it with
// 32768 blocks of 512 threads, and the host checks all 16777216 elements of out = a * x + y. Events measure the time of a
// launch on the GPU's clock, from which the program computes the memory bandwidth. Memory bandwidth limits the speed of
// this kernel.

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "compile.hpp"
#include "example.hpp"

namespace driver = cubind::driver;
using cubind::check;

namespace {

constexpr unsigned int threads = 512;
constexpr unsigned int blocks = 32768;
constexpr std::size_t n = std::size_t{threads} * blocks;

const char* const source = R"(
extern "C" __global__ void saxpy(float a, const float* x, const float* y, float* out, unsigned long long n)
{
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = a * x[i] + y[i];
    }
}
)";

// Launches the kernel once to warm up, then `launches` times between two events. Returns the mean time in milliseconds.
float time_kernel(driver::CUfunction kernel, void** arguments, int launches) {
    const auto launch = [&] {
        check(driver::cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr));
    };
    const driver::CUevent start = check(driver::cuEventCreate(driver::CU_EVENT_DEFAULT));
    const driver::CUevent stop = check(driver::cuEventCreate(driver::CU_EVENT_DEFAULT));

    launch();
    check(driver::cuEventRecord(start, nullptr));
    for (int i = 0; i < launches; ++i) launch();
    check(driver::cuEventRecord(stop, nullptr));
    check(driver::cuEventSynchronize(stop));
    // Calls the first version of the function, because the newer one requires a driver of CUDA 12.8.
    const float milliseconds = check(driver::cuEventElapsedTime_v1(start, stop));

    check(driver::cuEventDestroy(stop));
    check(driver::cuEventDestroy(start));
    return milliseconds / static_cast<float>(launches);
}

int saxpy() {
    const example::Gpu gpu = example::first_gpu();
    if (!gpu.usable && !example::has_nvrtc()) return example::skip(gpu);

    // compute_XX is a virtual architecture, the target of PTX.
    const std::vector<char> ptx =
        example::compile(source, "saxpy.cu", {"-arch=compute_" + gpu.architecture}, example::Output::ptx);
    std::printf("NVRTC compiled saxpy.cu for compute_%s: %zu bytes of PTX.\n", gpu.architecture.c_str(), ptx.size());
    if (!gpu.usable) return example::skip(gpu);

    // The driver API works on the thread's current context. The primary context is shared with the runtime API.
    check(driver::cuCtxSetCurrent(check(driver::cuDevicePrimaryCtxRetain(gpu.device))));
    const driver::CUmodule code = example::load_ptx(ptx, "NVRTC", "CUBIND_NVRTC_LIBRARY");
    const driver::CUfunction kernel = check(driver::cuModuleGetFunction(code, "saxpy"));

    // With small integers and a = 2.5, every sum is exact in a float, so the check below can test for equality.
    float a = 2.5F;
    std::vector<float> x(n);
    std::vector<float> y(n);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = static_cast<float>(i % 1021);
        y[i] = static_cast<float>(i % 4093) - 2048.0F;
    }

    const std::size_t size = n * sizeof(float);
    driver::CUdeviceptr device_x = check(driver::cuMemAlloc(size));
    driver::CUdeviceptr device_y = check(driver::cuMemAlloc(size));
    driver::CUdeviceptr device_out = check(driver::cuMemAlloc(size));
    check(driver::cuMemcpyHtoD(device_x, x.data(), size));
    check(driver::cuMemcpyHtoD(device_y, y.data(), size));
    check(driver::cuMemsetD8(device_out, 0xFF, size));  // all NaN, so that an element that no thread writes fails the check

    unsigned long long count = n;
    void* arguments[] = {&a, &device_x, &device_y, &device_out, &count};  // see 03_kernel_arguments.cpp
    const float milliseconds = time_kernel(kernel, arguments, 20);

    std::vector<float> out(n);
    check(driver::cuMemcpyDtoH(out.data(), device_out, size));
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const float expected = a * x[i] + y[i];
        if (out[i] == expected) continue;
        if (wrong == 0) std::printf("Element %zu is %g instead of %g.\n", i, out[i], expected);
        ++wrong;
    }

    // Elements of x and y are read, and elements of out are written.
    const double gigabytes = 3.0 * static_cast<double>(size) / 1e9;
    std::printf("%u blocks of %u threads, %zu elements: %.4f ms a launch, %.0f GB/s.\n", blocks, threads, n, milliseconds,
                gigabytes / (milliseconds / 1e3));
    std::printf("%zu of %zu elements are wrong.\n", wrong, n);

    check(driver::cuMemFree(device_out));
    check(driver::cuMemFree(device_y));
    check(driver::cuMemFree(device_x));
    check(driver::cuModuleUnload(code));
    check(driver::cuDevicePrimaryCtxRelease(gpu.device));
    return example::verdict(wrong == 0);
}

}  // namespace

int main() {
    return example::run(saxpy);
}
