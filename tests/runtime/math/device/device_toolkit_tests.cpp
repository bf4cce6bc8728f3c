// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Runs functions of the real libmathdx on a simulated device, which executes the PTX that nvJitLink makes of the linked LTO-IR.
#include <string>

#include "device_kernels.hpp"
#include "random_kernels.hpp"
#include "solver_kernels.hpp"
#include "toolkit_test.hpp"

namespace cubind::testing {
namespace {

class MathDeviceToolkitTest : public ToolkitTest {};

TEST_F(MathDeviceToolkitTest, TransformsLikeTheDefinition) {
    InMemoryProgramCache cache;
    expect_fft<float>({.size = 256}, 1e-4, &cache);
    const device::Fft again({.size = 256}, &cache);
    EXPECT_EQ(again.code().size(), 1u);
    EXPECT_EQ(cache.statistics().misses, 2u) << "the traits and the code";
    EXPECT_EQ(cache.statistics().hits, 2u);
}

TEST_F(MathDeviceToolkitTest, MultipliesExactly) {
    expect_gemm<float>({.m = 16, .n = 8, .k = 24});
}

// Devices from sm_80 on compute products of f64 with tensor cores, which the simulation does not have.
TEST_F(MathDeviceToolkitTest, MultipliesExactlyInDoublePrecision) {
    expect_gemm<double>(
        {.m = 8,
         .n = 16,
         .k = 8,
         .precision = {math::Precision::f64},
         .arrangement = {math::Arrangement::column_major, math::Arrangement::row_major, math::Arrangement::column_major},
         .leading_dimension = {9, 17, 8},
         .block_size = 64,
         .arch = "sm_75"},
        CodeType::ptx);
}

TEST_F(MathDeviceToolkitTest, FactorsAndSolves) {
    expect_cholesky_and_triangular_solve("");
}

TEST_F(MathDeviceToolkitTest, GeneratesRandomNumbers) {
    expect_random(device::Generator::philox, "");
}

}  // namespace
}  // namespace cubind::testing
