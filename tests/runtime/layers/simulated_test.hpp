// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/install.hpp>

#include <cstddef>

#include "layers_test.hpp"

namespace cubind::testing {

/// Fixture with two simulated devices, an initialized driver, and a context on the first device.
class SimulatedTest : public ::testing::Test {
protected:
    void SetUp() override {
        cubind::sim::install({.devices = 2, .memory = std::size_t{1} << 30});
        ASSERT_TRUE(cuInit(0).ok());
        context = cuCtxCreate_v2(0, 0).value;
    }
    void TearDown() override {
        stop_all_layers();
        cubind::sim::uninstall();
    }

    CUcontext context = nullptr;
};

}  // namespace cubind::testing
