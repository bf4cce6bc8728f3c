// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times the calls of benchmarks/core that CCCL also provides. benchmarks/core_cost runs this program. The headers of CUDA 13.0
/// have only a stream view that can be queried. Later headers also have events and pools. cuda::launch requires nvcc, and CCCL
/// has no graphs.

#include <cuda/stream_ref>
#include <cuda/version>

#include "../time_calls.hpp"
#if __has_include(<cuda/stream>)
#include <cuda/stream>
#endif
#if __has_include(<cuda/memory_pool>)
#include <cuda/memory_pool>
#endif
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void expect(cudaError_t status) {
    if (status != cudaSuccess) [[unlikely]]
        std::abort();
}

template <class Call>
void add_call(const std::string& name, cuda::stream_ref stream, Call call) {
    const std::string way = "/CCCL " + std::to_string(CCCL_MAJOR_VERSION) + "." + std::to_string(CCCL_MINOR_VERSION);
    benchmark::RegisterBenchmark((name + way).c_str(), [=](benchmark::State& state) {
        time_calls(
            state, [=] { expect(cudaStreamSynchronize(stream.get())); }, call);
    });
}

void add_queries(cuda::stream_ref stream) {
#if __has_include(<cuda/stream>)
    add_call("stream query", stream, [=] { benchmark::DoNotOptimize(stream.is_done()); });
#else
    add_call("stream query", stream, [=] { benchmark::DoNotOptimize(stream.ready()); });
#endif
}

void add_events([[maybe_unused]] cuda::stream_ref stream) {
#if __has_include(<cuda/stream>)
    static const cuda::event event(stream);
    add_call("event record", stream, [=] { event.record(stream); });
#endif
}

void add_allocations([[maybe_unused]] cuda::stream_ref stream) {
#if __has_include(<cuda/memory_pool>)
    constexpr std::size_t allocated = 64 << 10;
    static auto& pool = cuda::device_default_memory_pool(cuda::device_ref(0));
    add_call("alloc and free", stream, [=] { pool.deallocate(stream, pool.allocate(stream, allocated), allocated); });
#endif
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    if (cudaSetDevice(0) != cudaSuccess) {
        std::fputs("no GPU\n", stderr);
        return 77;
    }
    cudaStream_t stream = nullptr;
    expect(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    add_queries(stream);
    add_events(stream);
    add_allocations(stream);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
