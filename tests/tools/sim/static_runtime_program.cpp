// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// A program, and a library, that contain a stand-in for NVIDIA's static runtime library. The simulation redirects its functions,
// unless the stand-in is one of CUDA 12. An argument names what else the program does.
#include <atomic>
#include <cstdio>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "static_runtime.hpp"

// Prints the results of the calls. Returns the number of calls that arrived at the stand-in.
extern "C" [[gnu::visibility("default")]] int call_runtime() {
    int count = 0;
    const int counted = cudaGetDeviceCount(&count);
    Pitched memory{};
    const int allocated = cudaMalloc3D(&memory, {100, 20, 3});  // the extent is passed on the stack
    std::printf("%d %d, %d %d %zu %zu, ", counted, count, allocated, memory.pointer != nullptr ? 1 : 0, memory.width,
                memory.height);
    std::printf("%d\n", cudaFree(memory.pointer));
    std::fflush(stdout);
    return calls_of_stand_in;
}

// A variable among the code, which can be written only if the program maps its code so.
asm(R"(
    .text
    .p2align 4
    .globl variable_in_code
    .hidden variable_in_code
variable_in_code:
    .long 1
)");
extern "C" [[gnu::visibility("hidden")]] int variable_in_code;

namespace {

int write_to_code() {
    *const_cast<volatile int*>(&variable_in_code) = 2;
    return call_runtime();
}

// Prints what functions return whose result is not a status.
int describe() {
    const ChannelFormat format = cudaCreateChannelDesc(8, 0, 0, 0, 1);
    std::printf("%s, %d %d\n", cudaGetErrorString(303), format.x, format.kind);
    return calls_of_stand_in;
}

// Calls a function while the process can open no file, then again.
int call_without_descriptors() {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    const rlimit none{0, limit.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    int count = 0;
    const int first = cudaGetDeviceCount(&count);
    setrlimit(RLIMIT_NOFILE, &limit);
    const int second = cudaGetDeviceCount(&count);
    std::printf("%d, %d %d\n", first, second, count);
    return calls_of_stand_in;
}

// Makes the first calls on many threads at once. Prints how many succeeded.
int call_on_threads() {
    constexpr int threads = 64;
    std::atomic<int> arrived = 0;
    std::atomic<int> good = 0;
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i) {
        all.emplace_back([&] {
            for (++arrived; arrived < threads;) std::this_thread::yield();
            int count = 0;
            good += cudaGetDeviceCount(&count) == 0 && count == 2 ? 1 : 0;
        });
    }
    for (std::thread& each : all) each.join();
    std::printf("%d\n", good.load());
    return calls_of_stand_in;
}

// Makes the first call in a child of fork().
int call_in_child() {
    const pid_t child = fork();
    if (child == 0) return call_runtime();
    int status = -1;
    waitpid(child, &status, 0);
    return status != 0 ? 1 : call_runtime();
}

}  // namespace

int main(int count, char** arguments) {
    const std::string_view action = count > 1 ? arguments[1] : "";
    return action == "write"         ? write_to_code()
           : action == "describe"    ? describe()
           : action == "descriptors" ? call_without_descriptors()
           : action == "threads"     ? call_on_threads()
           : action == "fork"        ? call_in_child()
                                     : call_runtime();
}
