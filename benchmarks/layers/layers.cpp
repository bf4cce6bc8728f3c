// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times calls of functions that do nothing: without layers, with each layer, and after the layers are disabled again.
/// benchmarks/layer_cost runs this program and compares the times. It takes the options of Google Benchmark.

#include <cubind/driver.hpp>
#include <cubind/driver/loading.hpp>
#include <cubind/layers.hpp>
#include <cubind/substitute.hpp>

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

namespace {

namespace driver = cubind::driver;
namespace layers = cubind::layers;
using namespace driver;

CUresult create_stream(CUstream* stream, unsigned) {
    *stream = reinterpret_cast<CUstream>(0x12300);
    return CUDA_SUCCESS;
}
CUresult create_event(CUevent* event, unsigned) {
    *event = reinterpret_cast<CUevent>(0x12340);
    return CUDA_SUCCESS;
}
CUresult get_function(CUfunction* function, CUmodule, const char*) {
    *function = reinterpret_cast<CUfunction>(0x12420);
    return CUDA_SUCCESS;
}
CUresult get_current(CUcontext* context) {
    *context = reinterpret_cast<CUcontext>(0x12380);
    return CUDA_SUCCESS;
}
CUresult allocate(CUdeviceptr* address, std::size_t) {
    *address = 0x7f0000000000;
    return CUDA_SUCCESS;
}
CUresult release(CUdeviceptr) {
    return CUDA_SUCCESS;
}
CUresult copy(CUdeviceptr, const void*, std::size_t) {
    return CUDA_SUCCESS;
}
CUresult record(CUevent, CUstream) {
    return CUDA_SUCCESS;
}
CUresult launch(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void**, void**) {
    return CUDA_SUCCESS;
}

template <class Function>
void* address_of(Function* function) {
    return reinterpret_cast<void*>(function);
}

void* find(const char* symbol) noexcept {
    const struct {
        const char* name;
        void* address;
    } rows[] = {{"cuStreamCreate", address_of(create_stream)},
                {"cuEventCreate", address_of(create_event)},
                {"cuCtxGetCurrent", address_of(get_current)},
                {"cuMemAlloc_v2", address_of(allocate)},
                {"cuModuleGetFunction", address_of(get_function)},
                {"cuMemFree_v2", address_of(release)},
                {"cuMemcpyHtoD_v2", address_of(copy)},
                {"cuEventRecord", address_of(record)},
                {"cuLaunchKernel", address_of(launch)}};
    for (const auto& row : rows) {
        if (std::string_view(symbol) == row.name) return row.address;
    }
    return nullptr;
}

constexpr cubind::Substitute stand_in{.path = "stand-in", .found_via = "the benchmark", .find = find};

struct Objects {
    CUstream stream = cuStreamCreate(0).value;
    CUevent event = cuEventCreate(0).value;
    CUfunction function = cuModuleGetFunction(nullptr, "kernel").value;
    char bytes[64] = {};
};

void expect(bool succeeded) {
    if (!succeeded) std::abort();
}

struct Case {
    const char* name;
    void (*call)(Objects&);
};

constexpr Case cases[] = {
    {"cuEventRecord", [](Objects& objects) { expect(cuEventRecord(objects.event, objects.stream).ok()); }},
    {"cuMemcpyHtoD", [](Objects& objects) { expect(cuMemcpyHtoD(64, objects.bytes, 64).ok()); }},
    {"cuMemAlloc", [](Objects&) { expect(cuMemAlloc(64).ok()); }},
    {"cuMemFree", [](Objects&) { expect(cuMemFree(64).ok()); }},
    {"cuCtxGetCurrent", [](Objects&) { expect(cuCtxGetCurrent().ok()); }},
    {"cuLaunchKernel",
     [](Objects& objects) {
         expect(cuLaunchKernel(objects.function, 1, 2, 3, 4, 5, 6, 7, objects.stream, nullptr, nullptr).ok());
     }},
};

struct Mode {
    const char* name;
    void (*start)();
    void (*stop)();
};

void do_nothing() {}

constexpr Mode modes[] = {
    {"off", do_nothing, do_nothing},
    {"off again",
     [] {
         layers::trace::start({.memory = 1 << 16});
         layers::trace::stop();
     },
     do_nothing},
    {"trace", [] { layers::trace::start({.memory = 1 << 20}); }, layers::trace::stop},
    {"validate", [] { layers::validate::start({.action = layers::validate::Action::fail}); }, layers::validate::stop},
    {"faults", layers::faults::start, layers::faults::stop},
    {"leaks", layers::leaks::start, layers::leaks::stop},
};

void repeat(benchmark::State& state, const Case& benchmark_case, const Mode& mode) {
    mode.start();
    {
        Objects objects;
        benchmark_case.call(objects);
        for (auto _ : state) benchmark_case.call(objects);
    }
    mode.stop();
}

}  // namespace

int main(int argc, char** argv) {
    cubind::substitute(driver::library(), driver::all_entry_points(), &stand_in);
    for (const Case& benchmark_case : cases) {
        for (const Mode& mode : modes) {
            const std::string name = std::string(benchmark_case.name) + "/" + mode.name;
            benchmark::RegisterBenchmark(name.c_str(), [&](benchmark::State& state) { repeat(state, benchmark_case, mode); });
        }
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
