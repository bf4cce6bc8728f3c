// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "validate_test.hpp"

namespace cubind::testing {
namespace {

namespace validate = layers::validate;

class ValidateHandles : public SimulatedTest {
protected:
    void SetUp() override {
        validate::start(findings.options());
        SimulatedTest::SetUp();
    }
    std::string message() {
        const auto messages = findings.messages();
        return messages.size() == 1 ? messages.front() : std::to_string(messages.size()) + " findings";
    }
    static std::string text(const void* handle) {
        char digits[32];
        std::snprintf(digits, sizeof digits, "%p", handle);
        return digits;
    }

    Findings findings;
};

TEST_F(ValidateHandles, ThatLivePass) {
    const CUstream stream = cuStreamCreate(0).value;
    EXPECT_TRUE(cuStreamSynchronize(stream).ok());
    EXPECT_TRUE(cuStreamDestroy(stream).ok());
    EXPECT_EQ(message(), "0 findings");
}

TEST_F(ValidateHandles, ThatNoCallGave) {
    cuStreamSynchronize(handle<CUstream>(0x4440));
    EXPECT_EQ(message(), "cuStreamSynchronize: hStream is 0x4440, which no call has given; expected a CUstream that some call gave and none destroyed");
    auto options = findings.options();
    options.unknown_handles = false;
    validate::start(options);
    cuStreamSynchronize(handle<CUstream>(0x4440));
    EXPECT_EQ(message(), "0 findings");
}

TEST_F(ValidateHandles, ThatAreDestroyed) {
    const CUstream stream = cuStreamCreate(0).value;
    cuStreamDestroy(stream);
    const std::string expected = "hStream is " + text(stream) + ", which cuStreamCreate gave and cuStreamDestroy_v2 has ended; expected a CUstream that lives";
    EXPECT_EQ(cuStreamSynchronize(stream).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(message(), "cuStreamSynchronize: " + expected);
    cuStreamDestroy(stream);
    EXPECT_EQ(message(), "cuStreamDestroy_v2: " + expected);
    auto options = findings.options();
    options.unknown_handles = false;
    validate::start(options);
    cuStreamSynchronize(stream);
    EXPECT_EQ(message(), "cuStreamSynchronize: " + expected) << "known all the same";
}

TEST_F(ValidateHandles, ThatAreDestroyedInAnotherThread) {
    const CUstream stream = cuStreamCreate(0).value;
    EXPECT_TRUE(cuStreamSynchronize(stream).ok()) << "this thread has found it alive";
    std::thread([=] { cuStreamDestroy(stream); }).join();
    cuStreamSynchronize(stream);
    EXPECT_THAT(message(), HasSubstr("cuStreamDestroy_v2 has ended"));
}

TEST_F(ValidateHandles, OfDestroyedContexts) {
    const CUcontext second = cuCtxCreate_v2(0, 1).value;
    const CUstream stream = cuStreamCreate(0).value;
    EXPECT_TRUE(cuCtxDestroy(second).ok());
    cuCtxSetCurrent(context);
    cuStreamSynchronize(stream);
    EXPECT_EQ(message(), "cuStreamSynchronize: hStream is " + text(stream) + ", which cuStreamCreate gave and cuCtxDestroy_v2 has ended; expected a CUstream that lives");
    cuCtxSetCurrent(second);
    EXPECT_THAT(message(), HasSubstr("which cuCtxCreate_v2 gave and cuCtxDestroy_v2 has ended; expected a CUcontext that lives"));
}

TEST_F(ValidateHandles, OfContextsThatBeganUnseen) {
    validate::stop();
    const CUcontext second = cuCtxCreate_v2(0, 1).value;
    validate::start(findings.options());
    const CUstream stream = cuStreamCreate(0).value;
    auto options = findings.options();
    options.unknown_handles = false;
    validate::start(options);
    EXPECT_TRUE(cuCtxDestroy(second).ok());
    cuCtxSetCurrent(context);
    cuStreamSynchronize(stream);
    EXPECT_THAT(message(), HasSubstr("cuCtxDestroy_v2 has ended"));
}

TEST_F(ValidateHandles, OutliveTheResetOfAnotherContext) {
    const CUstream stream = cuStreamCreate(0).value;
    EXPECT_TRUE(cuDevicePrimaryCtxRetain(1).ok());
    EXPECT_TRUE(cuDevicePrimaryCtxReset(1).ok());
    EXPECT_TRUE(cuStreamSynchronize(stream).ok());
    EXPECT_TRUE(cuCtxSetCurrent(context).ok());
    EXPECT_EQ(message(), "0 findings");
}

CUresult refuse(CUstream) {
    return CUDA_ERROR_LAUNCH_FAILED;
}

TEST_F(ValidateHandles, OfFailedDestructionsLive) {
    const CUstream stream = cuStreamCreate(0).value;
    cubind::EntryPoint& entry = *entry_point_of(reinterpret_cast<void (*)()>(cuStreamDestroy_v2));
    void* const drivers = exchange_address(entry, reinterpret_cast<void*>(refuse));
    EXPECT_EQ(cuStreamDestroy(stream).status, CUDA_ERROR_LAUNCH_FAILED);
    exchange_address(entry, drivers);
    EXPECT_TRUE(cuStreamSynchronize(stream).ok());
    EXPECT_EQ(message(), "0 findings");
}

TEST_F(ValidateHandles, OfTwoContexts) {
    const CUevent event = cuEventCreate(0).value;
    const CUstream stream = cuStreamCreate(0).value;
    const CUcontext second = cuCtxCreate_v2(0, 1).value;
    const CUstream other = cuStreamCreate(0).value;
    EXPECT_EQ(cuEventRecord(event, other).status, CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(message(), "cuEventRecord: hStream is of the context " + text(second) + " and hEvent of " + text(context) + "; expected both of one context");
    cuEventRecord(event, nullptr);
    EXPECT_THAT(message(), HasSubstr("hStream is of the context")) << "the default stream of the current context";
    cuStreamCopyAttributes(stream, other);
    EXPECT_THAT(message(), ::testing::StartsWith("cuStreamCopyAttributes: src is of the context " + text(second)));
    EXPECT_TRUE(cuEventRecord(event, stream).ok());
    EXPECT_EQ(message(), "0 findings") << "whatever is current";
}

TEST_F(ValidateHandles, ReportMayCallTheDriver) {
    int reports = 0;
    validate::start({.report = [&](const validate::Finding&) {
        ++reports;
        EXPECT_EQ(cuStreamSynchronize(handle<CUstream>(0x4440)).status, CUDA_ERROR_INVALID_HANDLE);
        validate::findings();
    }});
    cuStreamSynchronize(handle<CUstream>(0x4440));
    EXPECT_EQ(reports, 1) << "its own calls pass unseen";
    EXPECT_EQ(validate::findings(), 1u);
}

TEST_F(ValidateHandles, OfManyThreads) {
    in_threads(4, [&](int) {
        EXPECT_TRUE(cuCtxSetCurrent(context).ok());
        for (int times = 0; times < 200; ++times) {
            const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
            const CUevent event = cuEventCreate(0).value;
            EXPECT_TRUE(cuEventRecord(event, stream).ok());
            EXPECT_TRUE(cuStreamDestroy(stream).ok());
            EXPECT_TRUE(cuEventDestroy(event).ok());
        }
    });
    EXPECT_EQ(message(), "0 findings");
}

}  // namespace
}  // namespace cubind::testing
