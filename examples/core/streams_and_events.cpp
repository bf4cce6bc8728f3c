// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// The same work twice: on one stream, then in pieces on four, so that the copies of one piece run beside the kernel and the
// copies of others. Events order the streams and measure both; a host function runs in stream order, after the last piece.

#include "example.hpp"

#include <cubind/core.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <span>
#include <vector>

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
    std::span<const float> in;  // of the host
    std::span<float> device_in;
    std::span<float> device_out;
    std::span<float> out;  // of the host

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

    // Only copies of pinned memory run beside other work.
    const LegacyPinnedMemoryResource pinned;
    Buffer host = pinned.allocate<float>(stream, 2 * n);
    Buffer memory = device.allocate<float>(stream, 2 * n);
    const std::span<float> in = host.span<float>().first(n);
    const Work work{in, memory.span<float>().first(n), memory.span<float>().last(n), host.span<float>().last(n)};
    for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<float>(i % 4096);

    Program program(source, {.name = "square.cu", .arch = "sm_" + device.arch()});
    const Square square(program.compile(CodeType::ptx).kernel("square"), device);
    submit(stream, square, work);  // the first launch takes longer: it loads the code onto the device

    // On one stream everything comes after what was submitted before.
    const Event start = stream.record({.timing_enabled = true});
    submit(stream, square, work);
    const Event stop = stream.record({.timing_enabled = true});
    stop.synchronize();
    const Milliseconds one_after_another = stop - start;
    std::size_t wrong = wrong_squares(work);
    std::ranges::fill(work.out, -1.0f);

    // Streams know nothing of each other, until one waits for an event of another, or for all that the other has to do.
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

    const double gigabytes = 2.0 * static_cast<double>(n * sizeof(float)) / 1e9;  // to the device and back
    const auto print = [gigabytes](const char* what, Milliseconds time) {
        std::printf("%-26s %7.3f ms, %.1f GB/s to the device and back\n", what, time.count(), gigabytes / (time.count() / 1e3));
    };
    std::printf("%s: copy %zu floats there, square them, copy them back\n", device.name().c_str(), n);
    print("on one stream:", one_after_another);
    print("in 4 pieces on 4 streams:", overlapped);
    const bool is_done = join.is_done() && was_called;
    std::printf("%zu squares are wrong; the host function was %s\n", wrong, was_called ? "called" : "not called");
    return example::verdict(wrong == 0 && is_done, "both ways give every square, and the host function ran after the last of them");
}

}  // namespace

int main() {
    return example::run(streams_and_events);
}
