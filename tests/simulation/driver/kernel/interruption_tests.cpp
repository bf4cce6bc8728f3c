// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that never end, and the threads that run kernels.
#include <cubind/sim/kernels.hpp>

#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

#include "sanitizers.hpp"
#include "sim_test.hpp"

namespace cubind::testing {
namespace {

namespace sim = cubind::sim;

using ::testing::AllOf;
using ::testing::HasSubstr;

// wait: stores 1 in the first of the words and waits until the second is not 0.
// add: adds 1 to the first of the words in each thread.
// launch_blocks: launches "add" with many blocks.
// repeat: launches itself with one thread when it has ended.
constexpr const char* ptx = R"(
.version 8.0
.target sm_90
.address_size 64
.pragma "cubind_device_runtime";
.extern .func (.param .b64 result) __cudaCDP2GetParameterBufferV2
    (.param .b64 kernel, .param .align 4 .b8 grid[12], .param .align 4 .b8 block[12], .param .b32 shared);
.extern .func (.param .b32 result) __cudaCDP2LaunchDeviceV2(.param .b64 buffer, .param .b64 stream);
.visible .entry wait(.param .u64 words) {
    .reg .b64 %address;
    .reg .b32 %value;
    .reg .pred %p;
    ld.param.u64 %address, [words];
    st.volatile.global.u32 [%address], 1;
LOOP:
    ld.volatile.global.u32 %value, [%address+4];
    setp.eq.u32 %p, %value, 0;
    @%p bra LOOP;
    ret;
}
.visible .entry add(.param .u64 words) {
    .reg .b64 %address;
    ld.param.u64 %address, [words];
    red.global.add.u32 [%address], 1;
    ret;
}
.visible .entry launch_blocks(.param .u64 words) {
    .reg .b64 %address, %buffer;
    ld.param.u64 %address, [words];
    st.volatile.global.u32 [%address], 1;
    {
        .param .b64 kernel;
        .param .align 4 .b8 grid[12];
        .param .align 4 .b8 block[12];
        .param .b32 shared;
        .param .b64 result;
        mov.b64 %buffer, add;
        st.param.b64 [kernel], %buffer;
        st.param.b32 [grid], 2147483647;
        st.param.b32 [grid+4], 1;
        st.param.b32 [grid+8], 1;
        st.param.b32 [block], 1;
        st.param.b32 [block+4], 1;
        st.param.b32 [block+8], 1;
        st.param.b32 [shared], 0;
        call.uni (result), __cudaCDP2GetParameterBufferV2, (kernel, grid, block, shared);
        ld.param.b64 %buffer, [result];
    }
    st.global.u64 [%buffer], %address;
    {
        .param .b64 buffer;
        .param .b64 stream;
        .param .b32 result;
        st.param.b64 [buffer], %buffer;
        st.param.b64 [stream], 0;
        call.uni (result), __cudaCDP2LaunchDeviceV2, (buffer, stream);
    }
    ret;
}
.visible .entry repeat(.param .u64 words) {
    .reg .b64 %address, %buffer;
    ld.param.u64 %address, [words];
    st.volatile.global.u32 [%address], 1;
    {
        .param .b64 kernel;
        .param .align 4 .b8 grid[12];
        .param .align 4 .b8 block[12];
        .param .b32 shared;
        .param .b64 result;
        mov.b64 %buffer, repeat;
        st.param.b64 [kernel], %buffer;
        st.param.b32 [grid], 1;
        st.param.b32 [grid+4], 1;
        st.param.b32 [grid+8], 1;
        st.param.b32 [block], 1;
        st.param.b32 [block+4], 1;
        st.param.b32 [block+8], 1;
        st.param.b32 [shared], 0;
        call.uni (result), __cudaCDP2GetParameterBufferV2, (kernel, grid, block, shared);
        ld.param.b64 %buffer, [result];
    }
    st.global.u64 [%buffer], %address;
    {
        .param .b64 buffer;
        .param .b64 stream;
        .param .b32 result;
        st.param.b64 [buffer], %buffer;
        st.param.b64 [stream], 3;
        call.uni (result), __cudaCDP2LaunchDeviceV2, (buffer, stream);
    }
    ret;
})";

constexpr unsigned max_blocks = 2147483647;

/// A launch that does not end by itself.
struct Endless {
    const char* kernel;
    unsigned blocks = 1;
    unsigned threads = 32;
};

class SimInterruptionTest : public ::testing::Test {
protected:
    ~SimInterruptionTest() override { sim::uninstall(); }

    /// Installs a machine with a context.
    void install(const sim::Options& options) {
        sim::install(options);
        ASSERT_EQ(cuInit(0).status, CUDA_SUCCESS);
        create_context();
    }
    void create_context() {
        context = cuCtxCreate_v2(0, 0).value;
        ASSERT_NE(context, nullptr);
        prepare();
    }
    /// Loads the kernels into the current context.
    void prepare() {
        module = cuModuleLoadData(ptx).value;
        words = static_cast<unsigned*>(cuMemHostAlloc(8, 0).value);
        ASSERT_NE(words, nullptr);
        words[0] = words[1] = 0;
    }
    CUresult launch(const char* name, unsigned blocks = 1, CUstream stream = nullptr, unsigned threads = 32) {
        void* parameters[] = {&words};
        const CUfunction function = cuModuleGetFunction(module, name).value;
        return cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, parameters, nullptr).status;
    }
    /// Launches a kernel that waits until words[1] is not 0, and returns when it runs.
    void start_waiting_kernel() { start({"wait"}); }
    /// Begins a launch, and returns when it runs.
    void start(const Endless& endless) {
        ASSERT_EQ(launch(endless.kernel, endless.blocks, nullptr, endless.threads), CUDA_SUCCESS);
        while (__atomic_load_n(&words[0], __ATOMIC_ACQUIRE) == 0) std::this_thread::yield();
    }
    void expect_a_usable_context() {
        create_context();
        EXPECT_EQ(launch("add"), CUDA_SUCCESS);
        EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
        EXPECT_EQ(words[0], 32u);
    }

    CUcontext context = nullptr;
    CUmodule module = nullptr;
    unsigned* words = nullptr;
};

TEST_F(SimInterruptionTest, FailsAfterTheTimeLimitOfAKernel) {
    install({.kernel_seconds = 1});
    EXPECT_EQ(launch("add"), CUDA_SUCCESS);
    EXPECT_EQ(launch("wait", 3), CUDA_SUCCESS);
    EXPECT_EQ(launch("add"), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_ERROR_LAUNCH_TIMEOUT);
    const auto launches = sim::launches();
    ASSERT_EQ(launches.size(), 2u);
    EXPECT_EQ(launches[0].status, CUDA_SUCCESS);
    EXPECT_EQ(launches[1].status, CUDA_ERROR_LAUNCH_TIMEOUT);
    EXPECT_THAT(launches[1].problem, AllOf(HasSubstr("kernel wait was interrupted after "), HasSubstr("limit is 1 s"),
                                           HasSubstr("CUBIND_SIM_KERNEL_SECONDS"), HasSubstr("run at PTX line 1")));
    EXPECT_EQ(launch("add"), CUDA_ERROR_LAUNCH_TIMEOUT);
}

// Launches whose blocks end too soon to be interrupted: of the host, and of kernels.
class SimShortBlocksTest : public SimInterruptionTest, public ::testing::WithParamInterface<Endless> {};

TEST_P(SimShortBlocksTest, FailAfterTheTimeLimitOfAKernel) {
    install({.kernel_seconds = 1});
    start(GetParam());
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_ERROR_LAUNCH_TIMEOUT);
    ASSERT_EQ(sim::launches().size(), 1u);
    EXPECT_THAT(sim::launches()[0].problem, AllOf(HasSubstr(" was interrupted after "), HasSubstr("limit is 1 s")));
}

TEST_P(SimShortBlocksTest, EndWhenTheirContextIsDestroyed) {
    install({.shutdown_seconds = 0});
    start(GetParam());
    EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS);
    expect_a_usable_context();
}

TEST_P(SimShortBlocksTest, EndWhenAnotherKernelOfTheDeviceFails) {
    install({});
    start(GetParam());
    unsigned* const valid = std::exchange(words, nullptr);
    EXPECT_EQ(launch("add", 1, cuStreamCreate(CU_STREAM_NON_BLOCKING).value), CUDA_SUCCESS);
    words = valid;
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_ERROR_ILLEGAL_ADDRESS);
}

INSTANTIATE_TEST_SUITE_P(Kernels, SimShortBlocksTest,
                         ::testing::Values(Endless{"add", max_blocks, 1}, Endless{"add", max_blocks, 32},
                                           Endless{"launch_blocks", 1, 1}, Endless{"repeat", 1, 1}));

TEST_F(SimInterruptionTest, EndsWhenItsContextIsDestroyed) {
    install({.shutdown_seconds = 0});
    start_waiting_kernel();
    EXPECT_EQ(launch("wait"), CUDA_SUCCESS);  // behind the first one
    EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS);
    ASSERT_EQ(sim::launches().size(), 1u);
    EXPECT_EQ(sim::launches()[0].status, CUDA_ERROR_LAUNCH_TIMEOUT);
    EXPECT_THAT(sim::launches()[0].problem, AllOf(HasSubstr("kernel wait"), HasSubstr("context was destroyed 0 s before")));
    expect_a_usable_context();
}

TEST_F(SimInterruptionTest, EndsWhenThePrimaryContextIsReset) {
    install({.shutdown_seconds = 0});
    ASSERT_EQ(cuCtxSetCurrent(cuDevicePrimaryCtxRetain(0).value).status, CUDA_SUCCESS);
    prepare();
    start_waiting_kernel();
    EXPECT_EQ(cuDevicePrimaryCtxReset(0).status, CUDA_SUCCESS);
    expect_a_usable_context();
}

TEST_F(SimInterruptionTest, EndsWhenTheMachineIsReplaced) {
    install({.shutdown_seconds = 0});
    start_waiting_kernel();
    install({});
    expect_a_usable_context();
}

TEST_F(SimInterruptionTest, EndsWhenAnotherKernelOfTheDeviceFails) {
    install({});
    start_waiting_kernel();
    unsigned* const valid = std::exchange(words, nullptr);
    EXPECT_EQ(launch("add", 1, cuStreamCreate(CU_STREAM_NON_BLOCKING).value), CUDA_SUCCESS);
    words = valid;
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_ERROR_ILLEGAL_ADDRESS);
    EXPECT_EQ(sim::launches().size(), 2u);
}

TEST_F(SimInterruptionTest, LetsAKernelFinishAfterItsContextWasDestroyed) {
    install({.shutdown_seconds = 1000});
    start_waiting_kernel();
    std::thread writer([this] {
        while (cuCtxPushCurrent(context).status == CUDA_SUCCESS) std::this_thread::yield();  // until cuCtxDestroy has begun
        __atomic_store_n(&words[1], 1u, __ATOMIC_RELEASE);
    });
    EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS);
    writer.join();
    ASSERT_EQ(sim::launches().size(), 1u);
    EXPECT_EQ(sim::launches()[0].status, CUDA_SUCCESS) << sim::launches()[0].problem;
}

TEST_F(SimInterruptionTest, DoesNotKeepAProcessFromEnding) {
    const auto run = [this](auto end) {
        install({.workers = 2});
        start_waiting_kernel();
        end();
    };
    EXPECT_EXIT(run([] { std::exit(3); }), ::testing::ExitedWithCode(3), "");
    EXPECT_EXIT(run([] { std::raise(SIGINT); }), ::testing::KilledBySignal(SIGINT), "");
}

std::set<std::string> threads_of_the_process() {
    std::set<std::string> names;
    for (const auto& each : std::filesystem::directory_iterator("/proc/self/task")) names.insert(each.path().filename());
    return names;
}

using SimKernelThreadsTest = SimInterruptionTest;

TEST_F(SimKernelThreadsTest, RemainForLaterLaunches) {
    install({.workers = 4});
    const auto launch_and_wait = [this] {
        EXPECT_EQ(launch("add", 64), CUDA_SUCCESS);
        EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    };
    const std::size_t before = threads_of_the_process().size();
    launch_and_wait();
    const std::set<std::string> first = threads_of_the_process();
    EXPECT_GT(first.size(), before);  // a thread that has finished early helps again
    for (int i = 0; i < 100; ++i) launch_and_wait();
    const std::set<std::string> last = threads_of_the_process();
    EXPECT_TRUE(std::ranges::includes(last, first));
    EXPECT_LE(last.size(), before + 32);
    EXPECT_EQ(words[0], 101u * 64 * 32);
}

TEST_F(SimKernelThreadsTest, AreSharedByStreams) {
    install({.workers = 3});
    std::vector<CUstream> streams(8);
    for (CUstream& each : streams) each = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    for (int i = 0; i < 20; ++i) {
        for (const CUstream each : streams) EXPECT_EQ(launch("add", 16, each), CUDA_SUCCESS);
    }
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_EQ(words[0], 20u * 8 * 16 * 32);
}

// The child process has no threads but the one that called fork().
TEST_F(SimKernelThreadsTest, AreNewInAChildProcess) {
    if (CUBIND_TEST_THREAD_SANITIZER) GTEST_SKIP() << "the thread sanitizer ends children that create threads";
    install({.workers = 4, .allows_fork = true});
    EXPECT_EQ(launch("add", 64), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // until no thread holds a lock
    const auto run = [this] {
        alarm(60);
        const bool is_right = launch("add", 64) == CUDA_SUCCESS && cuCtxSynchronize().status == CUDA_SUCCESS;
        std::exit(is_right && words[0] == 2u * 64 * 32 ? 0 : 1);
    };
    EXPECT_EXIT(run(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace cubind::testing
