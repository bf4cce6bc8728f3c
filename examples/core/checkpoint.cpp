// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Suspends a process that counts on a GPU, and lets it continue. One thread launches kernels that increment a number. The other
// thread locks the process, so that the next call of the first one waits, copies the GPU's memory to the host and releases the
// GPU, takes it back, and unlocks the process. Checks that nothing was counted in the meantime, and that no count is lost.

#include <cubind/core.hpp>
#include <cubind/core/process/process.hpp>
#include <cubind/driver/version.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#include "example.hpp"

using namespace cubind;
using namespace std::chrono_literals;

namespace {

const char* const source = R"(
extern "C" __global__ void count(unsigned int* number)
{
    ++*number;
}
)";

double milliseconds_of(const auto& step) {
    const auto start = std::chrono::steady_clock::now();
    step();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

int checkpoint() {
    if (check(driver::cuDriverGetVersion()) < 12080) return example::skip("checkpoints need a driver of CUDA 12.8 or newer.");
    const Device device;
    const Stream stream(device);
    Program program(source, {.name = "count.cu", .arch = "sm_" + device.arch()});
    const KernelFunction<void(unsigned int*)> count(program.compile(CodeType::ptx).kernel("count"), device);
    TypedBuffer<unsigned int> number = device.allocate<unsigned int>(stream, 1);
    fill(stream, number, 0u);
    stream.synchronize();

    std::atomic<unsigned int> launches{0};
    std::atomic<bool> is_finished{false};
    std::jthread counter([&] {
        while (!is_finished) {
            count(stream, {}, number);
            stream.synchronize();
            ++launches;
        }
    });
    while (launches < 100) std::this_thread::sleep_for(1ms);

    const Process process = Process::current();
    std::printf("lock       %7.1f ms\n", milliseconds_of([&] { process.lock(10s); }));
    std::printf("checkpoint %7.1f ms\n", milliseconds_of([&] { process.checkpoint(); }));
    const unsigned int before = launches;
    std::this_thread::sleep_for(100ms);
    const unsigned int after = launches;
    std::printf("restore    %7.1f ms\n", milliseconds_of([&] { process.restore(); }));
    std::printf("unlock     %7.1f ms\n", milliseconds_of([&] { process.unlock(); }));

    while (launches < after + 100) std::this_thread::sleep_for(1ms);
    is_finished = true;
    counter.join();
    unsigned int counted = 0;
    copy(stream, counted, number);
    stream.synchronize();
    std::printf("%s: %u launches before the checkpoint, %u while suspended, %u afterwards; the GPU counted %u\n",
                device.name().c_str(), before, after - before, launches - after, counted);
    // A launch that ended before the lock may be counted only while the process is suspended.
    const bool was_suspended = after - before <= 1;
    return example::verdict(was_suspended && counted == launches,
                            "the process launched nothing while suspended, and lost no count");
}

}  // namespace

int main() {
    return example::run(checkpoint);
}
