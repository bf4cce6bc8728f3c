// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Calls that fail, each in a process of its own, because a kernel that fails costs a process its context. The message of each
// exception states what failed, the values and the remedy. Its last lines are what the driver has written to its log. The
// processes are started with exec: a child of fork() could not use CUDA, as the last failure shows.

#include <cubind/core.hpp>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

const char* const kernels = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry store(.param .u64 pointer, .param .u32 index) {
    .reg .u64 %p, %i;
    .reg .u32 %n;
    ld.param.u64 %p, [pointer];
    ld.param.u32 %n, [index];
    mul.wide.u32 %i, %n, 4;
    add.u64 %p, %p, %i;
    st.global.u32 [%p], 7;
    ret;
}
)";

Kernel load() {
    return ObjectCode::from_bytes(CodeType::ptx, std::string_view(kernels)).kernel("store");
}

// Prints the message of the exception that the function throws. Returns whether it has thrown one of this class.
template <class Exception, class Function>
bool prints(const Function& function) {
    try {
        function();
    } catch (const Exception& error) {
        std::printf("%s\n", error.what());
        return true;
    }
    return false;
}

bool misuse() {
    const Device device;
    const Stream stream(device);
    auto memory = device.allocate<unsigned>(stream, 4);
    const std::vector<unsigned> values(5);
    return prints<std::invalid_argument>([&] { copy(stream, memory, values); });
}

bool refused_argument() {
    const Device device;
    const Stream stream(device);
    auto memory = device.allocate<unsigned>(stream, 4);
    return prints<Error>([&] { launch(stream, {.grid = 1, .block = 4096}, load(), memory, 0u); });
}

bool unknown_kernel() {
    return prints<LoadError>([] { (void)ObjectCode::from_bytes(CodeType::ptx, std::string_view(kernels)).kernel("stor"); });
}

bool damaged_code() {
    return prints<LoadError>([] {
        (void)ObjectCode::from_bytes(CodeType::ptx, std::string_view(".version 7.0\n.target sm_70\nnonsense\n")).kernel("f");
    });
}

bool out_of_memory() {
    const Stream stream(Device{});
    return prints<OutOfMemory>([&] { (void)Device().allocate(stream, std::size_t{1} << 45); });
}

bool illegal_address() {
    const Device device;
    const Stream stream(device);
    auto memory = device.allocate<unsigned>(stream, 4);
    launch(stream, {.grid = 1, .block = 1}, load(), memory, 1u << 31);
    bool is_sticky = false;
    try {
        stream.synchronize();
    } catch (const Error& error) {
        std::printf("%s\n", error.what());
        is_sticky = error.is_sticky();
    }
    std::printf("\nA later call:\n");
    return prints<Error>([&] { device.synchronize(); }) && is_sticky;
}

bool captured_wait() {
    const Device device;
    GraphBuilder builder(device);
    builder.begin_building();
    return prints<Error>([&] { device.synchronize(); });
}

bool captured_managed_memory() {
    const Device device;
    const ManagedMemoryResource managed;
    GraphBuilder builder(device);
    builder.begin_building();
    if (managed.has_pool()) return prints<Error>([&] { (void)managed.allocate(builder, 64); });
    std::printf("This driver has no pools of managed memory, and allocates it outside of the capture.\n");
    return true;
}

bool call_in_a_host_function() {
    const Stream stream(Device{});
    bool has_thrown = false;
    stream.launch_host_function([&] { has_thrown = prints<Error>([&] { (void)Device().allocate(stream, 64); }); });
    stream.synchronize();
    return has_thrown;
}

bool child_of_fork() {
    const Stream stream(Device{});
    VirtualMemoryResource resource(Device{});
    const VirtualBuffer memory(resource, stream, 4096);  // without it, the simulated driver can be used in the child
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const bool has_thrown = prints<Error>([] { (void)Device().allocate(StreamRef::legacy_default(), 64); });
        std::fflush(stdout);
        _exit(has_thrown ? 0 : 1);
    }
    int status = -1;
    return waitpid(child, &status, 0) == child && status == 0;
}

struct Failure {
    const char* title;
    bool (*happens)();
};
constexpr std::array failures{
    Failure{"Misuse that cubind finds", misuse},
    Failure{"An argument that the driver refuses", refused_argument},
    Failure{"A kernel that does not exist", unknown_kernel},
    Failure{"Code that the driver cannot load", damaged_code},
    Failure{"Too little memory", out_of_memory},
    Failure{"A kernel that accesses an invalid address", illegal_address},
    Failure{"A wait that a capture forbids", captured_wait},
    Failure{"Managed memory in a capture", captured_managed_memory},
    Failure{"A call in a host function", call_in_a_host_function},
    Failure{"A child of fork()", child_of_fork},
};

// Runs this program again with the number of a failure. Returns whether the failure happened.
bool run_in_process(char* program, std::size_t number) {
    std::string argument = std::to_string(number);
    char* const arguments[] = {program, argument.data(), nullptr};
    pid_t child = -1;
    int status = -1;
    return posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments, environ) == 0 &&
           waitpid(child, &status, 0) == child && status == 0;
}

int run_all(char* program) {
    std::size_t happened = 0;
    for (std::size_t i = 0; i < failures.size(); ++i) {
        std::printf("%s## %s\n\n", i == 0 ? "" : "\n", failures[i].title);
        std::fflush(stdout);
        happened += run_in_process(program, i);
    }
    std::printf("\n");
    return example::verdict(happened == failures.size(), "each failure throws the exception for it");
}

}  // namespace

int main(int count, char** arguments) {
    if (count == 1) return example::run([&] { return run_all(arguments[0]); });
    return failures.at(std::strtoul(arguments[1], nullptr, 10)).happens() ? example::passed : example::failed;
}
