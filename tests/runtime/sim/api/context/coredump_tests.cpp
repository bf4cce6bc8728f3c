// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <string>
#include <unistd.h>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

class SimCoredumpTest : public SimTest {
protected:
    static bool is_set(CUcoredumpSettings attribute) {
        bool value = false;
        EXPECT_EQ(cuCoredumpGetAttribute(attribute, &value, sizeof value).status, CUDA_SUCCESS) << attribute;
        return value;
    }
    static bool is_set_globally(CUcoredumpSettings attribute) {
        bool value = false;
        EXPECT_EQ(cuCoredumpGetAttributeGlobal(attribute, &value, sizeof value).status, CUDA_SUCCESS) << attribute;
        return value;
    }
    static CUresult set(CUcoredumpSettings attribute, bool value) {
        return cuCoredumpSetAttribute(attribute, &value, sizeof value).status;
    }
    static CUresult set_globally(CUcoredumpSettings attribute, bool value) {
        return cuCoredumpSetAttributeGlobal(attribute, &value, sizeof value).status;
    }
    static CUresult set_text_globally(CUcoredumpSettings attribute, std::string text) {
        return cuCoredumpSetAttributeGlobal(attribute, text.data(), text.size() + 1).status;
    }
    static std::string text(CUcoredumpSettings attribute) {
        std::array<char, 1024> value{};
        EXPECT_EQ(cuCoredumpGetAttribute(attribute, value.data(), value.size()).status, CUDA_SUCCESS);
        return value.data();
    }
    static int flags() {
        int value = -1;
        EXPECT_EQ(cuCoredumpGetAttribute(CU_COREDUMP_GENERATION_FLAGS, &value, sizeof value).status, CUDA_SUCCESS);
        return value;
    }
};

TEST_F(SimCoredumpTest, HasDefaults) {
    EXPECT_FALSE(is_set(CU_COREDUMP_ENABLE_ON_EXCEPTION));
    EXPECT_TRUE(is_set(CU_COREDUMP_TRIGGER_HOST));
    EXPECT_FALSE(is_set(CU_COREDUMP_LIGHTWEIGHT));
    EXPECT_FALSE(is_set(CU_COREDUMP_ENABLE_USER_TRIGGER));
    EXPECT_EQ(flags(), CU_COREDUMP_DEFAULT_FLAGS);
    const std::string end = "." + std::to_string(::getpid());
    EXPECT_TRUE(text(CU_COREDUMP_FILE).starts_with("core.cuda.") && text(CU_COREDUMP_FILE).ends_with(end));
    EXPECT_TRUE(text(CU_COREDUMP_PIPE).starts_with("corepipe.cuda.") && text(CU_COREDUMP_PIPE).ends_with(end));
}

TEST_F(SimCoredumpTest, ReturnsSizesWithoutAValue) {
    EXPECT_EQ(cuCoredumpGetAttribute(CU_COREDUMP_TRIGGER_HOST, nullptr, 0).value, 1u);
    EXPECT_EQ(cuCoredumpGetAttributeGlobal(CU_COREDUMP_FILE, nullptr, 0).value, 1024u);
    EXPECT_EQ(cuCoredumpSetAttribute(CU_COREDUMP_GENERATION_FLAGS, nullptr, 0).value, 4u);
    EXPECT_EQ(cuCoredumpSetAttributeGlobal(CU_COREDUMP_PIPE, nullptr, 0).value, 1024u);
}

TEST_F(SimCoredumpTest, CopiesGlobalSettingsToNewContexts) {
    EXPECT_EQ(set_globally(CU_COREDUMP_ENABLE_ON_EXCEPTION, true), CUDA_SUCCESS);
    EXPECT_EQ(set_text_globally(CU_COREDUMP_FILE, "dump"), CUDA_SUCCESS);
    EXPECT_FALSE(is_set(CU_COREDUMP_ENABLE_ON_EXCEPTION)) << "the context existed";
    const CUcontext other = cuCtxCreate_v2(0, 0).value;
    EXPECT_TRUE(is_set(CU_COREDUMP_ENABLE_ON_EXCEPTION));
    EXPECT_EQ(text(CU_COREDUMP_FILE), "dump");
    EXPECT_EQ(set(CU_COREDUMP_ENABLE_ON_EXCEPTION, false), CUDA_SUCCESS);
    EXPECT_FALSE(is_set(CU_COREDUMP_ENABLE_ON_EXCEPTION));
    EXPECT_TRUE(is_set_globally(CU_COREDUMP_ENABLE_ON_EXCEPTION));
    EXPECT_EQ(cuCtxDestroy(other).status, CUDA_SUCCESS);
}

TEST_F(SimCoredumpTest, FollowsTheFlagsOfAContext) {
    const CUcontext exceptions = cuCtxCreate_v2(CU_CTX_COREDUMP_ENABLE, 0).value;
    EXPECT_TRUE(is_set(CU_COREDUMP_ENABLE_ON_EXCEPTION));
    EXPECT_FALSE(is_set(CU_COREDUMP_ENABLE_USER_TRIGGER));
    EXPECT_EQ(cuCtxDestroy(exceptions).status, CUDA_SUCCESS);
    const CUcontext trigger = cuCtxCreate_v2(CU_CTX_USER_COREDUMP_ENABLE, 0).value;
    EXPECT_TRUE(is_set(CU_COREDUMP_ENABLE_ON_EXCEPTION));
    EXPECT_TRUE(is_set(CU_COREDUMP_ENABLE_USER_TRIGGER));
    EXPECT_EQ(cuCtxDestroy(trigger).status, CUDA_SUCCESS);
    EXPECT_TRUE(is_set_globally(CU_COREDUMP_ENABLE_USER_TRIGGER));
    EXPECT_FALSE(is_set_globally(CU_COREDUMP_ENABLE_ON_EXCEPTION));
}

TEST_F(SimCoredumpTest, GivesARetainedPrimaryContextTheGlobalSettings) {
    const CUcontext primary = cuDevicePrimaryCtxRetain(1).value;
    EXPECT_EQ(cuCtxPushCurrent(primary).status, CUDA_SUCCESS);
    EXPECT_EQ(set(CU_COREDUMP_LIGHTWEIGHT, true), CUDA_SUCCESS);
    EXPECT_TRUE(is_set(CU_COREDUMP_LIGHTWEIGHT));
    EXPECT_EQ(cuDevicePrimaryCtxRelease(1).status, CUDA_SUCCESS);
    EXPECT_EQ(set_globally(CU_COREDUMP_TRIGGER_HOST, false), CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxRetain(1).value, primary);
    EXPECT_FALSE(is_set(CU_COREDUMP_LIGHTWEIGHT));
    EXPECT_FALSE(is_set(CU_COREDUMP_TRIGGER_HOST));
    EXPECT_EQ(cuCtxPopCurrent().status, CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxRelease(1).status, CUDA_SUCCESS);
}

TEST_F(SimCoredumpTest, DerivesOldAttributesFromTheFlags) {
    int value = CU_COREDUMP_LIGHTWEIGHT_FLAGS | CU_COREDUMP_SKIP_ABORT;
    EXPECT_EQ(cuCoredumpSetAttribute(CU_COREDUMP_GENERATION_FLAGS, &value, sizeof value).status, CUDA_SUCCESS);
    EXPECT_TRUE(is_set(CU_COREDUMP_LIGHTWEIGHT));
    EXPECT_FALSE(is_set(CU_COREDUMP_TRIGGER_HOST));
    EXPECT_EQ(set(CU_COREDUMP_TRIGGER_HOST, true), CUDA_SUCCESS);
    EXPECT_EQ(flags(), CU_COREDUMP_LIGHTWEIGHT_FLAGS);
    EXPECT_EQ(set(CU_COREDUMP_LIGHTWEIGHT, false), CUDA_SUCCESS);
    EXPECT_EQ(flags(), CU_COREDUMP_DEFAULT_FLAGS);
}

TEST_F(SimCoredumpTest, RefusesWhatADriverRefuses) {
    EXPECT_EQ(set(CU_COREDUMP_ENABLE_USER_TRIGGER, true), CUDA_ERROR_NOT_PERMITTED);
    EXPECT_EQ(set_text_globally(CU_COREDUMP_FILE, std::string(1024, 'x')), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(set_text_globally(CU_COREDUMP_FILE, std::string(1023, 'x')), CUDA_SUCCESS);
    EXPECT_EQ(set_text_globally(CU_COREDUMP_PIPE, "pipe"), CUDA_SUCCESS);
    EXPECT_EQ(set_globally(CU_COREDUMP_ENABLE_USER_TRIGGER, true), CUDA_SUCCESS);
    EXPECT_EQ(set_text_globally(CU_COREDUMP_PIPE, "other"), CUDA_ERROR_NOT_PERMITTED);
    for (const int attribute : {0, 8, -1}) {
        EXPECT_EQ(set_globally(static_cast<CUcoredumpSettings>(attribute), true), CUDA_ERROR_INVALID_VALUE) << attribute;
        EXPECT_EQ(set(static_cast<CUcoredumpSettings>(attribute), true), CUDA_ERROR_INVALID_VALUE) << attribute;
    }
    char small[4];
    EXPECT_EQ(cuCoredumpGetAttribute(CU_COREDUMP_FILE, small, sizeof small).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuCoredumpGetAttribute(CU_COREDUMP_GENERATION_FLAGS, small, 3).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuCtxSetCurrent(nullptr).status, CUDA_SUCCESS);
    EXPECT_EQ(set(CU_COREDUMP_LIGHTWEIGHT, true), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(SimCoredumpTest, RegistersCallbacks) {
    const auto callback = [](void*, int, CUdevice) {};
    const CUcoredumpCallbackHandle start = cuCoredumpRegisterStartCallback(callback, nullptr).value;
    const CUcoredumpCallbackHandle complete = cuCoredumpRegisterCompleteCallback(callback, nullptr).value;
    EXPECT_NE(start, complete);
    EXPECT_EQ(cuCoredumpDeregisterStartCallback(complete).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuCoredumpDeregisterCompleteCallback(complete).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCoredumpDeregisterStartCallback(start).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCoredumpDeregisterStartCallback(start).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuCoredumpRegisterStartCallback(nullptr, nullptr).status, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
