// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// One compilation instantiates two kernels, saxpy<float> and saxpy<double>, from one template by name expressions. A
// KernelFunction binds each kernel to its signature and compares the signature with the loaded kernel once. It is then called
// like a C++ function.

#include <cubind/core.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr unsigned int block = 512;
constexpr unsigned int grid = 32768;
constexpr std::size_t n = std::size_t{block} * grid;

const char* const source = R"(
template <typename T>
__global__ void saxpy(T a, const T* x, const T* y, T* out, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) {
        out[i] = a * x[i] + y[i];
    }
}
)";

template <class T>
using Saxpy = KernelFunction<void(T, const T*, const T*, T*, std::size_t)>;

// Launches the kernel, prints its time and bandwidth, and returns the number of wrong elements.
template <class T>
std::size_t run(Device device, const Saxpy<T>& saxpy, const char* name) {
    // With small whole numbers and a = 2.5 every result is exact, so the check below can require equality.
    const T a = T(2.5);
    std::vector<T> x(n);
    std::vector<T> y(n);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = static_cast<T>(i % 1021);
        y[i] = static_cast<T>(i % 4093) - T(2048);
    }

    const Stream stream(device);
    TypedBuffer<T> device_x = device.allocate<T>(stream, n);
    TypedBuffer<T> device_y = device.allocate<T>(stream, n);
    TypedBuffer<T> out = device.allocate<T>(stream, n);
    copy(stream, device_x, x);
    copy(stream, device_y, y);
    fill(stream, out, std::byte{0xFF});  // all NaN: an element that no thread writes cannot pass

    const LaunchConfig config{.grid = grid, .block = block};
    saxpy(stream, config, a, device_x, device_y, out, n);  // the first launch also loads the code onto the device
    const int launches = 3;
    const Event start = stream.record({.timing_enabled = true});
    for (int i = 0; i < launches; ++i) saxpy(stream, config, a, device_x, device_y, out, n);
    const Event stop = stream.record({.timing_enabled = true});

    std::vector<T> result(n);
    copy(stream, result, out);
    stream.synchronize();

    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += result[i] != a * x[i] + y[i];
    const Milliseconds time = (stop - start) / launches;
    const double gigabytes = 3.0 * static_cast<double>(n * sizeof(T)) / 1e9;  // x and y are read, out is written
    std::printf("%-13s %zu elements, %.4f ms a launch, %.0f GB/s, %zu wrong\n", name, n, time.count(),
                gigabytes / (time.count() / 1e3), wrong);
    return wrong;
}

int saxpy() {
    const Device device;
    std::printf("%s, %u blocks of %u threads\n", device.name().c_str(), grid, block);

    Program program(source, {.name = "saxpy.cu", .arch = "sm_" + device.arch(), .std = "c++17"});
    const ObjectCode code = program.compile(CodeType::ptx, {.name_expressions = {"saxpy<float>", "saxpy<double>"}});
    const Saxpy<float> single_precision(code.kernel("saxpy<float>"), device);
    const Saxpy<double> double_precision(code.kernel("saxpy<double>"), device);

    std::size_t wrong = run(device, single_precision, "saxpy<float>");
    wrong += run(device, double_precision, "saxpy<double>");
    return example::verdict(wrong == 0, "every element of both results is a * x + y, to the last bit");
}

}  // namespace

int main() {
    return example::run(saxpy);
}
