// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// Times launches of an empty kernel through the high-level layer, through the wrappers, and through a function pointer as in a
/// plain C++ program. benchmarks/core_cost runs this program and compares the times; alternate.hpp has its options.

#include <cubind/check.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver.hpp>
#include <cubind/kernels/embedded_kernel.hpp>

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

constinit const cubind::EmbeddedCode code{{.name = "launch.ptx", .code = ptx, .compiled = cubind::CodeType::ptx}};

using PlainLaunch = CUresult(const CUlaunchConfig*, CUfunction, void**, void**);

struct Setup {
    cubind::Device device{0};
    cubind::ContextRef before = device.set_current();  // as in most programs
    cubind::Stream stream{device};
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
auto raw(const char* name, Launch launch, Arguments... arguments) {
    return [=, function = reinterpret_cast<CUfunction>(setup().kernel(name).native_handle()),
            stream = setup().stream.native_handle()]() mutable {
        void* addresses[] = {&arguments..., nullptr};
        const CUlaunchConfig config{blocks, 1, 1, threads, 1, 1, 0, stream, nullptr, 0};
        expect(launch(&config, function, addresses, nullptr));
    };
}

CUresult launch_wrapper(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra) {
    return cuLaunchKernelEx(config, function, arguments, extra).status;
}

template <class... Arguments>
void add_launches(Alternation& calls, const char* call, const char* name, Arguments... arguments) {
    const cubind::StreamRef stream = setup().stream;
    const cubind::Kernel kernel = setup().kernel(name);
    const cubind::KernelFunction<Signature<Arguments...>> function(kernel, setup().device);
    static const cubind::EmbeddedKernel<Signature<Arguments...>> embedded(code, name);
    const auto add = [&](const char* way, auto one) { add_call(calls, call, way, stream, one); };
    add("plain", raw(name, plain<PlainLaunch>("cuLaunchKernelEx"), arguments...));
    add("wrapper", raw(name, launch_wrapper, arguments...));
    add("launch", [=] { cubind::launch(stream, {.grid = blocks, .block = threads}, kernel, arguments...); });
    add("launch_unchecked", [=] { cubind::launch_unchecked(stream, {.grid = blocks, .block = threads}, kernel, arguments...); });
    add("KernelFunction", [=] { function(stream, {.grid = blocks, .block = threads}, arguments...); });
    add("EmbeddedKernel", [=] { embedded(stream, {.grid = blocks, .block = threads}, arguments...); });
}

template <std::size_t... index>
void add_sixteen(Alternation& calls, std::index_sequence<index...>) {
    add_launches(calls, "launch of 16 arguments", "sixteen", CUdeviceptr{index}...);
}

void add(Alternation& calls) {
    add_launches(calls, "launch of no arguments", "none");
    add_launches(calls, "launch of 3 arguments", "three", CUdeviceptr{16}, 2.0f, std::size_t{3});
    add_sixteen(calls, std::make_index_sequence<16>());
}

}  // namespace

int main(int argc, char** argv) {
    return run_benchmarks(argc, argv, add);
}
