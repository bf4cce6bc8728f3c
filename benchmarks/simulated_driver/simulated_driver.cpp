// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
/// Times calls of the simulated driver. benchmarks/simulated_driver_cost runs this program and compares the times. It takes the
/// options of Google Benchmark.

#include <cubind/driver.hpp>
#include <cubind/sim/install.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cubin_writer.hpp"

namespace {

using namespace cubind::driver;

constexpr std::size_t large = std::size_t{64} << 20;

void require(CUresult status) {
    if (status != CUDA_SUCCESS) std::abort();
}

/// Allocates other memory, as a real program does. The simulated driver must find the memory of the measured calls among these
/// allocations.
std::vector<CUdeviceptr> other_memory() {
    std::vector<CUdeviceptr> all(1000);
    for (CUdeviceptr& each : all) each = cuMemAlloc(4096).value;
    return all;
}

void current_context(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(cuCtxGetCurrent());
}

void pointer_attribute(benchmark::State& state) {
    const CUdeviceptr memory = cuMemAlloc(4096).value;
    unsigned type = 0;
    for (auto _ : state) require(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory).status);
    require(cuMemFree(memory).status);
}

void event_record(benchmark::State& state) {
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUevent event = cuEventCreate(CU_EVENT_DEFAULT).value;
    for (auto _ : state) require(cuEventRecord(event, stream).status);
    require(cuEventDestroy(event).status);
    require(cuStreamDestroy(stream).status);
}

void event_query(benchmark::State& state) {
    const CUevent event = cuEventCreate(CU_EVENT_DEFAULT).value;
    require(cuEventRecord(event, nullptr).status);
    for (auto _ : state) require(cuEventQuery(event).status);
    require(cuEventDestroy(event).status);
}

void stream_query(benchmark::State& state) {
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    for (auto _ : state) require(cuStreamQuery(stream).status);
    require(cuStreamDestroy(stream).status);
}

void copy_to_device(benchmark::State& state) {
    const CUdeviceptr memory = cuMemAlloc(4096).value;
    const int value = 7;
    for (auto _ : state) require(cuMemcpyHtoD(memory, &value, sizeof value).status);
    require(cuMemFree(memory).status);
}

void copy_to_host(benchmark::State& state) {
    const CUdeviceptr memory = cuMemAlloc(4096).value;
    int value = 0;
    for (auto _ : state) require(cuMemcpyDtoH(&value, memory, sizeof value).status);
    require(cuMemFree(memory).status);
}

// Allocations and frees run in batches, so that each can be timed separately and the cost of the clock is negligible.
constexpr std::size_t batch = 256;

void free_all(std::vector<CUdeviceptr>& memory) {
    for (const CUdeviceptr each : memory) require(cuMemFree(each).status);
}

void allocate_all(std::vector<CUdeviceptr>& memory) {
    for (CUdeviceptr& each : memory) each = cuMemAlloc(4096).value;
}

void allocate(benchmark::State& state) {
    std::vector<CUdeviceptr> memory(batch);
    while (state.KeepRunningBatch(batch)) {
        allocate_all(memory);
        state.PauseTiming();
        free_all(memory);
        state.ResumeTiming();
    }
}

void free_memory(benchmark::State& state) {
    std::vector<CUdeviceptr> memory(batch);
    while (state.KeepRunningBatch(batch)) {
        state.PauseTiming();
        allocate_all(memory);
        state.ResumeTiming();
        free_all(memory);
    }
}

void host_function(benchmark::State& state) {
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    while (state.KeepRunningBatch(batch)) {
        for (std::size_t i = 0; i < batch; ++i) {
            require(cuLaunchHostFunc(
                        stream, [](void*) {}, nullptr)
                        .status);
        }
        state.PauseTiming();
        require(cuStreamSynchronize(stream).status);
        state.ResumeTiming();
    }
    require(cuStreamDestroy(stream).status);
}

void large_copy(benchmark::State& state) {
    const CUdeviceptr from = cuMemAlloc(large).value;
    const CUdeviceptr to = cuMemAlloc(large).value;
    require(cuMemsetD8(from, 1, large).status);
    require(cuMemsetD8(to, 2, large).status);
    for (auto _ : state) require(cuMemcpyDtoD(to, from, large).status);
    require(cuMemFree(from).status);
    require(cuMemFree(to).status);
}

void large_memcpy(benchmark::State& state) {
    const std::vector<char> from(large, 1);
    std::vector<char> to(large, 2);
    for (auto _ : state) {
        std::memcpy(to.data(), from.data(), large);
        benchmark::ClobberMemory();
    }
}

// 1,000 kernels with 8 parameters each, as ptxas of CUDA 13 lays them out, without their machine code.
const std::string& large_cubin() {
    static const std::string cubin = [] {
        using cubind::testing::CubinWriter;
        CubinWriter writer(CubinWriter::cuda_13, 90);
        for (int i = 0; i < 1000; ++i) {
            CubinWriter::Kernel kernel{.name = "kernel_with_a_mangled_name_" + std::to_string(i)};
            for (std::uint16_t offset = 0; offset < 64; offset += 8) kernel.parameters.push_back({offset, 8});
            writer.add(kernel);
        }
        return writer.finish();
    }();
    return cubin;
}

void load_cubin(benchmark::State& state) {
    const std::string& cubin = large_cubin();
    for (auto _ : state) {
        const auto [status, module] = cuModuleLoadData(cubin.data());
        require(status);
        state.PauseTiming();
        require(cuModuleUnload(module).status);
        state.ResumeTiming();
    }
}

void copy_cubin(benchmark::State& state) {
    const std::string& cubin = large_cubin();
    std::vector<char> copy(cubin.size());
    for (auto _ : state) {
        std::memcpy(copy.data(), cubin.data(), cubin.size());
        benchmark::ClobberMemory();
    }
}

}  // namespace

int main(int argc, char** argv) {
    cubind::sim::install();
    require(cuInit(0).status);
    require(cuCtxCreate_v2(0, 0).status);
    // Starts a second thread. In a process with one thread, reference counting is cheaper than in a program that enqueues work.
    require(cuLaunchHostFunc(
                nullptr, [](void*) {}, nullptr)
                .status);
    const std::vector<CUdeviceptr> others = other_memory();
    benchmark::RegisterBenchmark("cuCtxGetCurrent", current_context);
    benchmark::RegisterBenchmark("cuPointerGetAttribute", pointer_attribute);
    benchmark::RegisterBenchmark("cuEventRecord, idle stream", event_record);
    benchmark::RegisterBenchmark("cuEventQuery, idle stream", event_query);
    benchmark::RegisterBenchmark("cuStreamQuery, idle stream", stream_query);
    benchmark::RegisterBenchmark("cuMemcpyHtoD of 4 B", copy_to_device);
    benchmark::RegisterBenchmark("cuMemcpyDtoH of 4 B", copy_to_host);
    benchmark::RegisterBenchmark("cuMemAlloc", allocate);
    benchmark::RegisterBenchmark("cuMemFree", free_memory);
    benchmark::RegisterBenchmark("cuLaunchHostFunc", host_function);
    benchmark::RegisterBenchmark("cuMemcpyDtoD of 64 MiB", large_copy);
    benchmark::RegisterBenchmark("memcpy of 64 MiB", large_memcpy);
    benchmark::RegisterBenchmark("cuModuleLoadData of a cubin of 1,000 kernels", load_cubin);
    benchmark::RegisterBenchmark("memcpy of the cubin", copy_cubin);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    cubind::sim::uninstall();
    return 0;
}
