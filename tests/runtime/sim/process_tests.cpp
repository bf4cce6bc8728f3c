// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Signals and limits of the process: the simulation must not end a program.
#include <array>
#include <csignal>
#include <filesystem>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

#include "sanitizers.hpp"
#include "sim_test.hpp"

namespace cubind::testing {
namespace {

constexpr const char* ptx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry store_to_null() {
    .reg .b64 %a;
    mov.u64 %a, 0;
    st.global.u32 [%a], 7;
    ret;
}
.visible .entry empty() { .reg .b32 %a; mov.u32 %a, %clock; ret; })";

class SimProcessTest : public SimTest {
protected:
    static CUresult run(const char* name, unsigned blocks = 1) {
        const CUfunction function = cuModuleGetFunction(cuModuleLoadData(ptx).value, name).value;
        const auto [status] = cuLaunchKernel(function, blocks, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr);
        return status != CUDA_SUCCESS ? status : cuCtxSynchronize().status;
    }
};

// A thread that does not block the signal would receive it, and the process would end.
TEST_F(SimProcessTest, LeavesSignalsToTheThreadsOfTheProgram) {
    ASSERT_EQ(run("empty", 64), CUDA_SUCCESS);
    sigset_t signals;
    sigset_t before;
    sigemptyset(&signals);
    for (const int each : {SIGUSR1, SIGTERM, SIGALRM}) sigaddset(&signals, each);
    ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &signals, &before), 0);
    for (const int each : {SIGUSR1, SIGTERM, SIGALRM}) {
        ASSERT_EQ(kill(getpid(), each), 0);
        constexpr timespec limit{.tv_sec = 20, .tv_nsec = 0};
        EXPECT_EQ(sigtimedwait(&signals, nullptr, &limit), each);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_F(SimProcessTest, KeepsTheSignalsOfTheCallingThread) {
    sigset_t before;
    sigset_t after;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    ASSERT_EQ(run("empty", 64), CUDA_SUCCESS);
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    for (int each = 1; each < SIGRTMAX; ++each) EXPECT_EQ(sigismember(&before, each), sigismember(&after, each)) << each;
}

TEST_F(SimProcessTest, SurvivesAMessageThatNobodyReads) {
    if (CUBIND_TEST_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer ends children that create threads";
    const auto child = [] {
        std::array<int, 2> ends{};
        if (pipe(ends.data()) != 0 || dup2(ends[1], STDERR_FILENO) < 0) std::_Exit(2);
        close(ends[0]);
        close(ends[1]);
        std::_Exit(run("store_to_null") == CUDA_ERROR_ILLEGAL_ADDRESS ? 0 : 1);
    };
    EXPECT_EXIT(child(), ::testing::ExitedWithCode(0), "");
}

TEST_F(SimProcessTest, SurvivesTheLimitOfTheSizeOfFiles) {
    const std::string path = "cubind_graph_" + std::to_string(getpid());  // in the folder of the build
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    const auto memory = cuMemCreate(2 << 20, &properties, 0);
    ASSERT_EQ(memory.status, CUDA_SUCCESS);
    const auto child = [&] {
        const rlimit none{0, 0};
        if (setrlimit(RLIMIT_FSIZE, &none) != 0) std::_Exit(2);
        if (cuMemCreate(2 << 20, &properties, 0).status != CUDA_ERROR_OUT_OF_MEMORY) std::_Exit(3);
        int file = -1;
        const auto exported = cuMemExportToShareableHandle(&file, memory.value, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
        if (exported.status != CUDA_ERROR_OPERATING_SYSTEM) std::_Exit(4);
        const CUgraph graph = cuGraphCreate(0).value;
        if (cuGraphDebugDotPrint(graph, path.c_str(), 0).status != CUDA_ERROR_OPERATING_SYSTEM) std::_Exit(5);
        std::_Exit(0);
    };
    EXPECT_EXIT(child(), ::testing::ExitedWithCode(0), "");
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace cubind::testing
