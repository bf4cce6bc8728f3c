// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times allocating, freeing, copying and filling through the high-level layer beside the same calls of the driver's own functions. It
/// needs a GPU; the options are Google Benchmark's. Pairs have the same name but for "raw" and "cubind".

#include <cubind/core/buffer.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/device_memory_resource.hpp>
#include <cubind/core/stream.hpp>

#include <benchmark/benchmark.h>

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace {

using namespace cubind;

constexpr std::size_t size = 1 << 16;
constexpr int calls_between_waits = 256;

/// A function of the driver, without anything of cubind.
template <class Function>
Function* raw(const char* symbol) {
    static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    void* const found = library != nullptr ? dlsym(library, symbol) : nullptr;
    if (found == nullptr) {
        std::fprintf(stderr, "no %s: is there a driver?\n", symbol);
        std::exit(2);
    }
    return reinterpret_cast<Function*>(found);
}

const auto allocate_from_pool =
    raw<int(driver::CUdeviceptr*, std::size_t, driver::CUmemoryPool, driver::CUstream)>("cuMemAllocFromPoolAsync");
const auto free_in_order = raw<int(driver::CUdeviceptr, driver::CUstream)>("cuMemFreeAsync");
const auto copy_in_order = raw<int(driver::CUdeviceptr, driver::CUdeviceptr, std::size_t, driver::CUstream)>("cuMemcpyAsync");
const auto fill_in_order = raw<int(driver::CUdeviceptr, unsigned int, std::size_t, driver::CUstream)>("cuMemsetD32Async");

/// Work of which the stream must not have too much: it is waited for, out of the time, now and then.
template <class Call>
void repeat(benchmark::State& state, StreamRef stream, Call call) {
    int calls = 0;
    for (auto _ : state) {
        call();
        if (++calls % calls_between_waits != 0) continue;
        state.PauseTiming();
        stream.synchronize();
        state.ResumeTiming();
    }
    stream.synchronize();
}

void add(const char* name, auto body) {
    benchmark::RegisterBenchmark(name, body);
}

}  // namespace

int main(int count, char** options) {
    benchmark::Initialize(&count, options);
    const Device device;
    device.set_current();
    const Stream stream(device);
    const DeviceMemoryResource pool(device);
    Buffer destination = pool.allocate(size, stream);
    const Buffer source = pool.allocate(size, stream);
    const driver::CUstream handle = stream.native_handle();
    const driver::CUdeviceptr to = destination.native_handle();
    const driver::CUdeviceptr from = source.native_handle();

    add("alloc_free/raw", [&](benchmark::State& state) {
        repeat(state, stream, [&] {
            driver::CUdeviceptr memory = 0;
            allocate_from_pool(&memory, size, pool.native_handle(), handle);
            free_in_order(memory, handle);
        });
    });
    add("alloc_free/cubind", [&](benchmark::State& state) {
        repeat(state, stream, [&] { benchmark::DoNotOptimize(pool.allocate(size, stream)); });
    });
    add("alloc_free/cubind Device::allocate", [&](benchmark::State& state) {
        repeat(state, stream, [&] { benchmark::DoNotOptimize(device.allocate(size, stream)); });
    });
    add("copy/raw", [&](benchmark::State& state) { repeat(state, stream, [&] { copy_in_order(to, from, size, handle); }); });
    add("copy/cubind", [&](benchmark::State& state) { repeat(state, stream, [&] { copy(stream, destination, source); }); });
    add("fill/raw", [&](benchmark::State& state) { repeat(state, stream, [&] { fill_in_order(to, 7, size / 4, handle); }); });
    add("fill/cubind", [&](benchmark::State& state) { repeat(state, stream, [&] { fill(stream, destination, 7); }); });
    benchmark::RunSpecifiedBenchmarks();
}
