// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Processes items in three stages: a thread of a pool reads an item, the device squares its numbers, a thread of the pool sums
// them up. Each item is a coroutine. While the device works on an item, its coroutine is suspended and occupies no thread, so
// that two threads serve all items, and several items are in flight on their own streams.

#include <cubind/core.hpp>
#include <cubind/core/memory/host_allocator.hpp>
#include <cubind/core/stream/completion.hpp>
#include <cubind/core/stream/thread_pool.hpp>

#include <algorithm>
#include <atomic>
#include <coroutine>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <latch>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr std::size_t streams = 4;
constexpr std::size_t items = 12;
constexpr std::size_t n = std::size_t{1} << 16;
constexpr unsigned int block = 256;

const char* const source = R"(
extern "C" __global__ void square(unsigned int* values, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) {
        values[i] *= values[i];
    }
}
)";

using Square = KernelFunction<void(unsigned int*, std::size_t)>;
using PinnedVector = std::vector<unsigned int, HostAllocator<unsigned int>>;

// The smallest coroutine type: it begins at once and destroys itself at its end. Larger programs use the type of a library.
struct Detached {
    struct promise_type {
        Detached get_return_object() const noexcept { return {}; }
        std::suspend_never initial_suspend() const noexcept { return {}; }
        std::suspend_never final_suspend() const noexcept { return {}; }
        void return_void() const noexcept {}
        [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }  // process() handles all exceptions
    };
};

// co_await on(threads) continues the coroutine on a thread of the pool.
auto on(ThreadPool& threads) {
    struct Awaiter {
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> coroutine) const {
            threads.execute([coroutine] { coroutine.resume(); });
        }
        void await_resume() const noexcept {}

        ThreadPool& threads;
    };
    return Awaiter{threads};
}

struct Pipeline {
    const Device& device;
    const Square& square;
    std::vector<unsigned long long> sums = std::vector<unsigned long long>(items);
    std::vector<std::string> failures = std::vector<std::string>(items);
    std::latch done{static_cast<std::ptrdiff_t>(items)};
    std::atomic<int> on_device{0};
    std::atomic<int> most_on_device{0};
    ThreadPool threads{2};  // ends before the members that its functions use

    void enter() {
        const int now = ++on_device;
        int most = most_on_device.load();
        while (most < now && !most_on_device.compare_exchange_weak(most, now)) {
        }
    }
};

unsigned int value_of(std::size_t item, std::size_t i) {
    return static_cast<unsigned int>((item + i) % 1000);
}

Detached process(Pipeline& pipeline, std::size_t item, StreamRef stream) {
    co_await on(pipeline.threads);
    try {
        // Stage 1, on a thread: read the item into pinned memory.
        PinnedVector values(n, HostAllocator<unsigned int>(stream));
        for (std::size_t i = 0; i < n; ++i) values[i] = value_of(item, i);

        // Stage 2, on the device: no thread waits.
        TypedBuffer<unsigned int> memory = pipeline.device.allocate<unsigned int>(stream, n);
        copy(stream, memory, values);
        pipeline.square(stream, {.grid = blocks_for(n, block), .block = block}, memory, n);
        copy(stream, values, memory);
        pipeline.enter();
        co_await completion(stream, pipeline.threads);
        --pipeline.on_device;

        // Stage 3, on a thread: sum up the results.
        pipeline.sums[item] = std::accumulate(values.begin(), values.end(), 0ull);
    } catch (const std::exception& error) {
        pipeline.failures[item] = error.what();
    }
    pipeline.done.count_down();
}

unsigned long long expected_sum(std::size_t item) {
    unsigned long long sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += static_cast<unsigned long long>(value_of(item, i)) * value_of(item, i);
    return sum;
}

int coroutine_pipeline() {
    const Device device;
    Program program(source, {.name = "square.cu", .arch = "sm_" + device.arch()});
    const Square square(program.compile(CodeType::ptx).kernel("square"), device);

    std::vector<Stream> used;
    for (std::size_t i = 0; i < streams; ++i) used.emplace_back(device);
    Pipeline pipeline{.device = device, .square = square};
    for (std::size_t item = 0; item < items; ++item) process(pipeline, item, used[item % streams]);
    pipeline.done.wait();

    std::size_t wrong = 0;
    for (std::size_t item = 0; item < items; ++item) {
        if (!pipeline.failures[item].empty()) throw std::runtime_error(pipeline.failures[item]);
        wrong += pipeline.sums[item] != expected_sum(item) ? 1 : 0;
    }
    std::printf("%s: %zu items of %zu numbers: read on a thread, squared on the device, summed up on a thread\n",
                device.name().c_str(), items, n);
    std::printf("%zu threads and %zu streams; at most %d items were on the device at once\n", pipeline.threads.size(), streams,
                pipeline.most_on_device.load());
    std::printf("the sum of item 0 is %llu; %zu sums are wrong\n", pipeline.sums[0], wrong);
    return example::verdict(wrong == 0, "all sums are those that the host computes");
}

}  // namespace

int main() {
    return example::run(coroutine_pipeline);
}
