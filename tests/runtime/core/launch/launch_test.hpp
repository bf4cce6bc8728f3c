// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/check.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/launch/kernel.hpp>
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver.hpp>
#include <cubind/driver/strings.hpp>
#include <cubind/layers.hpp>
#include <cubind/sim/install.hpp>
#include <cubind/sim/kernels.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "observed.hpp"

namespace cubind::testing {

namespace driver = cubind::driver;
namespace layers = cubind::layers;
namespace sim = cubind::sim;
using namespace cubind;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

inline constexpr const char* launch_ptx = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry empty() { ret; }
.visible .entry other() { ret; }
.visible .entry saxpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u64 n) { ret; }
.visible .entry small(.param .u8 a, .param .u16 b, .param .u32 c, .param .u64 d) { ret; }
.visible .entry floats(.param .f32 a, .param .f64 b) { ret; }
.visible .entry pointers(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d) { ret; }
.visible .entry structs(.param .align 8 .b8 a[24], .param .align 4 .b8 b[4], .param .u32 c) { ret; }
.visible .entry sixteen(.param .u64 a0, .param .u64 a1, .param .u64 a2, .param .u64 a3, .param .u64 a4, .param .u64 a5,
    .param .u64 a6, .param .u64 a7, .param .u64 a8, .param .u64 a9, .param .u64 a10, .param .u64 a11, .param .u64 a12,
    .param .u64 a13, .param .u64 a14, .param .u64 a15) { ret; }
.visible .entry bounded() .maxntid 256, 1, 1 { ret; }
.visible .entry tiled() { .shared .align 8 .b8 tile[1024]; ret; }
.visible .entry clustered() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }
)";

/// Simulated devices on which launch_ptx is loaded, and a stream on the first device. No context is current.
class LaunchTest : public ::testing::Test {
protected:
    explicit LaunchTest(const sim::Options& options = {.devices = 2}) {
        sim::install(options);
        stream = StreamRef(Stream(Device(0)).release());
        library = check(driver::cuLibraryLoadData(launch_ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
    }
    ~LaunchTest() override {
        layers::trace::stop();
        layers::validate::stop();
        layers::faults::stop();
        layers::leaks::stop();
        sim::uninstall();
    }

    /// Waits for all launches, because bodies of kernels use members of the tests.
    void TearDown() override {
        const layers::Unobserved own_call;  // the call returns the failure of an earlier kernel
        (void)driver::cuStreamSynchronize(stream.native_handle());
    }

    Kernel kernel(const char* name) const { return Kernel::view_of(check(driver::cuLibraryGetKernel(library, name))); }

    /// Waits for the one launch since the last call, and returns it.
    sim::Launch launched() const {
        stream.synchronize();
        const auto all = sim::launches();
        EXPECT_EQ(all.size(), 1u);
        sim::clear_launches();
        return all.empty() ? sim::Launch{} : all.back();
    }

    StreamRef stream = StreamRef::legacy_default();
    driver::CUlibrary library = nullptr;
};

}  // namespace cubind::testing
