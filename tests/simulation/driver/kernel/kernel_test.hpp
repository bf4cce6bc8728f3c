// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/kernels.hpp>

#include "sim_test.hpp"

namespace cubind::testing {

namespace sim = cubind::sim;

/// PTX with kernels and variables of several kinds.
inline constexpr const char* test_ptx = R"(
.version 8.0
.target sm_90
.address_size 64
.visible .const .align 4 .b8 coefficients[64] = {1, 2, 3};
.visible .global .align 4 .u32 counter = 7;
.visible .global .align 8 .u64 pointer = generic(counter);
.visible .global .attribute(.managed) .align 4 .u32 managed = 3;
.extern .shared .align 16 .b8 dynamic[];
.visible .entry empty() { ret; }
.visible .entry saxpy(.param .f32 a, .param .u64 x, .param .u64 y, .param .u64 n) { ret; }
.visible .entry mixed(.param .u8 c, .param .align 8 .b8 s[24], .param .u16 h, .param .u64 p) { ret; }
.visible .entry bounded() .maxntid 256, 1, 1 .minnctapersm 2 { ret; }
.visible .entry required() .reqntid 64, 1, 1 { ret; }
.visible .entry tiled() { .shared .align 8 .b8 tile[1024]; ret; }
.visible .entry vast() { .shared .align 8 .b8 tile[49152]; ret; }
.visible .entry clustered() .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }
.visible .entry ranked() .maxclusterrank 4 { ret; }
)";

/// Loads test_ptx into the context.
class KernelTest : public SimTest {
protected:
    void SetUp() override {
        SimTest::SetUp();
        module = load(test_ptx);
    }

    static CUmodule load(const char* ptx) {
        auto [status, loaded] = cuModuleLoadData(ptx);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return loaded;
    }
    CUfunction function(const char* name) const {
        auto [status, found] = cuModuleGetFunction(module, name);
        EXPECT_EQ(status, CUDA_SUCCESS) << name;
        return found;
    }
    static CUresult launch(CUfunction function, void** parameters = nullptr, CUstream stream = nullptr) {
        return cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, stream, parameters, nullptr).status;
    }

    CUmodule module = nullptr;
};

}  // namespace cubind::testing
