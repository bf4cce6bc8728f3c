// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Does the same work twice: first on one stream, then in pieces on four streams, so that the copies of one piece overlap
// with the kernels and copies of the other pieces. Events order the streams and measure both times. A host function runs
// in stream order, after the last piece.

#include <cubind/core.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr std::size_t n = std::size_t{1} << 24;
constexpr std::size_t pieces = 4;
constexpr unsigned int block = 256;

const char* const source = R"(
extern "C" __global__ void square(const float* in, float* out, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) {
        out[i] = in[i] * in[i];
    }
}
)";

using Square = KernelFunction<void(const float*, float*, std::size_t)>;

struct Work {
    std::span<const float> in;  // host memory
    std::span<float> device_in;
    std::span<float> device_out;
    std::span<float> out;  // host memory

    Work piece(std::size_t first, std::size_t count) const {
        return {in.subspan(first, count), device_in.subspan(first, count), device_out.subspan(first, count),
                out.subspan(first, count)};
    }
};

void submit(StreamRef stream, const Square& square, const Work& work) {
    const std::size_t count = work.in.size();
    copy(stream, work.device_in, work.in);
    square(stream, {.grid = blocks_for(count, block), .block = block}, work.device_in, work.device_out, count);
    copy(stream, work.out, work.device_out);
}

std::size_t wrong_squares(const Work& work) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < work.in.size(); ++i) wrong += work.out[i] != work.in[i] * work.in[i];
    return wrong;
}

int streams_and_events() {
    const Device device;
    const Stream stream(device);

    // Only copies from and to pinned memory overlap with other work.
    const LegacyPinnedMemoryResource pinned;
    TypedBuffer<float> host = pinned.allocate<float>(stream, 2 * n);
    TypedBuffer<float> memory = device.allocate<float>(stream, 2 * n);
    const std::span<float> in = host.first(n);
    const Work work{in, memory.first(n), memory.last(n), host.last(n)};
    for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<float>(i % 4096);

    Program program(source, {.name = "square.cu", .arch = "sm_" + device.arch()});
    const Square square(program.compile(CodeType::ptx).kernel("square"), device);
    submit(stream, square, work);  // the first launch takes longer: it loads the code onto the device

    // On one stream, each operation runs after all previous ones.
    const Event start = stream.record({.timing_enabled = true});
    submit(stream, square, work);
    const Event stop = stream.record({.timing_enabled = true});
    stop.synchronize();
    const Milliseconds one_after_another = stop - start;
    std::size_t wrong = wrong_squares(work);
    std::ranges::fill(work.out, -1.0f);

    // Streams are independent until one waits for an event of another stream, or for all work that was submitted to another
    // stream.
    std::vector<Stream> streams;
    for (std::size_t i = 0; i < pieces; ++i) streams.emplace_back(device);
    const Event fork = stream.record({.timing_enabled = true});
    for (std::size_t i = 0; i < pieces; ++i) {
        streams[i].wait(fork);
        submit(streams[i], square, work.piece(i * (n / pieces), n / pieces));
        stream.wait(streams[i]);
    }
    const Event join = stream.record({.timing_enabled = true});
    std::atomic<bool> was_called = false;
    stream.launch_host_function([&was_called] { was_called = true; });
    stream.synchronize();
    const Milliseconds overlapped = join - fork;
    wrong += wrong_squares(work);

    const double gigabytes = 2.0 * static_cast<double>(n * sizeof(float)) / 1e9;  // counts both directions
    const auto print = [gigabytes](const char* what, Milliseconds time) {
        std::printf("%-26s %7.3f ms, %.1f GB/s to the device and back\n", what, time.count(), gigabytes / (time.count() / 1e3));
    };
    std::printf("%s: copy %zu floats to the device, square them, copy them back\n", device.name().c_str(), n);
    print("on one stream:", one_after_another);
    print("in 4 pieces on 4 streams:", overlapped);
    const bool is_done = join.is_done() && was_called;
    std::printf("%zu squares are wrong; the host function was %s\n", wrong, was_called ? "called" : "not called");
    return example::verdict(wrong == 0 && is_done, "both ways compute all squares, and the host function ran after them");
}

}  // namespace

int main() {
    return example::run(streams_and_events);
}
