// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/check.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/driver/stream.hpp>
#include <cubind/sweep/sweep.hpp>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core_test.hpp"

namespace cubind::testing {
namespace {

using namespace std::chrono_literals;
using profile::Case;
using profile::Configurations;
using profile::EndedBy;
using profile::Measurement;
using profile::SweepOptions;
using profile::SweepResult;
using profile::Value;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Few samples, because the simulation is slow.
const SweepOptions quick{.name = "quick", .spread = 1e9, .min_repeats = 6, .max_repeats = 8, .calls_per_sample = 1};

template <class Change>
SweepOptions with(const Change& change) {
    SweepOptions options = quick;
    change(options);
    return options;
}

class SweepTest : public CoreTest {
protected:
    template <class Action>
    static std::string refusal(const Action& action) {
        try {
            action();
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        ADD_FAILURE() << "no exception";
        return "";
    }

    Device device{1};
};

TEST_F(SweepTest, MeasuresEachConfiguration) {
    device.set_current();
    auto data = device.allocate<float>(device.default_stream(), 1 << 16);
    std::map<std::string, int> calls;
    const SweepResult result = profile::sweep(
        quick, {{"n", {1 << 8, 1 << 16}}, {"value", {0.5}}, {"kind", {"a", "b"}}},
        [&](const Case& c) {
            ++calls[to_string(c.configuration())];
            EXPECT_EQ(c.stream().device(), device);
            EXPECT_TRUE(c.stream().context().is_current());
            fill(c.stream(), data.span().first(c["n"]), c.get<float>("value"));
        },
        profile::bytes(4, "n"), profile::flops([](const Case& c) { return c["n"].number(); }));
    EXPECT_EQ(result.name(), "quick");
    EXPECT_EQ(result.device(), device.name());
    ASSERT_EQ(result.measurements().size(), 4u);
    EXPECT_EQ(to_string(result.measurements()[1].configuration), "n=256, value=0.5, kind=b");
    for (const Measurement& each : result.measurements()) {
        EXPECT_EQ(each.failure, "");
        EXPECT_GT(each.device.median.count(), 0);
        EXPECT_LE(each.device.minimum, each.device.lower);
        EXPECT_GE(each.device.maximum, each.device.upper);
        EXPECT_EQ(each.device.samples, 6u);
        EXPECT_EQ(each.ended_by, EndedBy::spread);
        EXPECT_FALSE(each.host);
        EXPECT_EQ(calls[to_string(each.configuration)], 7) << "one call to warm up";
        const double bandwidth = 4 * each.configuration[0].value.number() / each.device.median.count();
        EXPECT_DOUBLE_EQ(each.columns[0].value(), bandwidth / 1e9);
        EXPECT_DOUBLE_EQ(each.columns[1].value(), bandwidth / profile::computed_peak_bandwidth(device) * 100);
        EXPECT_DOUBLE_EQ(each.columns[2].value(), bandwidth / 4 / 1e9);
    }
    EXPECT_EQ(result.columns()[1].text(), "of computed peak [%]");
    EXPECT_EQ(profile::computed_peak_bandwidth(device), 2e3 * 3201000 * 6016 / 8);
    EXPECT_EQ(result.exit_status(), 0);
}

TEST_F(SweepTest, MeasuresListsOfConfigurations) {
    std::vector<std::string> seen;
    const auto some = Configurations::list({{{"n", 1}, {"block", 32}}, {{"block", 64}, {"n", 2}}});
    const SweepResult result = profile::sweep(quick, some, [&](const Case& c) {
        if (seen.empty() || seen.back() != to_string(c.configuration())) seen.push_back(to_string(c.configuration()));
    });
    EXPECT_THAT(seen, ElementsAre("n=1, block=32", "n=2, block=64"));
    EXPECT_EQ(result.at({{"block", 64}}).configuration[0].value, 2);
}

TEST_F(SweepTest, TakesTheCallersStream) {
    const Stream stream(device);
    const SweepResult result = profile::sweep(with([&](SweepOptions& options) { options.stream = stream; }), {{"i", {1}}},
                                              [&](const Case& c) { EXPECT_EQ(c.stream(), StreamRef(stream)); });
    EXPECT_EQ(result.exit_status(), 0);
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(SweepTest, TakesSamplesUntilTheSpreadIsSmall) {
    int calls = 0;
    const auto measure = [&](const SweepOptions& options) {
        calls = 0;
        // The time on the simulated device is that of the host: 1 ms and 3 ms by turns.
        return profile::sweep(options, {{"i", {1}}}, [&](const Case&) { std::this_thread::sleep_for(++calls % 2 * 2ms + 1ms); })
            .measurements()
            .front();
    };
    const SweepOptions alternating = with([](SweepOptions& options) {
        options.spread = 0.01;
        options.max_repeats = 12;
    });
    const Measurement wide = measure(alternating);
    EXPECT_EQ(wide.ended_by, EndedBy::repeats);
    EXPECT_EQ(wide.device.samples, 12u);
    EXPECT_EQ(calls, 13);
    EXPECT_GT(wide.device.spread(), 0.05);
    SweepOptions limited = alternating;
    limited.time_limit = 0ns;
    const Measurement cut = measure(limited);
    EXPECT_EQ(cut.ended_by, EndedBy::time);
    EXPECT_EQ(cut.device.samples, 1u);
    EXPECT_EQ(cut.device.coverage, 0);
    EXPECT_EQ(cut.device.lower, cut.device.upper);
}

TEST_F(SweepTest, TakesSeveralCallsOfShortWork) {
    int calls = 0;
    const auto nothing = [&](const Case&) { ++calls; };
    const SweepResult automatic = profile::sweep(with([](SweepOptions& options) {
                                                     options.calls_per_sample = 0;
                                                     options.host_time = true;
                                                     options.batch_time = 1ms;
                                                 }),
                                                 {{"i", {1}}}, nothing, profile::bytes(0, "i"));
    const Measurement& measured = automatic.measurements().front();
    EXPECT_EQ(measured.failure, "");
    EXPECT_GT(measured.calls_per_sample, 1u);
    EXPECT_LE(measured.calls_per_sample, 1000u);
    EXPECT_GE(measured.device.median.count(), 0);
    EXPECT_LT(measured.device.median.count(), 1e-3);
    ASSERT_TRUE(measured.host);
    EXPECT_GT(measured.host->median.count(), 0);
    EXPECT_NE(automatic.text(), "");
    calls = 0;
    static_cast<void>(profile::sweep(with([](SweepOptions& options) { options.calls_per_sample = 5; }), {{"i", {1}}}, nothing));
    EXPECT_EQ(calls, 1 + 6 * 5);
}

TEST_F(SweepTest, FlushesTheCache) {
    layers::faults::start();
    int calls = 0;
    const SweepResult result = profile::sweep(with([](SweepOptions& options) {
                                                  options.calls_per_sample = 0;
                                                  options.flush_l2 = true;
                                              }),
                                              {{"i", {1}}}, [&](const Case&) { ++calls; });
    EXPECT_EQ(result.exit_status(), 0) << result.text();
    EXPECT_EQ(calls, 7);
    EXPECT_EQ(layers::faults::calls("cuMemsetD8Async"), 6u) << "before each sample";
    layers::faults::stop();
    EXPECT_THAT(
        refusal([] {
            static_cast<void>(profile::sweep({.calls_per_sample = 2, .flush_l2 = true}, {{"i", {1}}}, [](const Case&) {}));
        }),
        HasSubstr("flush_l2"));
}

TEST_F(SweepTest, RecordsWhatFails) {
    std::vector<std::string> reported;
    const auto measure = [&](bool stop) {
        reported.clear();
        const SweepOptions options = with([&](SweepOptions& each) {
            each.stop_at_failure = stop;
            each.on_measured = [&](const Measurement& m) { reported.push_back(m.failure); };
        });
        return profile::sweep(
            options, {{"i", {1, 2, 3, 4, 5, 6}}},
            [](const Case& c) {
                const auto capture = [&] {
                    check(driver::cuStreamBeginCapture(c.stream().native_handle(), driver::CU_STREAM_CAPTURE_MODE_RELAXED));
                };
                if (c["i"] == 2) {
                    capture();
                    throw std::runtime_error("two is too many");
                }
                if (c["i"] == 3) throw 3;
                if (c["i"] == 4) capture();
                if (c["i"] == 5) {
                    capture();
                    check(driver::cuStreamSynchronize(c.stream().native_handle()));  // makes the capture invalid
                }
            },
            profile::bytes(1, "i"));
    };
    const SweepResult all = measure(false);
    EXPECT_EQ(all.exit_status(), 2);
    EXPECT_THAT(reported, ElementsAre("", "two is too many", HasSubstr("not derived"), HasSubstr("end_building"),
                                      HasSubstr("cuStreamSynchronize"), ""));
    EXPECT_EQ(all.measurements()[1].ended_by, EndedBy::failure);
    EXPECT_EQ(all.measurements()[1].columns[0], std::nullopt);
    EXPECT_THAT(all.text(), HasSubstr("6 configurations, 4 failed"));
    EXPECT_THAT(all.html(), HasSubstr("two is too many"));
    const SweepResult stopped = measure(true);
    EXPECT_THAT(reported, ElementsAre("", "two is too many", HasSubstr("i=2"), HasSubstr("not measured"), HasSubstr("i=2"),
                                      HasSubstr("i=2 failed")));
}

TEST_F(SweepTest, RefusesWhatCannotBeMeasured) {
    const auto sweep = [](const SweepOptions& options, const Configurations& configurations, auto... columns) {
        return refusal([&] {
            static_cast<void>(profile::sweep(
                options, configurations, [](const Case&) { FAIL(); }, columns...));
        });
    };
    const Configurations one = {{"i", {1}}};
    EXPECT_THAT(refusal([] { static_cast<void>(Configurations(std::vector<profile::Parameter>{})); }), HasSubstr("no parameter"));
    EXPECT_THAT(refusal([] { static_cast<void>(Configurations{{"i", {}}}); }), HasSubstr("\"i\""));
    EXPECT_THAT(refusal([] { static_cast<void>(Configurations{{"", {1}}}); }), HasSubstr("no name"));
    EXPECT_THAT(refusal([] { static_cast<void>(Configurations{{"i", {1}}, {"i", {2}}}); }), HasSubstr("\"i\""));
    EXPECT_THAT(refusal([] { static_cast<void>(Configurations{{"i", {1, 2, 1}}}); }), HasSubstr("i=1"));
    EXPECT_THAT(refusal([] { static_cast<void>(Configurations::list({})); }), HasSubstr("no configuration"));
    EXPECT_THAT(refusal([] { static_cast<void>(Configurations::list({{{"i", 1}}, {{"j", 1}}})); }), HasSubstr("j=1"));
    EXPECT_THAT(refusal([] { static_cast<void>(Configurations::list({{{"i", 1}}, {{"i", 1}, {"j", 1}}})); }), HasSubstr("j=1"));
    const std::vector<Value> many(2000, 1);
    EXPECT_THAT(refusal([&] { static_cast<void>(Configurations{{"a", many}, {"b", many}}); }), HasSubstr("1000000"));
    EXPECT_THAT(sweep({.spread = std::nan("")}, one), HasSubstr("spread"));
    EXPECT_THAT(sweep({.confidence = 1}, one), HasSubstr("confidence"));
    EXPECT_THAT(sweep({.min_repeats = 5}, one), AllOf(HasSubstr("5"), HasSubstr("6")));
    EXPECT_THAT(sweep({.max_repeats = 9}, one), AllOf(HasSubstr("9"), HasSubstr("10")));
    EXPECT_THAT(sweep({.time_limit = -1ns}, one), HasSubstr("negative"));
    EXPECT_THAT(sweep({.normalize_against = {{"j", 1}}}, one), HasSubstr("\"j\""));
    EXPECT_THAT(sweep({.normalize_against = {{"i", 2}}}, one), HasSubstr("i=2"));
    EXPECT_THAT(sweep({}, {{"median [s]", {1}}}), HasSubstr("median [s]"));
    EXPECT_THAT(sweep({}, one, profile::bytes(1, "i"), profile::bytes(2, "i")), HasSubstr("bandwidth"));
    EXPECT_THAT(sweep({}, one, profile::derived("i", "", [](const Case&, const Measurement&) { return 1.0; })),
                HasSubstr("\"i\""));
    EXPECT_THAT(sweep({}, one, profile::derived("x", "", nullptr)), HasSubstr("no function"));
    Stream stream(device);
    GraphBuilder builder(stream);
    builder.begin_building();
    EXPECT_THAT(sweep({.stream = stream}, one), HasSubstr("captured"));
    builder.end_building();
}

TEST_F(SweepTest, LeavesOutValuesThatAreNotFinite) {
    const SweepResult result = profile::sweep(
        quick, {{"i", {1, 2}}}, [](const Case&) {},
        profile::derived("a", "", [](const Case&, const Measurement&) { return NAN; }),
        profile::derived(
            "b", "x",
            [](const Case& c, const Measurement&) -> double { return c["i"] == 1 ? throw std::runtime_error("no") : 2.5; }),
        profile::bytes(1, "missing"));
    EXPECT_EQ(result.exit_status(), 0);
    EXPECT_THAT(result.measurements()[0].columns, ElementsAre(std::nullopt, std::nullopt, std::nullopt, std::nullopt));
    EXPECT_THAT(result.measurements()[1].columns, ElementsAre(std::nullopt, 2.5, std::nullopt, std::nullopt));
    EXPECT_THAT(result.json(), HasSubstr("[null,2.5,null,null]"));
}

TEST_F(SweepTest, ComparesWithAReference) {
    const SweepResult result =
        profile::sweep(with([](SweepOptions& options) {
                           options.normalize_against = {{"block", 128}};
                       }),
                       Configurations::list({{{"n", 1}, {"block", 128}}, {{"n", 1}, {"block", 256}}, {{"n", 2}, {"block", 64}}}),
                       [](const Case& c) { std::this_thread::sleep_for(c.get<int>("block") * 10us); });
    EXPECT_EQ(result.columns().front().text(), "times as fast as block=128");
    EXPECT_EQ(result.measurements()[0].columns[0], 1.0);
    EXPECT_EQ(result.measurements()[1].columns[0],
              result.measurements()[0].device.median / result.measurements()[1].device.median);
    EXPECT_LT(result.measurements()[1].columns[0].value(), 0.9);
    EXPECT_EQ(result.measurements()[2].columns[0], std::nullopt) << "there is no n=2, block=128";
}

TEST_F(SweepTest, ConvertsValues) {
    const auto c = [](Value value) {
        static profile::Configuration configuration;
        configuration = {{"v", std::move(value)}};
        return Case(StreamRef::legacy_default(), configuration);
    };
    EXPECT_EQ(c(300).get<std::size_t>("v"), 300u);
    EXPECT_EQ(c(300.0).get<short>("v"), 300);
    EXPECT_EQ(c(256).get<Dim3>("v"), Dim3(256));
    EXPECT_EQ(c(true).get<bool>("v"), true);
    EXPECT_EQ(c(0.1).get<std::string>("v"), "0.1");
    EXPECT_EQ(c("fast")["v"], "fast");
    EXPECT_EQ(c(std::numeric_limits<std::int64_t>::min()).get<std::int64_t>("v"), std::numeric_limits<std::int64_t>::min());
    EXPECT_THAT(refusal([&] { static_cast<void>(c(300).get<unsigned char>("v")); }), AllOf(HasSubstr("300"), HasSubstr("255")));
    EXPECT_THAT(refusal([&] { static_cast<void>(c(-1).get<std::size_t>("v")); }), HasSubstr("-1"));
    EXPECT_THAT(refusal([&] { static_cast<void>(c(0.5).get<int>("v")); }), HasSubstr("0.5"));
    EXPECT_THAT(refusal([&] { static_cast<void>(c("x").get<int>("v")); }), HasSubstr("\"x\""));
    EXPECT_THAT(refusal([&] { static_cast<void>(c(1)["w"]); }), AllOf(HasSubstr("\"w\""), HasSubstr("v=1")));
    EXPECT_THROW(static_cast<void>(Value(~std::uint64_t{0})), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(Value(INFINITY)), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(Value(static_cast<const char*>(nullptr))), std::invalid_argument);
}

TEST_F(SweepTest, EndsAfterALostContext) {
    int calls = 0;
    const SweepResult result = profile::sweep(quick, {{"i", {1, 2}}}, [&](const Case&) -> void {
        ++calls;
        throw Error("driver", "cuLaunchKernel", driver::CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
                    "a kernel failed");
    });
    EXPECT_EQ(calls, 1);
    EXPECT_THAT(result.measurements()[0].failure, HasSubstr("ILLEGAL_ADDRESS"));
    EXPECT_THAT(result.measurements()[1].failure, AllOf(HasSubstr("i=1"), HasSubstr("lost")));
    EXPECT_EQ(result.exit_status(), 2);
}

TEST_F(SweepTest, RestoresTheContext) {
    device.set_current();
    const ContextRef before = ContextRef::current();
    const SweepResult result = profile::sweep(quick, {{"i", {1, 2}}}, [&](const Case& c) {
        EXPECT_EQ(ContextRef::current(), before);
        if (c["i"] == 1) Device(0).set_current();
    });
    EXPECT_EQ(result.exit_status(), 0) << result.text();
    EXPECT_EQ(result.device(), device.name());
    EXPECT_EQ(ContextRef::current(), before);
}

// A call that fails is an exception, or the failure of a configuration.
TEST_F(SweepTest, ReportsEachCallThatFails) {
    device.set_current();
    auto data = device.allocate<float>(device.default_stream(), 16);
    EXPECT_GT(sweep([&] {
                  const SweepResult result = profile::sweep(
                      quick, {{"i", {1}}}, [&](const Case& c) { fill(c.stream(), data, 1.0f); }, profile::bytes(64, "i"));
                  const Measurement& measured = result.measurements().front();
                  if (!measured.failure.empty()) throw std::invalid_argument(measured.failure);
              }),
              20u);
}

}  // namespace
}  // namespace cubind::testing
