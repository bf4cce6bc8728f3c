// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Measures the time of each kernel of a program with CUPTI. The program needs no change between `profile()` and its end: CUPTI
// records each kernel, and passes the records to the program in buffers.

#include <cubind/check.hpp>
#include <cubind/core.hpp>
#include <cubind/cupti.hpp>
#include <cubind/library.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include "example.hpp"

using namespace cubind;
using namespace cubind::cupti;

namespace {

constexpr unsigned int n = 1 << 20;

const char* const source = R"(
extern "C" __global__ void fill(float* values, unsigned int n) {
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) values[i] = i;
}
extern "C" __global__ void iterate(float* values, unsigned int n, int steps) {
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        for (int step = 0; step < steps; ++step) values[i] = values[i] * 0.5f + 1.0f;
}
)";

struct KernelTime {
    std::string name;
    std::chrono::duration<double, std::micro> time;
};

std::mutex mutex;
std::vector<KernelTime> times;

// CUPTI calls this function on its own thread when it needs a buffer.
void provide_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
    constexpr std::size_t bytes = 64 << 10;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, bytes));
    *size = *buffer == nullptr ? 0 : bytes;
    *max_records = 0;  // as many as fit
}

// CUPTI calls this function with a buffer of records. The record of a kernel begins with the same fields in all releases since
// CUDA 12.
void read_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid_size) {
    const std::lock_guard lock(mutex);
    CUpti_Activity* record = nullptr;
    for (auto next = cuptiActivityGetNextRecord(buffer, valid_size, record); next.ok();
         next = cuptiActivityGetNextRecord(buffer, valid_size, record)) {
        record = next.value;
        if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
        const auto& kernel = *reinterpret_cast<const CUpti_ActivityKernel9*>(record);
        times.push_back({kernel.name, std::chrono::nanoseconds(kernel.end - kernel.start)});
    }
    std::free(buffer);
}

// Records all kernels from here on.
void profile() {
    check(cuptiActivityRegisterCallbacks(provide_buffer, read_buffer));
    check(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
}

int kernel_times() {
    if (library_path(cupti::library()) == nullptr) return example::skip("CUPTI, which is part of the toolkit, was not found.");
    profile();
    Device device;
    const Stream stream(device);
    Program program(source, {.name = "kernel_times.cu", .arch = "sm_" + device.arch()});
    const ObjectCode code = program.compile(CodeType::cubin);
    const Kernel fill_kernel = code.kernel("fill"), iterate_kernel = code.kernel("iterate");
    TypedBuffer<float> values = device.allocate<float>(stream, n);
    const LaunchConfig config{.grid = 256, .block = 256};
    stream.synchronize();

    const auto begin = std::chrono::steady_clock::now();
    launch(stream, config, fill_kernel, values, n);
    launch(stream, config, iterate_kernel, values, n, 10);
    launch(stream, config, iterate_kernel, values, n, 1000);
    stream.synchronize();
    const std::chrono::duration<double, std::micro> elapsed = std::chrono::steady_clock::now() - begin;
    check(cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED));

    const std::lock_guard lock(mutex);
    std::string names;
    std::chrono::duration<double, std::micro> sum{};
    for (const KernelTime& each : times) {
        std::printf("%-8s %8.1f us\n", each.name.c_str(), each.time.count());
        names += each.name + " ";
        sum += each.time;
    }
    std::printf("%-8s %8.1f us on the host\n", "all", elapsed.count());
    const bool is_complete = names == "fill iterate iterate ";
    return example::verdict(
        is_complete && times[2].time > times[1].time && sum < elapsed,
        "CUPTI recorded three kernels, the longest loop took longest, and their sum is less than the host's time");
}

}  // namespace

int main() {
    return example::run(kernel_times);
}
