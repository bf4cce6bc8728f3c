// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/version_report.hpp>
#include <cubind/nvrtc/loading.hpp>

#include <algorithm>

#include "core_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<std::string> ids_of(const VersionReport& report) {
    std::vector<std::string> ids;
    for (const VersionProblem& each : report.problems) ids.push_back(each.id);
    return ids;
}

class VersionReportTest : public CoreTest {
protected:
    void TearDown() override {
        FailedCalls::get().forget();  // the machine may have no toolkit
        CoreTest::TearDown();
    }
};

TEST_F(VersionReportTest, HasTheDriverAndItsDevices) {
    sim::install({.devices = 2, .release = "12.4"});
    const VersionReport report = diagnose_versions();
    ASSERT_THAT(report.libraries, SizeIs(3));
    EXPECT_EQ(report.libraries.front().name, "driver");
    EXPECT_EQ(report.libraries.front().release, 12040);
    EXPECT_EQ(report.facts.driver, 12040);
    ASSERT_THAT(report.facts.devices, SizeIs(2));
    EXPECT_EQ(report.facts.devices.back().ordinal, 1);
    EXPECT_EQ(report.facts.devices.back().architecture, 90);
    EXPECT_EQ(report.ok(), report.problems.empty());
    EXPECT_THAT(report.text(), HasSubstr("driver: CUDA 12.4, simulated\n"));
    EXPECT_THAT(report.text(), HasSubstr("device 1: "));
    EXPECT_FALSE(ContextRef::current());
}

TEST_F(VersionReportTest, HasTheToolkitWhereThereIsOne) {
    Library* const others[] = {&nvrtc::library()};
    const VersionReport report = diagnose_versions(others);
    ASSERT_THAT(report.libraries, SizeIs(4));
    const FoundLibrary& compiler = report.libraries[1];
    EXPECT_EQ(compiler.name, "nvrtc");
    EXPECT_EQ(report.libraries[3].path, compiler.path) << "the row that the caller named";
    EXPECT_EQ(report.facts.has_nvrtc, !compiler.path.empty());
    EXPECT_NE(compiler.problem.empty(), compiler.path.empty());
    if (!report.facts.has_nvrtc) {
        EXPECT_THAT(report.text(), HasSubstr("nvrtc: " + compiler.problem));
        EXPECT_EQ(report.facts.emitted_ptx, 0);
        return;
    }
    EXPECT_THAT(compiler.found_via, Not(::testing::IsEmpty()));
    EXPECT_THAT(report.text(), HasSubstr(compiler.path + " (" + compiler.found_via + ")"));
    EXPECT_TRUE(report.facts.emitted_ptx != 0 || !report.facts.nvrtc_failure.empty());
}

TEST_F(VersionReportTest, NamesPtxThatTheDriverDoesNotCompile) {
    VersionFacts facts;
    facts.driver = 12040;
    facts.has_nvrtc = true;
    facts.nvrtc = 13000;
    facts.emitted_ptx = 9000;
    const auto problems = find_version_problems(facts);
    ASSERT_THAT(problems, SizeIs(1));
    EXPECT_EQ(problems.front().id, "ptx_too_new");
    EXPECT_THAT(problems.front().text, HasSubstr("accepts 8.4 at most"));
    VersionReport report{.facts = facts, .problems = problems};
    EXPECT_FALSE(report.ok());
    EXPECT_THAT(report.text(), HasSubstr("ptx_too_new: "));
}

TEST_F(VersionReportTest, NamesADriverWithoutDevices) {
    sim::install({.devices = 0});
    EXPECT_THAT(ids_of(diagnose_versions()), ::testing::Contains("driver_unusable"));
}

}  // namespace
}  // namespace cubind::testing
