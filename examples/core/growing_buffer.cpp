// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A list on the device whose length is not known in advance. The list grows between two launches without moving: the results
// of earlier launches stay at their addresses, and nothing is copied.

#include <cubind/core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr unsigned int candidates = 1u << 18;  // for each launch
constexpr int launches = 4;
const LaunchConfig config{.grid = blocks_for(candidates, 256), .block = 256};

struct Hit {
    std::uint64_t seed;
    std::uint64_t value;
};

const char* const source = R"(
struct Hit { unsigned long long seed; unsigned long long value; };

extern "C" __global__ void search(Hit* hits, unsigned int* count, unsigned long long first, unsigned int candidates)
{
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= candidates) return;
    unsigned long long seed = first + i;
    unsigned long long value = seed * 6364136223846793005ull + 1442695040888963407ull;
    value ^= value >> 33;
    if (value % 2 != 0) hits[atomicAdd(count, 1u)] = Hit{seed, value};
}
)";

std::vector<std::uint64_t> expected_seeds() {
    std::vector<std::uint64_t> seeds;
    for (std::uint64_t seed = 0; seed < std::uint64_t{candidates} * launches; ++seed) {
        std::uint64_t value = seed * 6364136223846793005ull + 1442695040888963407ull;
        value ^= value >> 33;
        if (value % 2 != 0) seeds.push_back(seed);
    }
    return seeds;
}

int growing_buffer() {
    const Device device;
    if (!device.properties().virtual_memory_management_supported()) return example::skip("the device has no virtual memory.");
    device.set_current();
    const Stream stream(device);
    std::printf("%s\n", device.name().c_str());
    const Kernel search = Program(source, {.arch = "compute_" + device.arch()}).compile(CodeType::ptx).kernel("search");

    const VirtualMemoryResource memory(device);
    VirtualBuffer hits(memory, stream, candidates * sizeof(Hit));
    const driver::CUdeviceptr address = hits.native_handle();
    TypedBuffer<unsigned int> count = device.allocate<unsigned int>(stream, 1);
    fill(stream, count, 0u);

    unsigned int found = 0;
    for (int each = 0; each < launches; ++each) {
        const std::size_t required = (found + candidates) * sizeof(Hit);  // if every candidate is a hit
        if (required > hits.size()) hits.grow(required);
        launch(stream, config, search, hits, count, std::uint64_t{candidates} * static_cast<unsigned int>(each), candidates);
        copy(stream, found, count);
        stream.synchronize();
        std::printf("%7u hits, memory for %5zu KiB\n", found, hits.capacity() >> 10);
    }

    std::vector<Hit> results(found);
    copy(stream, results, hits.span<Hit>().first(found));
    stream.synchronize();
    std::vector<std::uint64_t> seeds;
    for (const Hit& hit : results) seeds.push_back(hit.seed);
    std::ranges::sort(seeds);
    return example::verdict(seeds == expected_seeds() && hits.native_handle() == address && hits.capacity() >= hits.size(),
                            "the list has every hit once, and has kept its address while it grew");
}

}  // namespace

int main() {
    return example::run(growing_buffer);
}
