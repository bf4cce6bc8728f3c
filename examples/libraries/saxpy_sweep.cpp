// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Measures SAXPY with sizes of arrays and blocks until each median is known to 2 %, prints a table, and writes it as a page with
// charts, saxpy.html, and as saxpy.csv. A later run compares itself with the file:
//
//     saxpy_sweep                                 # writes saxpy.html and saxpy.csv in the current folder
//     saxpy_sweep --baseline old.csv              # the exit status is 1 if a configuration is slower than in this file
//     saxpy_sweep --largest 16 --samples 20       # arrays of at most 2^16 elements, at most 20 samples of each configuration

#include <cubind/core.hpp>
#include <cubind/sweep.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

const char* const source = R"(
extern "C" __global__ void saxpy(float a, const float* x, const float* y, float* out, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) {
        out[i] = a * x[i] + y[i];
    }
}
)";

using Saxpy = KernelFunction<void(float, const float*, const float*, float*, std::size_t)>;

struct Options {
    int largest = 26;  // exponent of the largest size
    std::size_t samples = 1000;
    std::string baseline;
};

// Returns how many elements differ from 2 * 1 + 0.5.
std::size_t count_wrong(StreamRef stream, TypedBuffer<float>& out) {
    std::vector<float> result(out.count());
    copy(stream, result, out);
    stream.synchronize();
    return static_cast<std::size_t>(std::ranges::count_if(result, [](float each) { return each != 2.5f; }));
}

int sweep(const Options& options) {
    const Device device;
    const Stream stream(device);
    Program program(source, {.name = "saxpy.cu", .arch = "sm_" + device.arch()});
    const Saxpy saxpy(program.compile(CodeType::ptx).kernel("saxpy"), device);

    const std::size_t most = std::size_t{1} << options.largest;
    TypedBuffer<float> x = device.allocate<float>(stream, most);
    TypedBuffer<float> y = device.allocate<float>(stream, most);
    TypedBuffer<float> out = device.allocate<float>(stream, most);
    fill(stream, x, 1.0f);
    fill(stream, y, 0.5f);
    fill(stream, out, std::byte{0xFF});  // all NaN: an element that no thread writes cannot pass

    std::vector<profile::Value> sizes;
    for (int exponent = 10 + options.largest % 2; exponent <= options.largest; exponent += 2) {
        sizes.emplace_back(std::size_t{1} << exponent);
    }
    profile::SweepResult result = profile::sweep(
        {.name = "saxpy",
         .spread = 0.02,
         .max_repeats = options.samples,
         .time_limit = std::chrono::seconds(2),
         .host_time = true,
         .stream = stream},
        {{"n", sizes}, {"block", {64, 128, 256, 512}}},
        [&](const profile::Case& c) {
            const auto n = c.get<std::size_t>("n");
            saxpy(c.stream(), {.grid = blocks_for(n, c.get<unsigned int>("block")), .block = c["block"]}, 2.0f, x, y, out, n);
        },
        profile::bytes(12, "n"),  // x and y are read, out is written
        profile::flops(2, "n"));

    if (!options.baseline.empty()) result.compare(options.baseline);
    std::fputs(result.text().c_str(), stdout);
    result.write("saxpy.html");
    result.write("saxpy.csv");
    std::puts("Wrote saxpy.html and saxpy.csv.");
    const bool is_right = count_wrong(stream, out) == 0 && result.exit_status() == 0;
    return example::verdict(is_right, "all elements are right, no configuration failed, and none is slower than the baseline");
}

}  // namespace

int main(int count, char** arguments) {
    Options options;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string_view name = arguments[i];
        if (name == "--largest") options.largest = std::atoi(arguments[i + 1]);
        if (name == "--samples") options.samples = std::strtoull(arguments[i + 1], nullptr, 10);
        if (name == "--baseline") options.baseline = arguments[i + 1];
    }
    if (count % 2 == 0 || options.largest < 10 || options.largest > 30) {
        std::fprintf(stderr, "usage: saxpy_sweep [--largest EXPONENT, 10 to 30] [--samples COUNT] [--baseline FILE.csv]\n");
        return example::failed;
    }
    return example::run([&] { return sweep(options); });
}
