// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times stream-ordered allocations, copies and fills through the high-level layer and through a function pointer.
/// benchmarks/core_cost runs this program and compares the times; alternate.hpp has its options.

#include <cubind/core/device/device.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/device_memory_resource.hpp>
#include <cubind/core/memory/pinned_memory_resource.hpp>

#include "plain.hpp"

namespace {

using namespace cubind::driver;

constexpr std::size_t allocation_size = 64 << 10;
constexpr std::size_t small_size = 64;
constexpr std::size_t staged_size = 4 << 10;

struct Setup {
    cubind::Device device{0};
    cubind::ContextRef before = device.set_current();  // as in most programs
    cubind::Stream stream{device};
    // native_handle() was called on this stream. Other code may therefore capture the stream, so each allocation on it queries
    // whether the stream is being captured.
    cubind::Stream exposed{device};
    CUstream plain_stream = exposed.native_handle();
    cubind::DeviceMemoryResource pool{device};
    cubind::Buffer destination = pool.allocate(stream, staged_size);
    cubind::Buffer source = pool.allocate(stream, small_size);
    cubind::Buffer pinned = cubind::LegacyPinnedMemoryResource().allocate(stream, staged_size);
};

Setup& setup() {
    static Setup& instance = *new Setup;
    return instance;
}

using Allocate = CUresult(CUdeviceptr*, std::size_t, CUmemoryPool, CUstream);
using Free = CUresult(CUdeviceptr, CUstream);

void add_allocations(Alternation& calls) {
    Setup& with = setup();
    const auto add = [&](const char* way, cubind::StreamRef stream, auto one) {
        add_call(calls, "alloc and free", way, stream, one);
    };
    add("plain", with.exposed,
        [allocate = plain<Allocate>("cuMemAllocFromPoolAsync"), free = plain<Free>("cuMemFreeAsync"),
         pool = with.pool.native_handle(), stream = with.plain_stream] {
            CUdeviceptr memory = 0;
            expect(allocate(&memory, allocation_size, pool, stream));
            expect(free(memory, stream));
        });
    add("DeviceMemoryResource", with.stream, [&with] { use(with.pool.allocate(with.stream, allocation_size)); });
    add("Device::allocate", with.stream, [&with] { use(with.device.allocate(with.stream, allocation_size)); });
    add("Device::allocate on a stream of other code", with.exposed,
        [&with] { use(with.device.allocate(with.exposed, allocation_size)); });
}

void add_copies(Alternation& calls, const char* call, const cubind::Buffer& source) {
    const auto add = [&](const char* way, auto one) { add_call(calls, call, way, setup().exposed, one); };
    add("plain", [copy = plain<CUresult(CUdeviceptr, CUdeviceptr, std::size_t, CUstream)>("cuMemcpyAsync"),
                  to = setup().destination.native_handle(), from = source.native_handle(), size = source.size(),
                  stream = setup().plain_stream] { expect(copy(to, from, size, stream)); });
    add("copy()", [&source, &to = setup().destination, &stream = setup().exposed] { cubind::copy(stream, to, source); });
}

void add_fills(Alternation& calls) {
    const auto add = [&](const char* way, auto one) { add_call(calls, "fill of 4 KB", way, setup().exposed, one); };
    add("plain", [fill = plain<CUresult(CUdeviceptr, unsigned int, std::size_t, CUstream)>("cuMemsetD32Async"),
                  to = setup().destination.native_handle(),
                  stream = setup().plain_stream] { expect(fill(to, 7, staged_size / 4, stream)); });
    add("fill()", [&to = setup().destination, &stream = setup().exposed] { cubind::fill(stream, to, 7u); });
}

void add(Alternation& calls) {
    add_allocations(calls);
    add_copies(calls, "copy of 64 B on the device", setup().source);
    add_copies(calls, "copy of 4 KB from pinned memory", setup().pinned);
    add_fills(calls);
}

}  // namespace

int main(int argc, char** argv) {
    return run_benchmarks(argc, argv, add);
}
