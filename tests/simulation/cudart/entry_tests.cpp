// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cudart_test.hpp"

namespace cubind::testing {
namespace {

TEST(CudartEntryTest, ReturnsVersions) {
    EXPECT_EQ(cudaRuntimeGetVersion().value / 1000, 13);
    EXPECT_EQ(cudaDriverGetVersion().value, driver::cuDriverGetVersion().value);
}

TEST(CudartEntryTest, ReturnsEntryPointsOfTheDriver) {
    const auto [status, function, found] = cudaGetDriverEntryPointByVersion("cuDriverGetVersion", 12000, cudaEnableDefault);
    ASSERT_EQ(status, cudaSuccess);
    EXPECT_EQ(found, cudaDriverEntryPointSuccess);
    int version = 0;
    EXPECT_EQ(reinterpret_cast<driver::CUresult (*)(int*)>(function)(&version), driver::CUDA_SUCCESS);
    EXPECT_EQ(version, driver::cuDriverGetVersion().value);
    const auto [missing_status, missing, answer] = cudaGetDriverEntryPointByVersion("cuNoSuchFunction", 12000, cudaEnableDefault);
    EXPECT_EQ(missing_status, cudaSuccess);
    EXPECT_EQ(answer, cudaDriverEntryPointSymbolNotFound);
    EXPECT_EQ(missing, nullptr);
    const auto function_for = [](unsigned long long flags) {
        const auto [ignored, address, result] = cudaGetDriverEntryPoint("cuMemcpyAsync", flags);
        EXPECT_EQ(result, cudaDriverEntryPointSuccess);
        return address;
    };
    EXPECT_EQ(function_for(cudaEnableDefault), function_for(cudaEnableLegacyStream));
    EXPECT_NE(function_for(cudaEnableDefault), function_for(cudaEnablePerThreadDefaultStream));
    const auto [per_thread_status, per_thread, result] = cudaGetDriverEntryPoint_ptsz("cuMemcpyAsync", cudaEnableDefault);
    EXPECT_EQ(per_thread_status, cudaSuccess);
    EXPECT_EQ(per_thread, function_for(cudaEnablePerThreadDefaultStream));
    EXPECT_EQ(cudaGetDriverEntryPoint("cuInit", 77).status, cudaErrorInvalidValue);
}

TEST(CudartEntryTest, StartsAndStopsTheProfiler) {
    EXPECT_EQ(runtime_symbol<cudaError_t()>("cudaProfilerStart")(), cudaSuccess);
    EXPECT_EQ(runtime_symbol<cudaError_t()>("cudaProfilerStop")(), cudaSuccess);
}

}  // namespace
}  // namespace cubind::testing
