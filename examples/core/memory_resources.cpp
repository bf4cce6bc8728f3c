// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Memory resources: the default pool of the device, a separate pool, adaptors that limit, count and log, pinned host
// memory, and managed memory that host and device use. The resource that allocated a Buffer frees it, in stream order.

#include <cubind/core.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr std::size_t n = std::size_t{1} << 20;
constexpr std::size_t size = n * sizeof(std::uint32_t);  // 4 MiB

void describe(const char* what, const Buffer& buffer) {
    const auto yes = [](bool value) { return value ? "yes" : "no"; };
    std::printf("%-16s %7zu KiB   device: %-3s   host: %-3s   managed: %s\n", what, buffer.size() >> 10,
                yes(buffer.is_device_accessible()), yes(buffer.is_host_accessible()), yes(buffer.is_managed()));
}

// Copies data from host memory to pinned memory, to a device buffer, to another device buffer, and back to host memory. Fills a
// part of the data in between.
bool copies(Device device, const Stream& stream) {
    std::vector<std::uint32_t> numbers(n);
    std::iota(numbers.begin(), numbers.end(), 0u);

    const LegacyPinnedMemoryResource pinned;
    Buffer staging = pinned.allocate(stream, size);
    Buffer first = device.allocate(stream, size);
    Buffer second = device.allocate(stream, size);
    describe("pinned", staging);
    describe("device", first);

    std::ranges::copy(numbers, staging.span<std::uint32_t>().begin());  // the host may write to pinned memory directly
    copy(stream, first, staging);
    copy(stream, second, first);
    fill(stream, second.span<std::uint32_t>().first(1000), 7);
    std::vector<std::uint32_t> result(n);
    copy(stream, result, second);
    stream.synchronize();

    std::fill_n(numbers.begin(), 1000, 7u);
    return result == numbers;
}

// Each adaptor is a resource that allocates from another resource, so adaptors can be stacked.
bool adaptors(Device device, const Stream& stream) {
    const DeviceMemoryResource pool(device,
                                    {.release_threshold = 8 * size});  // bytes that the pool does not return to the device
    std::atomic<int> handed_out = 0;
    const LoggingMemoryResource logged(pool, [&handed_out](const MemoryEvent& event) {
        if (event.kind == MemoryEvent::Kind::allocated) ++handed_out;
    });
    const StatisticsMemoryResource counted(logged);
    const LimitMemoryResource limited(counted, 2 * size);

    std::string refusal;
    {
        const Buffer one = limited.allocate(stream, size);
        const Buffer two = limited.allocate(stream, size);
        try {
            const Buffer three = limited.allocate(stream, size);
        } catch (const OutOfMemory& error) {
            refusal = error.what();
        }
    }
    const MemoryStatistics statistics = counted.statistics();
    std::printf("rejected: %s\n", refusal.c_str());
    std::printf("separate pool: %zu allocations, at most %zu KiB at once, %zu KiB now\n", statistics.total_count,
                statistics.peak_size >> 10, statistics.current_size >> 10);

    stream.synchronize();
    const std::uint64_t retained = pool.attributes().reserved_mem_current();
    pool.trim();
    std::printf("the pool retained %ju KiB of the device, and %ju KiB after trim()\n", std::uintmax_t{retained >> 10},
                std::uintmax_t{pool.attributes().reserved_mem_current() >> 10});
    return !refusal.empty() && handed_out == 2 && statistics.total_count == 2 && statistics.peak_size == 2 * size &&
           statistics.current_size == 0 && pool.attributes().used_mem_current() == 0;
}

// The driver migrates managed memory to the processor that uses it. A prefetch migrates it before the work that needs it.
bool managed(Device device, const Stream& stream) {
    const ManagedMemoryResource resource;
    Buffer buffer = resource.allocate(stream, size);
    describe("managed", buffer);
    const std::span<std::uint32_t> numbers = buffer.span<std::uint32_t>();

    const bool can_prefetch = device.properties().concurrent_managed_access();
    if (can_prefetch) prefetch(stream, buffer, device);
    fill(stream, numbers, 41);  // on the device
    if (can_prefetch) prefetch(stream, buffer, Host{});
    stream.synchronize();
    for (std::uint32_t& number : numbers) ++number;  // on the host, at the same address
    return PointerAttributes::of(numbers.data()).kind == MemoryType::managed &&
           std::ranges::all_of(numbers, [](std::uint32_t number) { return number == 42; });
}

int memory_resources() {
    const Device device;
    const Stream stream(device);
    std::printf("%s\n", device.name().c_str());
    const bool copied = copies(device, stream);
    const bool counted = adaptors(device, stream);
    const bool moved = managed(device, stream);
    return example::verdict(copied && counted && moved,
                            "the copies are correct, the limit holds, all memory is freed, "
                            "and host and device share managed memory");
}

}  // namespace

int main() {
    return example::run(memory_resources);
}
