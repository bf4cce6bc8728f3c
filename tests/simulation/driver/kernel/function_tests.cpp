// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_test.hpp"

namespace cubind::testing {
namespace {

class SimFunctionTest : public KernelTest {
protected:
    int get(CUfunction_attribute attribute, const char* name) const {
        auto [status, value] = cuFuncGetAttribute(attribute, function(name));
        EXPECT_EQ(status, CUDA_SUCCESS);
        return value;
    }
    CUresult set(CUfunction_attribute attribute, const char* name, int value) const {
        return cuFuncSetAttribute(function(name), attribute, value).status;
    }
};

TEST_F(SimFunctionTest, ReportsTheAttributesOfItsCode) {
    EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, "empty"), 1024);
    EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, "bounded"), 256);
    EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, "required"), 1024) << "the limit of the hardware";
    EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, "tiled"), 1024);
    EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, "empty"), 64);
    EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_PTX_VERSION, "empty"), 90);
    EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_BINARY_VERSION, "empty"), 90);
    EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, "empty"), 49152);
    EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, "tiled"), 48128);
    EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, "empty"), -1);
    EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, "clustered"), 1);
    EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, "clustered"), 2);
    EXPECT_EQ(get(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, "clustered"), 1);
    EXPECT_EQ(cuFuncGetAttribute(CU_FUNC_ATTRIBUTE_MAX, function("empty")).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuFuncGetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, nullptr).status, CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(SimFunctionTest, RejectsANullHandle) {
    EXPECT_EQ(cuFuncGetName(nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuFuncGetModule(nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuFuncGetParamInfo(nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuKernelGetName(nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuKernelGetParamInfo(nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuFuncGetName(reinterpret_cast<CUfunction>(8)).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuKernelGetLibrary(nullptr).status, CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(SimFunctionTest, StoresAttributes) {
    constexpr auto dynamic = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    EXPECT_EQ(set(dynamic, "empty", 232448), CUDA_SUCCESS);
    EXPECT_EQ(get(dynamic, "empty"), 232448);
    EXPECT_EQ(set(dynamic, "empty", 232449), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(set(dynamic, "empty", -1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(set(dynamic, "tiled", 232448), CUDA_ERROR_INVALID_VALUE) << "static memory counts against the limit";
    constexpr auto carveout = CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
    EXPECT_EQ(set(carveout, "empty", 100), CUDA_SUCCESS);
    EXPECT_EQ(set(carveout, "empty", 101), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(set(carveout, "empty", -2), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(get(carveout, "empty"), 100);
    EXPECT_EQ(set(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, "empty", 2), CUDA_SUCCESS);
    EXPECT_EQ(set(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, "empty", -1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(set(CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, "clustered", 4), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(set(CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, "empty", 3), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(set(CU_FUNC_ATTRIBUTE_NUM_REGS, "empty", 5), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(set(CU_FUNC_ATTRIBUTE_MAX, "empty", 5), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuFuncSetCacheConfig(function("empty"), CU_FUNC_CACHE_PREFER_L1).status, CUDA_SUCCESS);
    EXPECT_EQ(cuFuncSetCacheConfig(function("empty"), static_cast<CUfunc_cache>(9)).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimFunctionTest, ReportsTheLayoutOfItsParameters) {
    EXPECT_EQ(cuFuncGetParamCount(function("mixed")).value, 4u);
    const std::size_t offsets[] = {0, 8, 32, 40};
    const std::size_t sizes[] = {1, 24, 2, 8};
    for (std::size_t i = 0; i < 4; ++i) {
        auto [status, offset, size] = cuFuncGetParamInfo(function("mixed"), i);
        EXPECT_EQ(status, CUDA_SUCCESS);
        EXPECT_EQ(offset, offsets[i]);
        EXPECT_EQ(size, sizes[i]);
    }
    EXPECT_EQ(cuFuncGetParamInfo(function("mixed"), 4).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuFuncIsLoaded(function("mixed")).value, CU_FUNCTION_LOADING_STATE_LOADED);
}

}  // namespace
}  // namespace cubind::testing
