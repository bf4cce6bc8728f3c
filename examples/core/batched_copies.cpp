// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Many small copies: one call for each, compared with one call for all of them. Then, pieces of managed memory that are migrated
// and discarded with one call each.

#include <cubind/core.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr std::size_t pieces = 1024;
constexpr std::size_t elements = 256;  // of each piece
constexpr int repetitions = 20;

/// Returns the shortest time, in microseconds, of several calls of submit() and the work that it submits.
template <class Submit>
double shortest_time(const Stream& stream, const Submit& submit) {
    using Clock = std::chrono::steady_clock;
    double shortest = 1e30;
    for (int i = 0; i < repetitions; ++i) {
        const Clock::time_point start = Clock::now();
        submit();
        stream.synchronize();
        shortest = std::min(shortest, std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    return shortest;
}

/// Copies the pieces in reverse order from pinned memory to the device, and returns whether they have arrived.
bool copy_pieces(const Device& device, const Stream& stream) {
    const LegacyPinnedMemoryResource pinned;
    const auto source = pinned.allocate<std::uint32_t>(stream, pieces * elements);
    std::iota(source.span().begin(), source.span().end(), 0u);
    const auto one_by_one = device.allocate<std::uint32_t>(stream, pieces * elements);
    const auto batched = device.allocate<std::uint32_t>(stream, pieces * elements);
    const auto piece = [](const TypedBuffer<std::uint32_t>& buffer, std::size_t i) {
        return buffer.subspan(i * elements, elements);
    };

    const double single_time = shortest_time(stream, [&] {
        for (std::size_t i = 0; i < pieces; ++i) copy(stream, piece(one_by_one, pieces - 1 - i), piece(source, i));
    });
    std::vector<CopyPiece> batch;
    for (std::size_t i = 0; i < pieces; ++i) batch.emplace_back(piece(batched, pieces - 1 - i), piece(source, i));
    const double batch_time = shortest_time(stream, [&] { copy_batch(stream, batch); });
    std::printf("%zu copies of %zu bytes\n", pieces, elements * sizeof(std::uint32_t));
    std::printf("  one by one:   %9.1f us\n", single_time);
    std::printf("  as one batch: %9.1f us\n", batch_time);

    std::vector<std::uint32_t> expected;
    for (std::size_t i = pieces; i-- > 0;) {
        for (std::size_t k = 0; k < elements; ++k) expected.push_back(static_cast<std::uint32_t>(i * elements + k));
    }
    std::vector<std::uint32_t> first(expected.size());
    std::vector<std::uint32_t> second(expected.size());
    copy(stream, first, one_by_one);
    copy(stream, second, batched);
    stream.synchronize();
    return first == expected && second == expected;
}

/// Returns managed memory without its contents to the host, which is about to replace them.
const char* return_without_contents(const Stream& stream, const std::vector<ManagedMemory>& memory) {
    try {
        discard_prefetch_batch(stream, memory, Host{});
        return "without their contents";
    } catch (const Error&) {
        prefetch_batch(stream, memory, Host{});
        return "with their contents, because drivers before CUDA 13.0 discard nothing";
    }
}

/// Migrates managed memory between the host and the device, and returns whether the device reads what the host has written last.
bool migrate_pieces(const Device& device, const Stream& stream) {
    constexpr std::size_t count = 4;
    constexpr std::size_t size = std::size_t{1} << 18;
    const ManagedMemoryResource managed;
    std::vector<TypedBuffer<std::uint32_t>> buffers;
    std::vector<ManagedMemory> memory;
    for (std::size_t i = 0; i < count; ++i) {
        buffers.push_back(managed.allocate<std::uint32_t>(stream, size));
        memory.emplace_back(buffers.back().span());
    }
    prefetch_batch(stream, memory, device);
    for (auto& each : buffers) fill(stream, each, 1u);
    const char* const how = return_without_contents(stream, memory);
    stream.synchronize();
    for (auto& each : buffers) std::ranges::fill(each.span(), 7u);
    prefetch_batch(stream, memory, device);
    std::printf("%zu pieces of %zu KiB of managed memory were migrated to the device, and back %s\n", count,
                size * sizeof(std::uint32_t) / 1024, how);

    std::vector<std::uint32_t> results(size);
    return std::ranges::all_of(buffers, [&](const auto& each) {
        copy(stream, results, each);
        stream.synchronize();
        return std::ranges::all_of(results, [](std::uint32_t value) { return value == 7; });
    });
}

int batched_copies() {
    const Device device;
    const Stream stream(device);
    std::printf("%s\n", device.name().c_str());
    const bool is_copied = copy_pieces(device, stream);
    bool is_migrated = true;
    if (device.properties().concurrent_managed_access()) {
        is_migrated = migrate_pieces(device, stream);
    } else {
        std::printf("The device cannot migrate managed memory in advance.\n");
    }
    return example::verdict(is_copied && is_migrated, "both ways copied every piece, and migrated memory has the right values");
}

}  // namespace

int main() {
    return example::run(batched_copies);
}
