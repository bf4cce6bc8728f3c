// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver.hpp>
#include <cubind/sim/install.hpp>

#include <atomic>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace cubind::testing {

using namespace cubind::driver;

/// Two simulated devices of 1 GiB, initialised, with a context on the first.
class SimTest : public ::testing::Test {
protected:
    void SetUp() override {
        cubind::sim::install({.devices = 2, .memory = std::size_t{1} << 30});
        ASSERT_EQ(cuInit(0).status, CUDA_SUCCESS);
        auto [status, created] = cuCtxCreate_v2(0, 0);
        ASSERT_EQ(status, CUDA_SUCCESS);
        context = created;
    }
    void TearDown() override { cubind::sim::uninstall(); }

    static CUdeviceptr allocate(std::size_t bytes) {
        auto [status, memory] = cuMemAlloc(bytes);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return memory;
    }
    static CUstream stream(unsigned flags = CU_STREAM_NON_BLOCKING) {
        auto [status, created] = cuStreamCreate(flags);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return created;
    }
    static CUevent event(unsigned flags = CU_EVENT_DEFAULT) {
        auto [status, created] = cuEventCreate(flags);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return created;
    }

    CUcontext context = nullptr;
};

/// Holds a stream up until it is opened, at the latest when it ends.
class Gate {
public:
    explicit Gate(CUstream stream) : stream_(stream) {
        EXPECT_EQ(cuLaunchHostFunc(
                      stream, [](void* gate) { static_cast<std::atomic<bool>*>(gate)->wait(false); }, &is_open_)
                      .status,
                  CUDA_SUCCESS);
    }
    ~Gate() {
        open();
        EXPECT_EQ(cuStreamSynchronize(stream_).status, CUDA_SUCCESS);
    }
    void open() {
        is_open_.store(true);
        is_open_.notify_all();
    }

private:
    CUstream stream_;
    std::atomic<bool> is_open_{false};
};

}  // namespace cubind::testing
