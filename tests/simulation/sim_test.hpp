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
    void SetUp() override { start(machine_options); }
    void TearDown() override { cubind::sim::uninstall(); }

    /// Installs a machine instead of the current one, and creates a context on its first device.
    void start(const cubind::sim::Options& machine) {
        cubind::sim::install(machine);
        ASSERT_EQ(cuInit(0).status, CUDA_SUCCESS);
        auto [status, created] = cuCtxCreate_v2(0, 0);
        ASSERT_EQ(status, CUDA_SUCCESS);
        context = created;
    }
    /// For tests whose children of fork() use the machine of their parent, which a GPU does not allow.
    void start_for_children() {
        cubind::sim::Options machine = machine_options;
        machine.allows_fork = true;
        start(machine);
    }

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

    const cubind::sim::Options machine_options{.devices = 2, .memory = std::size_t{1} << 30};
    CUcontext context = nullptr;
};

}  // namespace cubind::testing
