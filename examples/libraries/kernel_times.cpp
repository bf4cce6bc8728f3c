// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Records what a program does on the GPU, with CUPTI: the time of each kernel and copy, by the range of the program that caused
// it. Prints tables, and writes a trace that https://ui.perfetto.dev opens.

#include <cubind/core.hpp>
#include <cubind/cupti/loading.hpp>
#include <cubind/library.hpp>
#include <cubind/nvtx.hpp>
#include <cubind/profile.hpp>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr unsigned int n = 1 << 20;

const char* const source = R"(
__global__ void fill(float* values, unsigned int n) {
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) values[i] = i;
}
template <int steps>
__global__ void iterate(float* values, unsigned int n) {
    for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        for (int step = 0; step < steps; ++step) values[i] = values[i] * 0.5f + 1.0f;
}
)";

int kernel_times() {
    if (library_path(cupti::library()) == nullptr) return example::skip("CUPTI, which is part of the toolkit, was not found.");
    profile::Recorder recorder;  // before the first range
    Device device;
    const Stream stream(device);
    Program program(source, {.name = "kernel_times.cu", .arch = "sm_" + device.arch()});
    const ObjectCode code = program.compile(CodeType::cubin, {.name_expressions = {"fill", "iterate<10>", "iterate<1000>"}});
    const Kernel fill_kernel = code.kernel("fill"), short_kernel = code.kernel("iterate<10>"),
                 long_kernel = code.kernel("iterate<1000>");
    TypedBuffer<float> values = device.allocate<float>(stream, n);
    const LaunchConfig config{.grid = 256, .block = 256};
    stream.synchronize();

    const auto begin = std::chrono::steady_clock::now();
    {
        const NvtxRange range("prepare");
        launch(stream, config, fill_kernel, values, n);
    }
    {
        const NvtxRange range("solve");
        launch(stream, config, short_kernel, values, n);
        launch(stream, config, long_kernel, values, n);
    }
    float last = 0;
    copy(stream, last, values.last(1));
    stream.synchronize();
    const auto end = std::chrono::steady_clock::now();
    const profile::Recording recording = recorder.stop();

    std::printf("%s\n%s\n", table(recording).c_str(), table(recording, profile::Subject::copies).c_str());
    std::string order;
    profile::Nanoseconds sum{};
    bool is_within = true;
    for (const profile::KernelRecord& kernel : recording.kernels()) {
        const profile::RangeRecord* const range = recording.range_of(kernel);
        order += std::string(range == nullptr ? "-" : range->name) + " ";
        sum += kernel.duration();
        is_within = is_within && kernel.start > begin && kernel.end < end;
    }
    const std::string path = std::filesystem::temp_directory_path() / "kernel_times.json";
    write_chrome_trace(recording, path);
    std::printf("The trace is in %s.\n", path.c_str());
    const auto kernels = recording.kernels();
    const bool is_complete =
        order == "prepare solve solve " && recording.copies().size() == 1 && recording.dropped().total() == 0;
    return example::verdict(
        is_complete && is_within && kernels[2].duration() > kernels[1].duration() && sum < end - begin,
        "CUPTI recorded three kernels in their ranges, the longest loop took longest, and their times are within "
        "the host's");
}

}  // namespace

int main() {
    return example::run(kernel_times);
}
