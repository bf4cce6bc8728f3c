// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver.hpp>
#include <cubind/sim/install.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "gate.hpp"

namespace cubind::testing {

using namespace cubind::driver;

/// Installs two simulated devices of 1 GiB, initializes the driver, and creates a context on the first device.
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
    static CUstream create_stream(unsigned flags = CU_STREAM_NON_BLOCKING) {
        auto [status, created] = cuStreamCreate(flags);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return created;
    }
    static CUevent create_event(unsigned flags = CU_EVENT_DEFAULT) {
        auto [status, created] = cuEventCreate(flags);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return created;
    }

    CUcontext context = nullptr;
};

}  // namespace cubind::testing
