// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// A recorder of a program on simulated devices, whose calls and work the stand-in for CUPTI sees.
#include <cubind/core.hpp>
#include <cubind/core/lifetime/cleanup.hpp>
#include <cubind/error.hpp>
#include <cubind/nvtx.hpp>
#include <cubind/profile.hpp>
#include <cubind/sim/gtest.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "recorder_test.hpp"

namespace cubind::testing {
namespace {

using namespace profile;

std::atomic<int> cleanup_failures = 0;

class RecorderSimTest : public sim::DriverTest {
protected:
    RecorderSimTest() : DriverTest({.devices = 1}) {
        ::setenv("CUBIND_CUPTI_LIBRARY", CUPTI_STAND_IN, 1);
        ::unsetenv("NVTX_INJECTION64_PATH");
        stand_in::reset();
        EXPECT_TRUE(stand_in::observe(&sim::cubindSimulatedObserver));
    }

    static std::string stack_text(const Recording& recording, const TimedRecord& record) {
        std::string text;
        for (const RangeRecord* each : recording.range_stack(record)) text.append(each->name).append("<");
        return text;
    }
};

constexpr std::string_view ptx = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry _Z5firstPf(.param .u64 p) { ret; }
.visible .entry _Z6secondv() { ret; }
)";

TEST_F(RecorderSimTest, RecordsAKnownProgram) {
    Device device(0);
    Stream stream(device);
    const ObjectCode code = ObjectCode::from_bytes(CodeType::ptx, ptx);
    const Kernel first = code.kernel("_Z5firstPf"), second = code.kernel("_Z6secondv");
    TypedBuffer<float> data = device.allocate<float>(stream, 256);
    std::vector<float> host(256);
    stream.synchronize();

    Recorder recorder;
    const TimePoint before = std::chrono::steady_clock::now();
    {
        const NvtxRange step("step");
        copy(stream, data, host);
        for (int i = 0; i < 3; ++i) {
            const NvtxRange solve("solve");
            launch(stream, {.grid = {2, 3, 1}, .block = 64}, first, data);
        }
        fill(stream, data, 0.0f);
    }
    launch(stream, {.grid = 1, .block = 32}, second);
    std::jthread([&] {
        const NvtxRange other("other thread");
        copy(stream, host, data);
    }).join();
    stream.synchronize();
    const TimePoint after = std::chrono::steady_clock::now();
    const Recording recording = recorder.stop();

    EXPECT_EQ(recording.dropped().total(), 0u);
    ASSERT_EQ(recording.kernels().size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
        const KernelRecord& kernel = recording.kernels()[i];
        EXPECT_EQ(kernel.name, i < 3 ? "first(float*)" : "second()");
        EXPECT_EQ(kernel.grid.y, i < 3 ? 3u : 1u);
        EXPECT_EQ(kernel.block.x, i < 3 ? 64u : 32u);
        EXPECT_EQ(stack_text(recording, kernel), i < 3 ? "solve<step<" : "");
        const ApiRecord* const call = recording.call_of(kernel);
        ASSERT_NE(call, nullptr);
        EXPECT_EQ(call->name, "cuLaunchKernelEx");
        ASSERT_EQ(recording.kernels_of(*call).size(), 1u);
        EXPECT_EQ(recording.kernels_of(*call)[0], &kernel);
        EXPECT_GE(kernel.end, kernel.start);
        EXPECT_GT(kernel.start, before - std::chrono::milliseconds(1));
        EXPECT_LT(kernel.end, after + std::chrono::milliseconds(1));
    }
    ASSERT_EQ(recording.copies().size(), 2u);
    EXPECT_EQ(recording.copies()[0].bytes, 1024u);
    EXPECT_EQ(recording.copies()[0].direction, CopyDirection::host_to_device);
    EXPECT_EQ(stack_text(recording, recording.copies()[0]), "step<");
    EXPECT_EQ(recording.copies()[1].direction, CopyDirection::device_to_host);
    EXPECT_EQ(stack_text(recording, recording.copies()[1]), "other thread<");
    ASSERT_EQ(recording.fills().size(), 1u);
    EXPECT_EQ(recording.fills()[0].bytes, 1024u);
    EXPECT_EQ(recording.summary()[0].count + recording.summary()[1].count, 4u);
    EXPECT_EQ(recording.kernels_by_range().size(), 2u);
    ASSERT_EQ(recording.ranges().size(), 5u);
}

TEST_F(RecorderSimTest, CallsBackAroundCallsOfTheDriver) {
    std::vector<std::string> log;
    Callbacks callbacks([&](const CallbackEvent& event) {
        log.push_back((event.site == CallbackSite::enter ? "+" : "-") + std::string(event.name));
    });
    callbacks.enable(CallbackDomain::driver, "cuStreamCreateWithPriority");
    callbacks.enable(CallbackDomain::driver, "cuStreamCreate");
    const Stream stream(Device(0));
    callbacks.close();
    ASSERT_EQ(log.size(), 2u);
    EXPECT_EQ(log[0].substr(1), log[1].substr(1));
    EXPECT_EQ(log[0].front(), '+');
    EXPECT_EQ(log[1].front(), '-');
}

TEST_F(RecorderSimTest, SaysWhyMetricsAreRefused) {
    const ContextRef context = Device(0).context();
    bool has_worked = false;
    const auto measure = [&] { static_cast<void>(metrics(context, {"dram__bytes.sum"}, [&] { has_worked = true; })); };
    stand_in::options().lacks_privileges = true;
    const std::string refused = message_of<Error>(measure);
    EXPECT_NE(refused.find("NVreg_RestrictProfilingToAdminUsers=0"), refused.npos) << refused;
    EXPECT_NE(refused.find("CAP_SYS_ADMIN"), refused.npos) << refused;
    stand_in::options().lacks_privileges = false;
    const std::string unsupported = message_of<Error>(measure);
    EXPECT_NE(unsupported.find("CUPTI_ERROR_NOT_SUPPORTED"), unsupported.npos) << unsupported;
    EXPECT_FALSE(has_worked);
    EXPECT_EQ(stand_in::calls("cuptiProfilerDeInitialize"), 2u);
    EXPECT_THROW(static_cast<void>(metrics(context, {}, [] {})), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(metrics(context, {"dram__bytes.sum"}, nullptr)), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(Metrics({{"a", 1.0}}, 1)["b"]), std::invalid_argument);
    EXPECT_EQ(Metrics({{"a", 1.5}}, 1)["a"], 1.5);
}

TEST_F(RecorderSimTest, MeasuresMetricsInPasses) {
    const ContextRef context = Device(0).context();
    stand_in::options().has_counters = true;
    int runs = 0;
    const Metrics measured = metrics(context, {"first.sum", "second.max"}, [&] { ++runs; });
    EXPECT_EQ(runs, 3);
    EXPECT_EQ(measured.passes(), 3u);
    EXPECT_EQ(measured["first.sum"], 0.5);
    EXPECT_EQ(measured["second.max"], 1.5);
    const std::string unknown = message_of<Error>([&] {
        static_cast<void>(metrics(context, {"first.sum", "no_such.sum"}, [] {}));
    });
    EXPECT_NE(unknown.find("no_such.sum"), unknown.npos) << unknown;
    const auto failing = [&] {
        static_cast<void>(metrics(context, {"first.sum"}, [] { throw std::runtime_error("of the work"); }));
    };
    EXPECT_EQ(message_of<std::runtime_error>(failing), "of the work");
    EXPECT_EQ(metrics(context, {"first.sum"}, [] {}).passes(), 3u);
}

TEST_F(RecorderSimTest, SurvivesEachFailureOfCounters) {
    const ContextRef context = Device(0).context();
    set_cleanup_handler([](const char*) noexcept { ++cleanup_failures; });
    unsigned call = 1;
    for (;; ++call) {
        stand_in::reset();
        stand_in::options().has_counters = true;
        stand_in::options().fail = call;
        cleanup_failures = 0;
        bool has_failed = false;
        try {
            static_cast<void>(metrics(context, {"first.sum"}, [] {}));
        } catch (const Error&) {
            has_failed = true;
        }
        if (stand_in::calls() < call) {
            EXPECT_FALSE(has_failed);
            break;
        }
        EXPECT_TRUE(has_failed || cleanup_failures == 1) << call;
        if (cleanup_failures == 0) {  // everything was released
            stand_in::reset();
            stand_in::options().has_counters = true;
            EXPECT_EQ(metrics(context, {"first.sum"}, [] {})["first.sum"], 0.5) << call;
        }
    }
    EXPECT_GT(call, 25u);
    set_cleanup_handler(nullptr);
}

}  // namespace
}  // namespace cubind::testing
