// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times launches of an empty kernel, event records and stream queries through the high-level layer, through the wrappers, and
/// through a function pointer as in a plain C++ program. benchmarks/core_cost runs this program and compares the times. It takes
/// the options of Google Benchmark.

#include <cubind/check.hpp>
#include <cubind/core/device.hpp>
#include <cubind/core/event.hpp>
#include <cubind/core/kernel_function.hpp>
#include <cubind/core/launch.hpp>
#include <cubind/core/stream.hpp>
#include <cubind/driver.hpp>

#include <string>
#include <utility>

#include "plain.hpp"

namespace {

using namespace cubind::driver;
using cubind::check;

constexpr const char* ptx = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry none() { ret; }
.visible .entry three(.param .u64 a, .param .f32 b, .param .u64 c) { ret; }
.visible .entry sixteen(.param .u64 a0, .param .u64 a1, .param .u64 a2, .param .u64 a3, .param .u64 a4, .param .u64 a5,
    .param .u64 a6, .param .u64 a7, .param .u64 a8, .param .u64 a9, .param .u64 a10, .param .u64 a11, .param .u64 a12,
    .param .u64 a13, .param .u64 a14, .param .u64 a15) { ret; }
)";

using PlainLaunch = CUresult(const CUlaunchConfig*, CUfunction, void**, void**);

struct Setup {
    cubind::Device device{0};
    cubind::ContextRef before = device.set_current();  // as in most programs
    cubind::Stream stream{device};
    cubind::Event event{device};
    CUlibrary library = check(cuLibraryLoadData(ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));

    cubind::Kernel kernel(const char* name) const { return cubind::Kernel::view_of(check(cuLibraryGetKernel(library, name))); }
};

Setup& setup() {
    static Setup& instance = *new Setup;
    return instance;
}

// ---- launches, all of the same shape ------------------------------------------------------------------------------------------

constexpr unsigned int blocks = 2;
constexpr unsigned int threads = 64;

template <class... Arguments>
using Signature = void(Arguments...);

/// `launch` makes the call: cuLaunchKernelEx of the driver, or the wrapper.
template <class Launch, class... Arguments>
void launch_raw(benchmark::State& state, const char* name, Launch launch, Arguments... arguments) {
    const auto function = reinterpret_cast<CUfunction>(setup().kernel(name).native_handle());
    const CUstream stream = setup().stream.native_handle();
    time_calls_on(state, stream, [&] {
        void* addresses[] = {&arguments..., nullptr};
        const CUlaunchConfig config{blocks, 1, 1, threads, 1, 1, 0, stream, nullptr, 0};
        expect(launch(&config, function, addresses, nullptr));
    });
}

template <class... Arguments>
void launch_layer(benchmark::State& state, const char* name, Arguments... arguments) {
    const cubind::Kernel kernel = setup().kernel(name);
    const cubind::StreamRef stream = setup().stream;
    time_calls_on(state, stream, [&] { cubind::launch(stream, {.grid = blocks, .block = threads}, kernel, arguments...); });
}

template <class... Arguments>
void launch_unchecked(benchmark::State& state, const char* name, Arguments... arguments) {
    const cubind::Kernel kernel = setup().kernel(name);
    const cubind::StreamRef stream = setup().stream;
    time_calls_on(state, stream,
                  [&] { cubind::launch_unchecked(stream, {.grid = blocks, .block = threads}, kernel, arguments...); });
}

template <class... Arguments>
void launch_function(benchmark::State& state, const char* name, Arguments... arguments) {
    const cubind::KernelFunction<Signature<Arguments...>> function(setup().kernel(name), setup().device);
    const cubind::StreamRef stream = setup().stream;
    time_calls_on(state, stream, [&] { function(stream, {.grid = blocks, .block = threads}, arguments...); });
}

CUresult launch_wrapper(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra) {
    return cuLaunchKernelEx(config, function, arguments, extra).status;
}

template <class... Arguments>
void add_launches(const char* title, const char* name, Arguments... arguments) {
    const auto add = [&](const char* way, auto run) {
        benchmark::RegisterBenchmark((std::string(title) + "/" + way).c_str(), run);
    };
    add("plain", [=](benchmark::State& state) { launch_raw(state, name, plain<PlainLaunch>("cuLaunchKernelEx"), arguments...); });
    add("wrapper", [=](benchmark::State& state) { launch_raw(state, name, launch_wrapper, arguments...); });
    add("launch", [=](benchmark::State& state) { launch_layer(state, name, arguments...); });
    add("launch_unchecked", [=](benchmark::State& state) { launch_unchecked(state, name, arguments...); });
    add("KernelFunction", [=](benchmark::State& state) { launch_function(state, name, arguments...); });
}

template <std::size_t... index>
void add_sixteen(std::index_sequence<index...>) {
    add_launches("launch of 16 arguments", "sixteen", CUdeviceptr{index}...);
}

// ---- events and streams --------------------------------------------------------------------------------------------------

/// `call` makes the call in one of three ways.
template <class Call>
void add_call(const char* name, Call call) {
    benchmark::RegisterBenchmark(
        name, [=](benchmark::State& state) { time_calls_on(state, setup().stream, [&, &with = setup()] { call(with); }); });
}

void add_calls() {
    add_call("event record/plain", [record = plain<CUresult(CUevent, CUstream)>("cuEventRecord")](const Setup& with) {
        expect(record(with.event.native_handle(), with.stream.native_handle()));
    });
    add_call("event record/wrapper",
             [](const Setup& with) { expect(cuEventRecord(with.event.native_handle(), with.stream.native_handle()).status); });
    add_call("event record/StreamRef", [](const Setup& with) { with.stream.record(with.event); });
    add_call("stream query/plain", [query = plain<CUresult(CUstream)>("cuStreamQuery")](const Setup& with) {
        benchmark::DoNotOptimize(query(with.stream.native_handle()));
    });
    add_call("stream query/wrapper",
             [](const Setup& with) { benchmark::DoNotOptimize(cuStreamQuery(with.stream.native_handle()).status); });
    add_call("stream query/StreamRef", [](const Setup& with) { benchmark::DoNotOptimize(with.stream.is_done()); });
}

void add() {
    setup();
    add_launches("launch of no arguments", "none");
    add_launches("launch of 3 arguments", "three", CUdeviceptr{16}, 2.0f, std::size_t{3});
    add_sixteen(std::make_index_sequence<16>());
    add_calls();
}

}  // namespace

int main(int argc, char** argv) {
    return run_benchmarks(argc, argv, add);
}
