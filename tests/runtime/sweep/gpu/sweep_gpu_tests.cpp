// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Sweeps on a GPU, against times that are measured without them.
#include <cubind/check.hpp>
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/launch/launch.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/core/program/program.hpp>
#include <cubind/core/stream/event.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/error.hpp>
#include <cubind/sweep/sweep.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <vector>

namespace cubind::testing {
namespace {

using profile::Case;
using profile::Measurement;
using profile::SweepResult;

class SweepGpuTest : public ::testing::Test {
protected:
    void SetUp() override {
        try {
            if (Device::count() == 0) GTEST_SKIP() << "there is no GPU";
        } catch (const Error& error) {
            GTEST_SKIP() << error.what();
        }
        device.emplace(0);
    }

    // Median seconds of fills that events measure one by one.
    double median_of_fills(StreamRef stream, TypedBuffer<float>& data) const {
        std::vector<float> times;
        for (int i = 0; i < 51; ++i) {
            const Event start = stream.record({.timing_enabled = true});
            fill(stream, data, 1.0f);
            const Event stop = stream.record({.timing_enabled = true});
            stop.synchronize();
            times.push_back((stop - start).count());
        }
        std::nth_element(times.begin(), times.begin() + 25, times.end());
        return times[25] / 1e3;
    }

    std::optional<Device> device;
};

TEST_F(SweepGpuTest, MeasuresAsEventsDo) {
    const Stream stream(*device);
    auto data = device->allocate<float>(stream, std::size_t{1} << 28);  // 1 GiB
    fill(stream, data, 0.0f);
    const SweepResult result = profile::sweep(
        {.spread = 0.01, .calls_per_sample = 1, .stream = stream}, {{"n", {1 << 28}}},
        [&](const Case& c) { fill(c.stream(), data, 1.0f); }, profile::bytes(4, "n"));
    const Measurement& measured = result.measurements().front();
    EXPECT_EQ(measured.ended_by, profile::EndedBy::spread) << result.text();
    EXPECT_NEAR(measured.device.median.count() / median_of_fills(stream, data), 1, 0.03);
    EXPECT_GT(measured.columns[1].value(), 30) << "percent of the computed peak";
    EXPECT_LT(measured.columns[1].value(), 101);
    RecordProperty("table", result.text());
    std::puts(result.text().c_str());
}

// A fill of few bytes lasts one to five microseconds, which a single pair of events cannot resolve to 2 %.
TEST_F(SweepGpuTest, ResolvesShortWork) {
    const Stream stream(*device);
    auto data = device->allocate<float>(stream, 1 << 10);
    const SweepResult result = profile::sweep({.name = "short", .host_time = true, .stream = stream}, {{"n", {1, 1 << 10}}},
                                              [&](const Case& c) { fill(c.stream(), data.span().first(c["n"]), 1.0f); });
    for (const Measurement& each : result.measurements()) {
        EXPECT_GT(each.calls_per_sample, 4u) << result.text();
        EXPECT_GT(each.device.median.count(), 0.2e-6);
        EXPECT_LT(each.device.median.count(), 20e-6);
    }
    std::puts(result.text().c_str());
}

TEST_F(SweepGpuTest, MeasuresNothing) {
    const SweepResult result = profile::sweep(
        {}, {{"n", {1}}}, [](const Case&) {}, profile::bytes(8, "n"));
    EXPECT_EQ(result.exit_status(), 0);
    EXPECT_LT(result.measurements().front().device.median.count(), 1e-6) << result.text();
}

// Each read waits for the one before. A read from memory takes more than twice as long as one from the L2 cache.
TEST_F(SweepGpuTest, FlushesTheCache) {
    if (device->properties().l2_cache_size() == 0) GTEST_SKIP() << "the device states no L2 cache";
    const Kernel chase = Program(R"(
        extern "C" __global__ void chase(const unsigned* next, unsigned* end, unsigned steps) {
            unsigned at = 0;
            for (unsigned i = 0; i < steps; ++i) at = __ldcg(next + at);
            *end = at;
        })")
                             .compile(CodeType::ptx)
                             .kernel("chase");
    constexpr unsigned steps = 1024, stride = 1024;  // 4 KiB from one read to the next
    std::vector<unsigned> links(steps * stride);
    for (unsigned i = 0; i < steps; ++i) links[i * stride] = (i + 1) % steps * stride;
    const Stream stream(*device);
    auto next = device->allocate<unsigned>(stream, links.size());
    auto end = device->allocate<unsigned>(stream, 1);
    copy(stream, next, links);
    const auto median = [&](bool flush) {
        const SweepResult result =
            profile::sweep({.spread = 0.05, .calls_per_sample = 1, .flush_l2 = flush, .stream = stream}, {{"n", {steps}}},
                           [&](const Case& c) { launch(c.stream(), {.grid = 1, .block = 1}, chase, next, end, steps); });
        std::puts(result.text().c_str());
        return result.measurements().front().device.median;
    };
    const auto warm = median(false);
    EXPECT_GT(median(true), 1.3 * warm);
}

TEST_F(SweepGpuTest, GoesOnAfterAFailure) {
    const SweepResult result = profile::sweep({.max_repeats = 10}, {{"n", {1, 2, 3}}}, [&](const Case& c) {
        if (c["n"] == 2) check(driver::cuStreamBeginCapture(c.stream().native_handle(), driver::CU_STREAM_CAPTURE_MODE_RELAXED));
    });
    EXPECT_EQ(result.exit_status(), 2);
    EXPECT_TRUE(result.measurements()[2].has_times()) << result.text();
}

}  // namespace
}  // namespace cubind::testing
