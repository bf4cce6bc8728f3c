// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <atomic>
#include <numeric>
#include <thread>

#include "kernel_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class SimBodyTest : public KernelTest {
protected:
    static constexpr std::size_t count = 1000;

    void SetUp() override {
        KernelTest::SetUp();
        std::iota(x.begin(), x.end(), 0.0f);
        device_x = allocate(count * sizeof(float));
        device_y = allocate(count * sizeof(float));
        EXPECT_EQ(cuMemcpyHtoD(device_x, x.data(), count * sizeof(float)).status, CUDA_SUCCESS);
        EXPECT_EQ(cuMemsetD32(device_y, 0, count).status, CUDA_SUCCESS);
    }
    CUresult saxpy(float a, CUstream stream = nullptr) {
        std::size_t n = count;
        void* parameters[] = {&a, &device_x, &device_y, &n};
        return cuLaunchKernel(function("saxpy"), 8, 1, 1, 128, 1, 1, 0, stream, parameters, nullptr).status;
    }
    std::vector<float> result() const {
        std::vector<float> y(count);
        EXPECT_EQ(cuMemcpyDtoH(y.data(), device_y, count * sizeof(float)).status, CUDA_SUCCESS);
        return y;
    }

    std::vector<float> x = std::vector<float>(count);
    CUdeviceptr device_x = 0;
    CUdeviceptr device_y = 0;
};

TEST_F(SimBodyTest, RunsOncePerLaunch) {
    sim::define_kernel("saxpy", [](const sim::Launch& launch, float a, const float* x, float* y, std::size_t n) {
        EXPECT_EQ(launch.grid.x * launch.block.x, 1024u);
        const auto in = launch.memory(x, n);
        const auto out = launch.memory(y, n);
        for (std::size_t i = 0; i < n; ++i) out[i] += a * in[i];
    });
    EXPECT_EQ(saxpy(2.0f), CUDA_SUCCESS);
    EXPECT_EQ(saxpy(0.5f), CUDA_SUCCESS);
    EXPECT_EQ(result()[999], 2.5f * 999.0f);
}

TEST_F(SimBodyTest, RunsOncePerThread) {
    sim::define_kernel("saxpy", [](const sim::Thread& thread, float a, const float* x, float* y, std::size_t n) {
        const auto i = std::size_t{thread.blockIdx.x} * thread.blockDim.x + thread.threadIdx.x;
        if (i < n) y[i] += a * x[i];
    });
    EXPECT_EQ(saxpy(3.0f), CUDA_SUCCESS);
    const std::vector<float> y = result();
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(y[i], 3.0f * x[i]);
}

void fill_with_index(const sim::Thread& thread, unsigned* out) {
    const auto& [launch, grid, block, at, in] = thread;
    const unsigned before = (at.z * grid.y + at.y) * grid.x + at.x;
    const unsigned index = before * block.x * block.y * block.z + (in.z * block.y + in.y) * block.x + in.x;
    out[index] = index;
}

TEST_F(SimBodyTest, ReceivesThreeDimensionalIndices) {
    const CUmodule code = load(".version 8.0\n.target sm_90\n.entry fill(.param .u64 out) { ret; }");
    sim::define_kernel("fill", fill_with_index);
    constexpr unsigned all = 2 * 3 * 4 * 5 * 6 * 7;
    CUdeviceptr memory = allocate(all * sizeof(unsigned));
    void* parameters[] = {&memory};
    EXPECT_EQ(cuLaunchKernel(cuModuleGetFunction(code, "fill").value, 2, 3, 4, 5, 6, 7, 0, nullptr, parameters, nullptr).status,
              CUDA_SUCCESS);
    std::vector<unsigned> found(all);
    EXPECT_EQ(cuMemcpyDtoH(found.data(), memory, all * sizeof(unsigned)).status, CUDA_SUCCESS);
    for (unsigned i = 0; i < all; ++i) EXPECT_EQ(found[i], i);
}

TEST_F(SimBodyTest, ReceivesStructsByValue) {
    struct Settings {
        char tag;
        double scale;
        int offset;
    };
    double seen = 0;
    sim::define_kernel("mixed", [&](const sim::Launch&, unsigned char c, Settings s, short h, const int* p) {
        seen = c + s.scale + s.offset + h + (p == nullptr ? 1 : 0);
    });
    unsigned char c = 100;
    Settings s{'x', 20.5, 3};
    short h = -1;
    CUdeviceptr p = 0;
    void* parameters[] = {&c, &s, &h, &p};
    EXPECT_EQ(launch(function("mixed"), parameters), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_EQ(seen, 123.5);
}

TEST_F(SimBodyTest, IsRejectedIfItsParametersDifferFromTheKernel) {
    sim::define_kernel("saxpy", [](const sim::Launch&, double, const float*, float*, std::size_t) {});
    EXPECT_EQ(saxpy(1.0f), CUDA_ERROR_INVALID_VALUE);
    const std::vector<sim::Launch> launches = sim::launches();
    ASSERT_EQ(launches.size(), 1u);
    EXPECT_EQ(launches[0].status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_THAT(launches[0].problem,
                AllOf(HasSubstr("4 at 0, 8 at 8, 8 at 16, 8 at 24"), HasSubstr("8 at 0, 8 at 8, 8 at 16, 8 at 24")));
    sim::define_kernel("saxpy", [](const sim::Launch&) {});
    EXPECT_EQ(saxpy(1.0f), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS) << "nothing was launched";
}

TEST_F(SimBodyTest, RunsInStreamOrder) {
    const CUstream stream = create_stream();
    std::vector<float> order;
    sim::define_kernel("saxpy", [&](const sim::Launch&, float a, const float*, float*, std::size_t) { order.push_back(a); });
    {
        const Gate gate(stream);
        for (int i = 0; i < 10; ++i) EXPECT_EQ(saxpy(static_cast<float>(i), stream), CUDA_SUCCESS);
        EXPECT_TRUE(sim::launches().empty());
    }
    EXPECT_EQ(order, (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(sim::launches().size(), 10u);
    sim::clear_launches();
    EXPECT_TRUE(sim::launches().empty());
}

TEST_F(SimBodyTest, IsNotPermittedToCallTheDriver) {
    CUresult status = CUDA_SUCCESS;
    sim::define_kernel("empty", [&](const sim::Launch&) { status = cuCtxSynchronize().status; });
    EXPECT_EQ(launch(function("empty")), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_EQ(status, CUDA_ERROR_NOT_PERMITTED);
}

TEST_F(SimBodyTest, RunsWhileThreadsLoadLaunchAndUnload) {
    std::atomic<int> calls = 0;
    sim::define_kernel("empty", [&](const sim::Launch&) { ++calls; });
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([this] {
            EXPECT_EQ(cuCtxSetCurrent(context).status, CUDA_SUCCESS);
            const CUstream thread_stream = create_stream();
            for (int i = 0; i < 20; ++i) {
                const CUmodule code = load(test_ptx);
                const CUfunction empty = cuModuleGetFunction(code, "empty").value;
                EXPECT_EQ(cuFuncSetAttribute(empty, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, i).status, CUDA_SUCCESS);
                EXPECT_EQ(launch(empty, nullptr, thread_stream), CUDA_SUCCESS);
                EXPECT_EQ(launch(function("empty"), nullptr, thread_stream), CUDA_SUCCESS);
                EXPECT_EQ(cuModuleUnload(code).status, CUDA_SUCCESS);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_EQ(calls, 160);
    EXPECT_EQ(sim::launches().size(), 160u);
}

TEST(SimBodyInstallTest, IsRemovedByInstall) {
    for (int expected : {1, 0}) {
        sim::install({.max_recorded_launches = 3});
        ASSERT_TRUE(cuInit(0).ok());
        ASSERT_TRUE(cuCtxCreate_v2(0, 0).ok());
        int calls = 0;
        if (expected == 1) sim::define_kernel("empty", [&](const sim::Launch&) { ++calls; });
        const CUfunction empty = cuModuleGetFunction(cuModuleLoadData(test_ptx).value, "empty").value;
        for (unsigned i = 1; i <= 5; ++i) {
            EXPECT_TRUE(cuLaunchKernel(empty, i, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr).ok());
        }
        EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
        EXPECT_EQ(calls, 5 * expected);
        ASSERT_EQ(sim::launches().size(), 3u) << "only the latest launches are recorded";
        EXPECT_EQ(sim::launches()[0].grid.x, 3u);
        sim::uninstall();
    }
}

}  // namespace
}  // namespace cubind::testing
