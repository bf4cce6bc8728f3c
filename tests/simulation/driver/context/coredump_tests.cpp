// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <string>
#include <unistd.h>
#include <utility>

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
    static std::string global_text(CUcoredumpSettings attribute) {
        std::array<char, 1024> value{};
        EXPECT_EQ(cuCoredumpGetAttributeGlobal(attribute, value.data(), value.size()).status, CUDA_SUCCESS);
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
    EXPECT_FALSE(is_set_globally(CU_COREDUMP_ENABLE_USER_TRIGGER));
    EXPECT_EQ(flags(), CU_COREDUMP_DEFAULT_FLAGS);
    EXPECT_EQ(text(CU_COREDUMP_FILE), "");
    EXPECT_EQ(global_text(CU_COREDUMP_PIPE), "");
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
    EXPECT_FALSE(is_set_globally(CU_COREDUMP_ENABLE_USER_TRIGGER));
    EXPECT_EQ(cuCtxGetFlags().value, unsigned{CU_CTX_COREDUMP_ENABLE});
    EXPECT_EQ(cuCtxDestroy(exceptions).status, CUDA_SUCCESS);
    const CUcontext trigger = cuCtxCreate_v2(CU_CTX_USER_COREDUMP_ENABLE, 0).value;
    EXPECT_TRUE(is_set(CU_COREDUMP_ENABLE_ON_EXCEPTION));
    EXPECT_EQ(cuCtxGetFlags().value, unsigned{CU_CTX_COREDUMP_ENABLE});
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

TEST_F(SimCoredumpTest, OmitsWhatTheReleaseCanOmit) {
    for (const auto& [release, expected] : {std::pair{"12.5", 15}, {"12.6", 47}, {"13.4", 47}, {"13.5", 303}}) {
        cubind::sim::install({.release = release});
        EXPECT_EQ(cuInit(0).status, CUDA_SUCCESS);
        EXPECT_EQ(cuCtxCreate_v2(0, 0).status, CUDA_SUCCESS);
        EXPECT_EQ(set(CU_COREDUMP_LIGHTWEIGHT, true), CUDA_SUCCESS);
        EXPECT_EQ(flags(), expected) << release;
        EXPECT_TRUE(is_set(CU_COREDUMP_LIGHTWEIGHT)) << release;
    }
}

TEST_F(SimCoredumpTest, ReplacesHostAndProcessInTheGlobalFile) {
    EXPECT_EQ(set_text_globally(CU_COREDUMP_FILE, "a%p%p"), CUDA_SUCCESS);
    const std::string process = std::to_string(::getpid());
    EXPECT_EQ(global_text(CU_COREDUMP_FILE), "a" + process + process);
    EXPECT_EQ(set_text_globally(CU_COREDUMP_FILE, "%h"), CUDA_SUCCESS);
    EXPECT_NE(global_text(CU_COREDUMP_FILE), "%h");
    std::string name = "%h.%p";
    EXPECT_EQ(cuCoredumpSetAttribute(CU_COREDUMP_FILE, name.data(), name.size() + 1).status, CUDA_SUCCESS);
    EXPECT_EQ(text(CU_COREDUMP_FILE), name);
}

TEST_F(SimCoredumpTest, HasNoTriggerForOneContext) {
    for (const CUcoredumpSettings attribute : {CU_COREDUMP_ENABLE_USER_TRIGGER, CU_COREDUMP_PIPE}) {
        std::array<char, 1024> value{};
        const std::size_t size = attribute == CU_COREDUMP_PIPE ? value.size() : 1;
        EXPECT_EQ(cuCoredumpGetAttribute(attribute, value.data(), size).status, CUDA_ERROR_INVALID_VALUE);
        EXPECT_EQ(cuCoredumpGetAttribute(attribute, nullptr, 0).status, CUDA_ERROR_INVALID_VALUE);
        EXPECT_EQ(cuCoredumpSetAttribute(attribute, value.data(), size).status, CUDA_ERROR_INVALID_VALUE);
    }
}

TEST_F(SimCoredumpTest, RefusesWhatADriverRefuses) {
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
    EXPECT_EQ(cuCoredumpGetAttribute(CU_COREDUMP_FILE, small, sizeof small).status, CUDA_SUCCESS) << "the name is empty";
    char name[] = "name";
    EXPECT_EQ(cuCoredumpSetAttribute(CU_COREDUMP_FILE, name, sizeof name).status, CUDA_SUCCESS);
    EXPECT_EQ(cuCoredumpGetAttribute(CU_COREDUMP_LIGHTWEIGHT, small, 4).status, CUDA_ERROR_INVALID_VALUE);
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
