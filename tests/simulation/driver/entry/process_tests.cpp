// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Signals and limits of the process: the simulation must not end a program.
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "sanitizers.hpp"
#include "sim_test.hpp"

namespace cubind::testing {

namespace sim = cubind::sim;

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
    start_for_children();
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
    start_for_children();
    const std::string path = "cubind_graph_" + std::to_string(getpid());  // in the folder of the build
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    const auto child = [&] {
        const auto memory = cuMemCreate(2 << 20, &properties, 0);
        if (memory.status != CUDA_SUCCESS) std::_Exit(6);
        const rlimit none{0, 0};
        if (setrlimit(RLIMIT_FSIZE, &none) != 0) std::_Exit(2);
        if (cuMemCreate(2 << 20, &properties, 0).status != CUDA_ERROR_OUT_OF_MEMORY) std::_Exit(3);
        const CUgraph graph = cuGraphCreate(0).value;
        if (cuGraphDebugDotPrint(graph, path.c_str(), 0).status != CUDA_ERROR_OPERATING_SYSTEM) std::_Exit(5);
        // Exporting memory writes nothing, but creates a descriptor.
        int file = -1;
        const auto share = [&] {
            return cuMemExportToShareableHandle(&file, memory.value, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0).status;
        };
        if (share() != CUDA_SUCCESS) std::_Exit(7);
        if (setrlimit(RLIMIT_NOFILE, &none) != 0 || share() != CUDA_ERROR_OPERATING_SYSTEM) std::_Exit(8);
        std::_Exit(0);
    };
    EXPECT_EXIT(child(), ::testing::ExitedWithCode(0), "");
    std::filesystem::remove(path);
}

// The threads of the parent's work do not exist in the child. The driver must not wait for them.
TEST_F(SimProcessTest, RefusesCallsOfAChildWhoseParentHasWork) {
    struct Gate {
        std::atomic<bool> is_reached = false;
        std::atomic<bool> is_open = false;
    } gate;
    start_for_children();
    const CUstream stream = create_stream();
    const auto wait = [](void* data) {
        auto& reached = *static_cast<Gate*>(data);
        reached.is_reached = true;
        reached.is_reached.notify_all();
        reached.is_open.wait(false);
    };
    ASSERT_EQ(cuLaunchHostFunc(stream, wait, &gate).status, CUDA_SUCCESS);
    gate.is_reached.wait(
        false);  // a thread that allocates during fork() leaves the address sanitizer's allocator locked in the child
    const auto child = [&] {
        alarm(60);
        if (cuStreamSynchronize(stream).status != CUDA_ERROR_NOT_INITIALIZED) std::_Exit(1);
        if (cuCtxDestroy(context).status != CUDA_ERROR_NOT_INITIALIZED) std::_Exit(2);
        if (cuInit(0).status != CUDA_ERROR_NOT_INITIALIZED) std::_Exit(3);
        sim::install();
        if (cuInit(0).status != CUDA_SUCCESS || cuCtxCreate_v2(0, 0).status != CUDA_SUCCESS) std::_Exit(4);
        std::_Exit(CUBIND_TEST_THREAD_SANITIZER || run("empty", 64) == CUDA_SUCCESS ? 0 : 5);
    };
    EXPECT_EXIT(child(), ::testing::ExitedWithCode(0), "");
    gate.is_open = true;
    gate.is_open.notify_all();
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
}

// Another thread may have locked what the child uses.
TEST_F(SimProcessTest, DoesNotBlockAChildWhoseParentIsInACall) {
    // The allocator of the address sanitizer stays locked in a child whose parent was allocating; glibc's does not.
    if (CUBIND_TEST_ADDRESS_SANITIZER) GTEST_SKIP() << "the address sanitizer's allocator may be locked in children";
    start_for_children();
    std::atomic<bool> is_over = false;
    std::thread caller([&] {
        ASSERT_EQ(cuCtxSetCurrent(context).status, CUDA_SUCCESS);
        while (!is_over) EXPECT_EQ(cuMemFree(allocate(100)).status, CUDA_SUCCESS);
    });
    for (int i = 0; i < 200; ++i) {
        const pid_t child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            alarm(20);
            const CUresult status = cuMemAlloc(100).status;
            std::_Exit(status == CUDA_SUCCESS || status == CUDA_ERROR_NOT_INITIALIZED ? 0 : 1);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        if (status != 0) is_over = true;
        EXPECT_EQ(status, 0);
        if (is_over) break;
    }
    is_over = true;
    caller.join();
}

// With the address sanitizer, the child reports what it cannot reach.
TEST_F(SimProcessTest, LeaksNothingInAChildThatExits) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    const auto memory = cuMemCreate(std::size_t{2} << 20, &properties, 0);
    ASSERT_EQ(cuMemRelease(memory.value).status, CUDA_SUCCESS);
    EXPECT_EXIT(std::exit(0), ::testing::ExitedWithCode(0), "");
}

// The option does not make the driver of the parent usable while it has work, physical memory or pools of other processes; see
// the tests above and those of their memory.
TEST_F(SimProcessTest, CanBeUsedByAChildIfTheOptionsAllowIt) {
    if (CUBIND_TEST_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer ends children that create threads";
    start_for_children();
    const CUdeviceptr memory = allocate(4);
    ASSERT_EQ(cuMemsetD32(memory, 7, 1).status, CUDA_SUCCESS);
    const auto child = [&] {
        alarm(60);
        if (cuMemsetD32(memory, 8, 1).status != CUDA_SUCCESS) std::_Exit(1);
        std::_Exit(run("empty", 64) == CUDA_SUCCESS ? 0 : 2);
    };
    EXPECT_EXIT(child(), ::testing::ExitedWithCode(0), "");
    int value = 0;
    ASSERT_EQ(cuMemcpyDtoH(&value, memory, sizeof value).status, CUDA_SUCCESS);
    EXPECT_EQ(value, 7);
}

// As on two H200s (driver 580.159.04).
TEST_F(SimProcessTest, CannotBeUsedByAChildWhoseParentHasInitializedTheDriver) {
    sim::install(machine_options);
    ASSERT_EQ(cuInit(0).status, CUDA_SUCCESS);  // without a context or memory
    const auto child = [&] {
        for (int i = 0; i < 2; ++i) {
            if (cuInit(0).status != CUDA_ERROR_NOT_INITIALIZED) std::_Exit(1);
            if (cuDeviceGetCount().status != CUDA_ERROR_NOT_INITIALIZED) std::_Exit(2);
            if (cuCtxGetCurrent().status != CUDA_ERROR_NOT_INITIALIZED) std::_Exit(3);
            if (cuCtxCreate_v2(0, 0).status != CUDA_ERROR_NOT_INITIALIZED) std::_Exit(4);
            if (cuMemAlloc(64).status != CUDA_ERROR_NOT_INITIALIZED) std::_Exit(5);
            const pid_t grandchild = i == 0 ? fork() : -1;  // which does the same
            int status = 0;
            if (grandchild > 0) std::_Exit(waitpid(grandchild, &status, 0) == grandchild && status == 0 ? 0 : 6);
        }
        sim::install();
        std::_Exit(cuInit(0).status == CUDA_SUCCESS && cuCtxCreate_v2(0, 0).status == CUDA_SUCCESS ? 0 : 7);
    };
    EXPECT_EXIT(child(), ::testing::ExitedWithCode(0),
                "cuInit: CUDA_ERROR_NOT_INITIALIZED: the process was created by fork.* after its parent had called cuInit.* with "
                "CUBIND_SIM_ALLOW_FORK=1");
    EXPECT_EQ(cuDeviceGetCount().value, 2) << "the parent";
}

TEST_F(SimProcessTest, CanBeInitializedByAChildWhoseParentHasNot) {
    if (CUBIND_TEST_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer ends children that create threads";
    sim::install(machine_options);
    ASSERT_EQ(cuDriverGetVersion().status, CUDA_SUCCESS);
    ASSERT_EQ(cuDeviceGetCount().status, CUDA_ERROR_NOT_INITIALIZED);
    const auto child = [] {
        if (cuInit(0).status != CUDA_SUCCESS || cuCtxCreate_v2(0, 0).status != CUDA_SUCCESS) std::_Exit(1);
        std::_Exit(run("empty", 64) == CUDA_SUCCESS ? 0 : 2);
    };
    EXPECT_EXIT(child(), ::testing::ExitedWithCode(0), "");
    EXPECT_EQ(cuInit(0).status, CUDA_SUCCESS);
}

}  // namespace
}  // namespace cubind::testing
