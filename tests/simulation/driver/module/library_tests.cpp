// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_test.hpp"

namespace cubind::testing {
namespace {

class SimLibraryTest : public KernelTest {
protected:
    void SetUp() override {
        KernelTest::SetUp();
        library = load_library(test_ptx);
    }

    static CUlibrary load_library(const char* code) {
        auto [status, loaded] = cuLibraryLoadData(code, nullptr, nullptr, 0, nullptr, nullptr, 0);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return loaded;
    }
    CUkernel kernel(const char* name) const {
        auto [status, found] = cuLibraryGetKernel(library, name);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return found;
    }

    CUlibrary library = nullptr;
};

TEST_F(SimLibraryTest, ReturnsKernelsAndTheirFunctions) {
    EXPECT_EQ(kernel("saxpy"), kernel("saxpy"));
    EXPECT_STREQ(cuKernelGetName(kernel("saxpy")).value, "saxpy");
    EXPECT_EQ(cuKernelGetLibrary(kernel("saxpy")).value, library);
    EXPECT_EQ(cuLibraryGetKernelCount(library).value, 9u);
    CUkernel kernels[20] = {};
    EXPECT_EQ(cuLibraryEnumerateKernels(kernels, 20, library).status, CUDA_SUCCESS);
    EXPECT_EQ(kernels[1], kernel("saxpy"));
    const CUmodule of_library = cuLibraryGetModule(library).value;
    EXPECT_EQ(cuKernelGetFunction(kernel("saxpy")).value, cuModuleGetFunction(of_library, "saxpy").value);
    EXPECT_EQ(cuModuleUnload(of_library).status, CUDA_ERROR_NOT_PERMITTED);
    EXPECT_EQ(cuLibraryGetKernel(library, "nope").status, CUDA_ERROR_NOT_FOUND);
    EXPECT_EQ(cuLibraryGetKernel(library, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    auto [status, offset, size] = cuKernelGetParamInfo(kernel("mixed"), 1);
    EXPECT_EQ(offset, 8u);
    EXPECT_EQ(size, 24u);
    EXPECT_EQ(cuKernelGetParamInfo(kernel("mixed"), 4).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimLibraryTest, HasVariablesInEachContext) {
    const CUdeviceptr counter = cuLibraryGetGlobal(library, "counter").value1;
    EXPECT_EQ(cuMemsetD32(counter, 100, 1).status, CUDA_SUCCESS);
    ASSERT_TRUE(cuCtxCreate_v2(0, 1).ok());
    const CUdeviceptr counter_of_other_context = cuLibraryGetGlobal(library, "counter").value1;
    EXPECT_NE(counter, counter_of_other_context);
    unsigned value = 0;
    EXPECT_EQ(cuMemcpyDtoH(&value, counter_of_other_context, 4).status, CUDA_SUCCESS);
    EXPECT_EQ(value, 7u);
    EXPECT_EQ(cuLibraryGetManaged(library, "managed").value2, 4u);
    EXPECT_EQ(cuLibraryGetManaged(library, "counter").status, CUDA_ERROR_NOT_FOUND);
    EXPECT_EQ(cuLibraryGetUnifiedFunction(library, "any").status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimLibraryTest, AppliesKernelAttributesToFunctions) {
    const CUfunction function = cuKernelGetFunction(kernel("saxpy")).value;
    constexpr auto attribute = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    EXPECT_EQ(cuKernelSetAttribute(attribute, 100000, kernel("saxpy"), 0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuFuncGetAttribute(attribute, function).value, 100000);
    EXPECT_EQ(cuKernelGetAttribute(attribute, kernel("saxpy"), 1).value, 49152);
    EXPECT_EQ(cuFuncSetAttribute(function, attribute, 5000).status, CUDA_SUCCESS);
    EXPECT_EQ(cuFuncGetAttribute(attribute, function).value, 5000);
    EXPECT_EQ(cuKernelGetAttribute(attribute, kernel("saxpy"), 0).value, 100000);
    EXPECT_EQ(cuKernelGetAttribute(attribute, kernel("saxpy"), 99).status, CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(SimLibraryTest, LaunchesKernelsLikeFunctions) {
    int calls = 0;
    sim::define_kernel("empty", [&](const sim::Launch&) { ++calls; });
    const auto as_function = reinterpret_cast<CUfunction>(kernel("empty"));
    EXPECT_EQ(launch(as_function), CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSynchronize().status, CUDA_SUCCESS);
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(as_function, 32, 0).value, 32);
    EXPECT_EQ(cuFuncGetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, as_function).status, CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(SimLibraryTest, LaunchesKernelsInTheContextOfTheStream) {
    const CUstream stream = create_stream();
    const auto as_function = reinterpret_cast<CUfunction>(kernel("empty"));
    int calls = 0;
    sim::define_kernel("empty", [&](const sim::Launch&) { ++calls; });
    ASSERT_TRUE(cuCtxCreate_v2(0, 1).ok());
    EXPECT_EQ(launch(as_function, nullptr, stream), CUDA_SUCCESS) << "another context is current";
    EXPECT_TRUE(cuCtxPopCurrent().ok());
    EXPECT_TRUE(cuCtxPopCurrent().ok());
    EXPECT_EQ(launch(as_function, nullptr, stream), CUDA_SUCCESS) << "no context is current";
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_SUCCESS);
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(launch(as_function), CUDA_ERROR_INVALID_CONTEXT) << "the default stream belongs to the current context";
}

TEST_F(SimLibraryTest, RequiresAContextForPerContextObjects) {
    const CUkernel saxpy = kernel("saxpy");
    EXPECT_EQ(cuCtxSetCurrent(nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuKernelGetFunction(saxpy).status, CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuKernelGetParamInfo(saxpy, 0).status, CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuLibraryGetModule(library).status, CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuLibraryGetGlobal(library, "counter").status, CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(cuKernelGetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, saxpy, 0).status, CUDA_SUCCESS);
    EXPECT_NE(load_library(test_ptx), library);
}

TEST_F(SimLibraryTest, ReturnsManagedVariablesWithoutACurrentContext) {
    EXPECT_EQ(cuCtxSetCurrent(nullptr).status, CUDA_SUCCESS);
    const CUdeviceptr managed = cuLibraryGetManaged(library, "managed").value1;
    EXPECT_EQ(*reinterpret_cast<unsigned*>(managed), 3u);
    EXPECT_EQ(cuLibraryGetManaged(library, "counter").status, CUDA_ERROR_NOT_FOUND);
    EXPECT_EQ(cuCtxSetCurrent(context).status, CUDA_SUCCESS);
    EXPECT_EQ(cuLibraryGetManaged(library, "managed").value1, managed);
    EXPECT_EQ(cuCtxDestroy(context).status, CUDA_SUCCESS);
    EXPECT_EQ(cuLibraryGetManaged(library, "managed").status, CUDA_ERROR_INVALID_CONTEXT) << "no context exists";
}

TEST_F(SimLibraryTest, ReportsInvalidCodeWhenAKernelIsRequested) {
    const CUlibrary invalid_code = load_library("garbage");
    EXPECT_EQ(cuLibraryGetKernelCount(invalid_code).value, 0u);
    EXPECT_EQ(cuLibraryGetKernelCount(invalid_code).status, CUDA_SUCCESS);
    EXPECT_EQ(cuLibraryEnumerateKernels(nullptr, 0, invalid_code).status, CUDA_SUCCESS);
    EXPECT_EQ(cuLibraryGetKernel(invalid_code, "any").status, CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(cuLibraryGetModule(invalid_code).status, CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(cuLibraryGetGlobal(invalid_code, "any").status, CUDA_ERROR_INVALID_IMAGE);
    EXPECT_EQ(cuLibraryUnload(invalid_code).status, CUDA_SUCCESS);
}

TEST_F(SimLibraryTest, InvalidatesItsKernelsWhenItIsUnloaded) {
    const CUkernel saxpy = kernel("saxpy");
    const CUfunction function = cuKernelGetFunction(saxpy).value;
    EXPECT_EQ(cuLibraryUnload(library).status, CUDA_SUCCESS);
    EXPECT_EQ(cuLibraryUnload(library).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuKernelGetFunction(saxpy).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(launch(function), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(launch(reinterpret_cast<CUfunction>(saxpy)), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(SimLibraryTest, LoadsAgainAfterAResetOfThePrimaryContext) {
    EXPECT_EQ(cuCtxSetCurrent(cuDevicePrimaryCtxRetain(0).value).status, CUDA_SUCCESS);
    const CUmodule before = cuLibraryGetModule(library).value;
    EXPECT_EQ(cuDevicePrimaryCtxReset(0).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCtxSetCurrent(cuDevicePrimaryCtxRetain(0).value).status, CUDA_SUCCESS);
    EXPECT_NE(cuLibraryGetModule(library).value, before);
    EXPECT_EQ(cuModuleGetFunctionCount(before).status, CUDA_ERROR_INVALID_HANDLE);
}

}  // namespace
}  // namespace cubind::testing
