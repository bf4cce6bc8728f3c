// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Outputs of sweeps, and their comparison with a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <system_error>

#include "csv.hpp"
#include "page.hpp"
#include "sweep_results.hpp"

namespace cubind::testing {
namespace {

using namespace std::string_literals;
using profile::SweepResult;
using profile::Verdict;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string hostile = "</script><img src=x onerror=alert(1)> \"'&,\n<!--\xff\x01";

class SweepResultTest : public ::testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::path(::testing::TempDir()) /
                  ("sweep-"s + ::testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::remove_all(folder_);
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    std::string stored(const SweepResult& result) const {
        result.write(path("baseline.csv"));
        return path("baseline.csv");
    }
    static std::string content(const std::string& file) {
        std::stringstream text;
        text << std::ifstream(file, std::ios::binary).rdbuf();
        return text.str();
    }
    static std::string message(const std::function<void()>& action) {
        try {
            action();
        } catch (const std::exception& error) {
            return error.what();
        }
        ADD_FAILURE() << "no exception";
        return "";
    }

    std::filesystem::path folder_;
};

TEST_F(SweepResultTest, WritesCommaSeparatedValuesThatRestoreNumbers) {
    const SweepResult result(
        "s, \"t\"", "GPU", "13.0", {{"rate", "1/s"}},
        {measured({{"n", 3}, {"kind", "a\nb"}}, 0.1, 0.5, {1.0 / 3}), failed({{"n", 4}, {"kind", ""}}, "why", 1)});
    EXPECT_EQ(
        result.csv(),
        "sweep,device,driver,n,kind,median [s],lower [s],upper [s],coverage,minimum [s],maximum [s],mean [s],samples,calls per "
        "sample,ended by,host median [s],rate [1/s],failure\n"
        "\"s, \"\"t\"\"\",GPU,13.0,3,\"a\nb\",0.1,0.05,0.15000000000000002,0.97852,0,0.25,0.1001,10,16,spread,,"
        "0.3333333333333333,\n"
        "\"s, \"\"t\"\"\",GPU,13.0,4,,,,,,,,,,,,,,why\n");
}

TEST_F(SweepResultTest, EqualsItself) {
    for (const std::string& name : {"saxpy"s, hostile}) {
        SweepResult result = saxpy_result(3, 2, name);
        result.compare(stored(result));
        for (const auto& each : result.measurements()) {
            EXPECT_EQ(each.verdict, Verdict::same);
            EXPECT_EQ(each.baseline_ratio, 1);
        }
        EXPECT_EQ(result.missing_configurations(), 0u);
        EXPECT_EQ(result.exit_status(), 0);
    }
}

TEST_F(SweepResultTest, FindsWhatDiffersBeyondTheThreshold) {
    const auto result_of = [](std::vector<double> times, double half_width) {
        std::vector<profile::Measurement> all;
        for (std::size_t i = 0; i < times.size(); ++i) all.push_back(measured({{"i", i}}, times[i], half_width));
        return SweepResult("s", "GPU", "13.0", {}, std::move(all));
    };
    const std::string file = stored(result_of({1, 1, 1, 1}, 0.01));
    SweepResult now = result_of({1.2, 0.8, 1.04, 1.015}, 0.01);
    now.compare(file, 0.1);
    const auto verdict = [&](int i) { return now.at({{"i", i}}).verdict; };
    EXPECT_EQ(verdict(0), Verdict::slower);
    EXPECT_EQ(verdict(1), Verdict::faster);
    EXPECT_EQ(verdict(2), Verdict::same) << "within the threshold";
    EXPECT_EQ(now.exit_status(), 1);
    now.compare(file, 0.02);
    EXPECT_EQ(verdict(2), Verdict::slower);
    EXPECT_EQ(verdict(3), Verdict::same) << "the intervals overlap";
    EXPECT_DOUBLE_EQ(now.at({{"i", 0}}).baseline_ratio, 1.2);
    SweepResult wide = result_of({1.2, 1.2, 1.2, 1.2}, 0.3);
    EXPECT_EQ(wide.compare(file).exit_status(), 0) << "the intervals overlap";
    EXPECT_THAT(now.text(), AllOf(HasSubstr("+20.00 % slower"), HasSubstr("threshold 2.00 %: 2 slower, 1 faster, 1 same")));
}

TEST_F(SweepResultTest, SaysWhatHasNoCounterpart) {
    profile::Measurement short_one = measured({{"i", 3}}, 5);
    short_one.device.coverage = 0.75;
    const std::string file =
        stored({"s",
                "GPU",
                "13.0",
                {},
                {measured({{"i", 1}}, 1), failed({{"i", 2}}, "x"), measured({{"i", 3}}, 1), measured({{"i", 9}}, 1)}});
    SweepResult now("s", "GPU", "12.9", {},
                    {failed({{"i", 1}}, "x"), measured({{"i", 2}}, 1), short_one, measured({{"i", 4}}, 1)});
    now.compare(file);
    for (const int i : {1, 2, 4}) EXPECT_EQ(now.at({{"i", i}}).verdict, Verdict::unmatched) << i;
    EXPECT_EQ(now.at({{"i", 3}}).verdict, Verdict::uncertain);
    EXPECT_EQ(now.missing_configurations(), 1u);
    EXPECT_EQ(now.exit_status(), 2) << "a configuration failed";
}

TEST_F(SweepResultTest, RefusesBaselinesOfSomethingElse) {
    const std::string file = stored(saxpy_result(2, 2));
    const auto refusal = [&](SweepResult result) { return message([&] { result.compare(file); }); };
    EXPECT_THAT(refusal(saxpy_result(2, 2, "daxpy")), AllOf(HasSubstr("daxpy"), HasSubstr("saxpy"), HasSubstr(file)));
    const auto other = [](std::string device, profile::Configuration configuration) {
        return SweepResult("saxpy", std::move(device), "13.0", {}, {measured(std::move(configuration), 1)});
    };
    EXPECT_THAT(refusal(other("NVIDIA H100", {{"n", 1}, {"block", 1}})),
                AllOf(HasSubstr("NVIDIA H100"), HasSubstr("NVIDIA H200")));
    EXPECT_THAT(refusal(other("NVIDIA H200", {{"n", 1}})), HasSubstr("parameters"));
    EXPECT_THAT(refusal(other("NVIDIA H200", {{"block", 1}, {"n", 1}})), HasSubstr("parameters"));
    SweepResult result = saxpy_result(2, 2);
    EXPECT_THAT(message([&] { result.compare(path("missing.csv")); }),
                AllOf(HasSubstr("missing.csv"), HasSubstr("No such file")));
    EXPECT_THROW(result.compare(file, -1), std::invalid_argument);
    EXPECT_THAT(result.baseline(), IsEmpty());
    EXPECT_EQ(result.measurements().front().verdict, std::nullopt);
}

// Every beginning of a file, and every change of one byte, is refused or read without a crash. Beginnings that end within a line
// are refused.
TEST_F(SweepResultTest, RefusesDamagedBaselines) {
    const std::string good = saxpy_result(2, 1).csv();
    const auto can_read = [](const std::string& text) {
        try {
            static_cast<void>(profile::detail::read_baseline(text, "b.csv"));
            return true;
        } catch (const std::invalid_argument& error) {
            EXPECT_THAT(error.what(), AllOf(HasSubstr("b.csv"), HasSubstr("line ")));
            return false;
        }
    };
    for (std::size_t size = 0; size < good.size(); ++size) {
        const std::string text = good.substr(0, size);
        const bool has_rows = std::count(text.begin(), text.end(), '\n') >= 2 && text.ends_with('\n');
        EXPECT_EQ(can_read(text), has_rows) << text;
    }
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (const char c : {'"', ',', '\n', '-', '\0', '\xff'}) {
            std::string text = good;
            text[at] = c;
            static_cast<void>(can_read(text));
        }
    }
    SweepResult result = saxpy_result(2, 1);
    const auto problem = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        std::ofstream(path("b.csv"), std::ios::binary) << text;
        return message([&] { result.compare(path("b.csv")); });
    };
    EXPECT_THAT(problem("median [s]", "median"), AllOf(HasSubstr("line 1"), HasSubstr("header")));
    EXPECT_THAT(problem(",10,16,", ",10,16,17,"), AllOf(HasSubstr("line 2"), HasSubstr("fields")));
    EXPECT_THAT(problem("0.97852", "nan"), AllOf(HasSubstr("coverage"), HasSubstr("nan")));
    EXPECT_THAT(problem("8192", "4096"), AllOf(HasSubstr("line 3"), HasSubstr("twice")));
    EXPECT_THAT(message([&] { result.compare("/dev/null"); }), HasSubstr("/dev/null"));
    EXPECT_THAT(message([&] { result.compare(folder_.string()); }), HasSubstr("regular"));
}

TEST_F(SweepResultTest, EscapesNames) {
    const SweepResult result(hostile, hostile, "13.0", {{hostile, hostile}},
                             {measured({{hostile, hostile}}, 1, 0.1, {1.0}), measured({{hostile, 1}}, 1, 0.1, {2.0}),
                              failed({{hostile, 2}}, hostile, 1)});
    const std::string_view script[] = {"/* script for charts */"};
    for (const std::string& page : {profile::detail::page_of(result, {}), profile::detail::page_of(result, script)}) {
        EXPECT_THAT(
            page, AllOf(Not(HasSubstr("<img")), Not(HasSubstr("<!--")), Not(HasSubstr("\xff\x01")), HasSubstr("&lt;img src=x")));
        std::size_t closed = 0, opened = 0;
        for (std::size_t at = 0; (at = page.find("</script>", at)) != std::string::npos; ++at) ++closed;
        for (std::size_t at = 0; (at = page.find("<script", at)) != std::string::npos; ++at) ++opened;
        EXPECT_EQ(closed, opened);
        EXPECT_EQ(page.find("script for charts") != std::string::npos, opened == 3);
    }
    EXPECT_THAT(result.json(), AllOf(HasSubstr("\\\"'&,\\n<!--\\u00ff\\u0001"), Not(HasSubstr("\xff"))));
    EXPECT_THAT(result.text(), AllOf(HasSubstr("\u240a<!--\u00ff\u2401"), HasSubstr("failed: ")));
}

TEST_F(SweepResultTest, SaysWhyThereAreNoCharts) {
    EXPECT_THAT(profile::detail::page_of(saxpy_result(2, 2), {}), AllOf(HasSubstr("libjs-chart.js"), HasSubstr("<table>")));
    const std::string_view script[] = {"x"};
    EXPECT_THAT(profile::detail::page_of(saxpy_result(2, 2), script),
                AllOf(Not(HasSubstr("libjs-chart.js")), HasSubstr("<canvas")));
    EXPECT_THAT(profile::detail::page_of(saxpy_result(1, 1), script), Not(HasSubstr("<canvas")));
}

TEST_F(SweepResultTest, WritesTheFormatOfTheName) {
    const SweepResult result = saxpy_result(2, 2);
    result.write(path("a.txt"));
    EXPECT_EQ(content(path("a.txt")), result.text());
    result.write(path("a.json"));
    EXPECT_EQ(content(path("a.json")), result.json());
    result.write(path("a.html"));
    EXPECT_EQ(content(path("a.html")), result.html());
    EXPECT_THAT(message([&] { result.write(path("a.png")); }), AllOf(HasSubstr("a.png"), HasSubstr(".html")));
    EXPECT_THAT(message([&] { result.write(path("no/folder.csv")); }), HasSubstr("no/folder.csv"));
}

// The limit of the file size stands for a full disk.
TEST_F(SweepResultTest, LeavesTheOldFileIfTheDiskIsFull) {
    saxpy_result(1, 1).write(path("a.csv"));
    const std::string before = content(path("a.csv"));
    rlimit limit{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
    const rlimit original = limit;
    limit.rlim_cur = 1000;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    EXPECT_THROW(saxpy_result(20, 10).write(path("a.csv")), std::system_error);
    EXPECT_THROW(saxpy_result(20, 10).write(path("new.html")), std::system_error);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &original), 0);
    EXPECT_EQ(content(path("a.csv")), before);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1) << "no half file";
}

TEST_F(SweepResultTest, ShowsATableForTerminals) {
    const SweepResult result(
        "saxpy", "NVIDIA H200", "13.0", {{"bandwidth", "GB/s"}},
        {measured({{"n", 65536}}, 2.5e-6, 0.01, {314.5728}), measured({{"n", 1 << 24}}, 0.0421, 0.01, {std::nullopt}),
         failed({{"n", -1}}, "not that many\nno", 1)});
    EXPECT_EQ(result.text(),
              "saxpy\n"
              "       n    median           interval  spread  samples  bandwidth [GB/s]\n"
              "   65536  2.500 us  2.475 to 2.525 us  1.00 %  10 x 16             314.6\n"
              "16777216  42.10 ms  41.68 to 42.52 ms  1.00 %  10 x 16                 -\n"
              "      -1    failed                                                     -\n"
              "NVIDIA H200, driver 13.0\n"
              "3 configurations, 1 failed\n"
              "failed: n=-1: not that many\nno\n");
}

TEST_F(SweepResultTest, FindsConfigurations) {
    const SweepResult result = saxpy_result(2, 2);
    EXPECT_EQ(result.at({{"n", 8192}, {"block", 64}}).configuration, (profile::Configuration{{"n", 8192}, {"block", 64}}));
    EXPECT_THAT(message([&] { static_cast<void>(result.at({{"n", 8192}})); }), HasSubstr("several"));
    EXPECT_THAT(message([&] { static_cast<void>(result.at({{"n", 1}})); }), HasSubstr("n=1"));
    EXPECT_THROW(SweepResult("s", "GPU", "13.0", {{"a", ""}}, {measured({{"i", 1}}, 1)}), std::invalid_argument);
}

}  // namespace
}  // namespace cubind::testing
