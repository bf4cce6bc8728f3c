// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Uses two GPUs. Computes data on one of them and copies it to the other. Then a kernel on the second GPU reads the
// memory of the first one directly, without a copy. A stream of one device waits for a stream of the other. No context is
// made current, because every object has its own device.

#include <cubind/core.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr std::size_t n = std::size_t{1} << 24;
constexpr std::size_t size = n * sizeof(unsigned int);  // 64 MiB
const LaunchConfig config{.grid = blocks_for(n, 256), .block = 256};

const char* const source = R"(
extern "C" __global__ void triple(const unsigned int* in, unsigned int* out, size_t n)
{
    size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
    if (i < n) out[i] = 3 * in[i];
}
)";

using Triple = KernelFunction<void(const unsigned int*, unsigned int*, std::size_t)>;

Triple compile(Device device) {
    Program program(source, {.name = "triple.cu", .arch = "sm_" + device.arch()});
    return Triple(program.compile(CodeType::ptx).kernel("triple"), device);
}

std::size_t wrong_elements(const Stream& stream, const Buffer& buffer, const std::vector<unsigned int>& numbers,
                           unsigned int factor) {
    std::vector<unsigned int> result(n);
    copy(stream, result, buffer);
    stream.synchronize();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) wrong += result[i] != factor * numbers[i];
    return wrong;
}

int peer_copy() {
    const std::vector<Device> devices = Device::all();
    if (devices.size() < 2) return example::skip("two GPUs are required, and there is only one: " + devices[0].name() + ".");
    const Device first = devices[0];
    const Device second = devices[1];
    const bool can_reach = second.can_access_peer(first);
    std::printf("device 0: %s, device 1: %s; 1 %s access the memory of 0\n", first.name().c_str(), second.name().c_str(),
                can_reach ? "can" : "cannot");

    std::vector<unsigned int> numbers(n);
    for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<unsigned int>(i % 100003);

    // Access by other devices is a property of the pool. Copies do not require this access, but are direct only if it is
    // allowed.
    const DeviceMemoryResource pool(first, {});
    if (can_reach) pool.allow_peer_access(second);

    const Stream first_stream(first);
    const Stream second_stream(second);
    Buffer source_buffer = pool.allocate(first_stream, size);
    Buffer tripled = pool.allocate(first_stream, size);
    Buffer arrived = second.allocate(second_stream, size);
    Buffer result = second.allocate(second_stream, size);

    const Triple triple_on_first = compile(first);
    copy(first_stream, source_buffer, numbers);
    triple_on_first(first_stream, config, source_buffer, tripled, n);

    // Copies from device to device, once device 0 is done.
    second_stream.wait(first_stream);
    copy(second_stream, arrived, tripled);  // the first copy also sets up the path between the devices
    const Event start = second_stream.record({.timing_enabled = true});
    copy(second_stream, arrived, tripled);
    const Event stop = second_stream.record({.timing_enabled = true});
    stop.synchronize();
    const Milliseconds time = stop - start;
    std::size_t wrong = wrong_elements(second_stream, arrived, numbers, 3);
    std::printf("copy of %zu MiB from 0 to 1: %.3f ms, %.0f GB/s, %zu elements are wrong\n", size >> 20, time.count(),
                static_cast<double>(size) / 1e6 / time.count(), wrong);

    // Runs a kernel on device 1 that reads the memory of device 0.
    if (can_reach) {
        const Triple triple_on_second = first.arch() == second.arch() ? triple_on_first : compile(second);
        triple_on_second(second_stream, config, tripled, result, n);
        const std::size_t wrong_in_place = wrong_elements(second_stream, result, numbers, 9);
        std::printf("a kernel on 1 read the memory of 0 directly: %zu elements are wrong\n", wrong_in_place);
        wrong += wrong_in_place;
    }

    // The memory is freed in the order of device 0's stream, so this stream must wait until device 1 no longer uses the memory.
    first_stream.wait(second_stream);
    return example::verdict(wrong == 0, can_reach ? "the copy and the values read in place equal those that device 0 computed"
                                                  : "the copy equals the values that device 0 computed");
}

}  // namespace

int main() {
    return example::run(peer_copy);
}
