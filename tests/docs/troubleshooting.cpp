// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Fails in the way that the argument names, and prints the message, for docs/troubleshooting.md. troubleshooting_test.py starts
// it once for each message, with the environment that the failure needs, because many of them cost a process its context.

#include <cubind/core.hpp>
#include <cubind/driver.hpp>
#include <cubind/layers/faults.hpp>
#include <cubind/nvrtc.hpp>
#include <cubind/runtime.hpp>
#include <cubind/version_problems.hpp>

#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace cubind;

namespace {

constexpr const char* kernels = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry store(.param .u64 pointer, .param .u32 offset) {
    .reg .u64 %p, %o;
    .reg .u32 %n;
    ld.param.u64 %p, [pointer];
    ld.param.u32 %n, [offset];
    cvt.u64.u32 %o, %n;
    add.u64 %p, %p, %o;
    st.global.u32 [%p], 7;
    ret;
}
.visible .entry spin() {
again:
    bra again;
}
)";

Kernel kernel(const char* name) {
    return ObjectCode::from_bytes(CodeType::ptx, std::string_view(kernels)).kernel(name);
}

// Stores 4 bytes at an offset that is outside of the memory or no multiple of 4.
void store(unsigned int offset) {
    const Device device;
    const Stream stream(device);
    const auto memory = device.allocate<unsigned int>(stream, 4);
    launch(stream, {.grid = 1, .block = 1}, kernel("store"), memory, offset);
    stream.synchronize();
}

// Makes a function of the driver return a status that only a GPU's driver returns.
void wait_with(driver::CUresult status) {
    const Stream stream(Device{});
    layers::faults::start();
    layers::faults::fail("cuStreamSynchronize", status);
    stream.synchronize();
}

void fail_to_load(driver::CUresult status) {
    (void)Device().context();
    layers::faults::start();
    layers::faults::fail("cuLibraryLoadData", status);
    (void)kernel("store");
}

void wait_in_a_capture() {
    const Device device;
    GraphBuilder builder(device);
    builder.begin_building();
    device.synchronize();
}

void call_in_a_host_function() {
    const Stream stream(Device{});
    std::exception_ptr failure;
    stream.launch_host_function([&] {
        try {
            (void)Device().allocate(stream, 64);
        } catch (...) {
            failure = std::current_exception();
        }
    });
    stream.synchronize();
    if (failure) std::rethrow_exception(failure);
}

void use_in_a_child() {
    const Stream stream(Device{});
    // Without virtual memory, the child could use the simulated driver.
    const VirtualBuffer memory(VirtualMemoryResource(Device{}), stream, 4096);
    const pid_t child = fork();
    if (child == 0) (void)Device().allocate(StreamRef::legacy_default(), 64);  // main() prints the message
    if (child != 0) waitpid(child, nullptr, 0);
}

void mix_toolkits() {
    VersionFacts facts;
    facts.driver = 13000;
    facts.has_nvrtc = facts.has_nvjitlink = true;
    facts.nvrtc = 13000;
    facts.nvjitlink = 12040;
    for (const VersionProblem& problem : find_version_problems(facts)) std::printf("%s\n", problem.text.c_str());
}

void launch_with_another_type() {
    const Device device;
    const Stream stream(device);
    const auto memory = device.allocate<unsigned int>(stream, 4);
    launch(stream, {.grid = 1, .block = 1}, kernel("store"), memory, std::size_t{0});
}

const std::map<std::string, std::function<void()>> failures{
    {"driver", [] { (void)Device(); }},
    {"device", [] { (void)Device(); }},
    {"runtime", [] { check(runtime::cudaMalloc(64)); }},
    {"nvrtc", [] { check(nvrtc::nvrtcVersion()); }},
    {"function", [] { (void)check(driver::cuCtxCreate_v4(nullptr, 0, 0)); }},
    {"header", [] { (void)Program("#include <numeric>\n").compile(CodeType::ptx); }},
    {"own header", [] { (void)Program("#include \"shapes.hpp\"\n", {.name = "area.cu"}).compile(CodeType::ptx); }},
    {"architecture", [] { (void)Program("__global__ void f() {}", {.arch = "sm_50"}).compile(CodeType::cubin); }},
    {"newer ptx",
     [] {
         (void)ObjectCode::from_bytes(CodeType::ptx,
                                      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry f() { ret; }\n")
             .kernel("f");
     }},
    {"damaged ptx", [] { (void)ObjectCode::from_bytes(CodeType::ptx, ".version 7.0\n.target sm_70\nnonsense\n").kernel("f"); }},
    {"no binary", [] { fail_to_load(driver::CUDA_ERROR_NO_BINARY_FOR_GPU); }},
    {"no kernel", [] { (void)kernel("stor"); }},
    {"argument type", launch_with_another_type},
    {"block", [] { launch(Stream(Device{}), {.grid = 1, .block = 4096}, kernel("spin")); }},
    {"memory", [] { (void)Device().allocate(Stream(Device{}), std::size_t{1} << 45); }},
    {"address", [] { store(1u << 31); }},
    {"alignment", [] { store(2); }},
    {"launch failed", [] { wait_with(driver::CUDA_ERROR_LAUNCH_FAILED); }},
    {"time",
     [] {
         const Stream stream(Device{});
         launch(stream, {.grid = 1, .block = 1}, kernel("spin"));
         stream.synchronize();
     }},
    {"capture", wait_in_a_capture},
    {"default stream",
     [] {
         (void)Device();
         StreamRef::legacy_default().synchronize();
     }},
    {"host function", call_in_a_host_function},
    {"fork", use_in_a_child},
    {"toolkits", mix_toolkits},
    {"unsimulated",
     [] {
         (void)Device();
         char identity[8];
         (void)check(driver::cuDeviceGetLuid(identity, 0));
     }},
};

}  // namespace

int main(int count, char** arguments) {
    const auto found = failures.find(count > 1 ? arguments[1] : "");
    if (found == failures.end()) return 2;
    try {
        found->second();
    } catch (const std::exception& error) {
        std::printf("%s\n", error.what());
    }
    std::fflush(stdout);
    return 0;
}
