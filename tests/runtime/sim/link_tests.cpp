// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "kernel_test.hpp"

namespace cubind::testing {
namespace {

class SimLinkTest : public KernelTest {
protected:
    void SetUp() override {
        KernelTest::SetUp();
        auto [status, created] = cuLinkCreate(2, options, values);
        ASSERT_EQ(status, CUDA_SUCCESS);
        link = created;
    }

    CUresult add(const char* text, CUjitInputType type = CU_JIT_INPUT_PTX) const {
        return cuLinkAddData(link, type, const_cast<char*>(text), std::strlen(text) + 1, "name", 0, nullptr, nullptr).status;
    }

    char log[200] = "untouched";
    CUjit_option options[2] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void* values[2] = {log, reinterpret_cast<void*>(sizeof log)};
    CUlinkState link = nullptr;
};

TEST_F(SimLinkTest, ReturnsCodeThatLoads) {
    EXPECT_EQ(add(test_ptx), CUDA_SUCCESS);
    const auto [status, code, size] = cuLinkComplete(link);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(size, std::strlen(test_ptx) + 1);
    EXPECT_STREQ(log, "");
    EXPECT_TRUE(cuModuleGetFunction(load(static_cast<const char*>(code)), "saxpy").ok());
    EXPECT_EQ(add(test_ptx), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuLinkComplete(link).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuLinkDestroy(link).status, CUDA_SUCCESS);
    EXPECT_EQ(cuLinkDestroy(link).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuLinkComplete(link).status, CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(SimLinkTest, ReturnsEmptyCodeForNoInput) {
    const auto [status, code, size] = cuLinkComplete(link);
    EXPECT_EQ(status, CUDA_SUCCESS);
    EXPECT_EQ(cuModuleGetFunctionCount(load(static_cast<const char*>(code))).value, 0u);
}

TEST_F(SimLinkTest, ReadsOnlyTheGivenSize) {
    char text[] = ".version 8.0\n.target sm_90\ngarbage";
    const std::size_t size = std::strlen(text) - std::strlen("garbage");
    EXPECT_EQ(cuLinkAddData(link, CU_JIT_INPUT_PTX, text, size, nullptr, 0, nullptr, nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuLinkComplete(link).value2, size + 1);
}

TEST_F(SimLinkTest, ReportsWhyItRejectsAnInput) {
    EXPECT_EQ(add("garbage"), CUDA_ERROR_INVALID_IMAGE);
    EXPECT_NE(std::string(log).find(".version"), std::string::npos);
    EXPECT_EQ(add(".version 8.0\n.target sm_90\nnonsense"), CUDA_ERROR_INVALID_PTX);
    EXPECT_NE(std::string(log).find("line 3"), std::string::npos) << "the second message can use the whole buffer";
    EXPECT_EQ(add(".version 9.0\n.target sm_120"), CUDA_ERROR_INVALID_PTX);
    EXPECT_EQ(add(".version 99.0\n.target sm_90"), CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
    EXPECT_EQ(add(test_ptx, CU_JIT_INPUT_CUBIN), CUDA_ERROR_NOT_SUPPORTED);
    EXPECT_EQ(add(test_ptx), CUDA_SUCCESS);
    EXPECT_EQ(add(test_ptx), CUDA_ERROR_NOT_SUPPORTED) << "only one input is supported";
}

TEST_F(SimLinkTest, RejectsInvalidArguments) {
    constexpr CUresult invalid = CUDA_ERROR_INVALID_VALUE;
    char text[] = ".version 8.0\n.target sm_90\n";
    const auto add_data = [&](CUjitInputType type, void* data, std::size_t size, unsigned count) {
        return cuLinkAddData(link, type, data, size, "name", count, nullptr, nullptr).status;
    };
    EXPECT_EQ(add_data(CU_JIT_INPUT_PTX, nullptr, 5, 0), invalid);
    EXPECT_EQ(add_data(CU_JIT_INPUT_PTX, text, 0, 0), invalid);
    EXPECT_EQ(add_data(CU_JIT_INPUT_PTX, text, sizeof text, 1), invalid) << "an option is missing";
    EXPECT_EQ(add_data(static_cast<CUjitInputType>(99), text, sizeof text, 0), invalid);
    EXPECT_EQ(cuLinkAddFile(link, CU_JIT_INPUT_PTX, "/no such file", 0, nullptr, nullptr).status, CUDA_ERROR_FILE_NOT_FOUND);
    EXPECT_EQ(cuLinkAddFile(link, CU_JIT_INPUT_PTX, nullptr, 0, nullptr, nullptr).status, invalid);
    EXPECT_EQ(cuLinkCreate(1, options, values).status, invalid) << "the size of the buffer is missing";
    EXPECT_EQ(cuLinkDestroy(nullptr).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(cuCtxSetCurrent(nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(cuLinkCreate(0, nullptr, nullptr).status, CUDA_ERROR_INVALID_CONTEXT);
}

}  // namespace
}  // namespace cubind::testing
