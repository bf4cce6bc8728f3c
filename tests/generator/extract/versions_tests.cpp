// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "extract/versions.hpp"

namespace cubind::testing {
namespace {

using Since = std::map<std::string, std::string>;

/// Returns for each of `functions` the release that introduced it according to `typedefs`; "?" if they do not state it.
Since since(const std::vector<std::string>& typedefs, const std::vector<std::string>& functions) {
    gen::extract::VersionCollector versions;
    for (const auto& name : typedefs) versions.collect(name);
    gen::spec::Facts facts;
    for (const auto& name : functions) {
        gen::spec::Function function;
        function.name = name;
        function.since = "?";
        facts.functions.push_back(function);
    }
    versions.apply(facts);
    Since found;
    for (const auto& function : facts.functions) found[function.name] = function.since;
    return found;
}

TEST(VersionCollectorTest, ReadsVersionsFromTypedefNames) {
    EXPECT_EQ(since({"PFN_toyOpen_v2000", "PFN_toyShut_v12040"}, {"toyOpen", "toyShut"}),
              (Since{{"toyOpen", "2.0"}, {"toyShut", "12.4"}}));
}

TEST(VersionCollectorTest, AssignsVersionsToSymbolsInOrder) {
    EXPECT_EQ(since({"PFN_toyOpen_v11040", "PFN_toyOpen_v2000", "PFN_toyOpen_v3020"}, {"toyOpen_v3", "toyOpen", "toyOpen_v2"}),
              (Since{{"toyOpen", "2.0"}, {"toyOpen_v2", "3.2"}, {"toyOpen_v3", "11.4"}}));
}

TEST(VersionCollectorTest, AcceptsSkippedNumbers) {
    EXPECT_EQ(since({"PFN_toyOpen_v3020", "PFN_toyOpen_v13000"}, {"toyOpen_v2", "toyOpen_v4"}),
              (Since{{"toyOpen_v2", "3.2"}, {"toyOpen_v4", "13.0"}}));
}

TEST(VersionCollectorTest, SeparatesPerThreadVariants) {
    EXPECT_EQ(
        since({"PFN_toyRun_v4000", "PFN_toyRun_v7000_ptsz", "PFN_toyRun_v7050_ptds"}, {"toyRun", "toyRun_ptsz", "toyRun_ptds"}),
        (Since{{"toyRun", "4.0"}, {"toyRun_ptsz", "7.0"}, {"toyRun_ptds", "7.5"}}));
    EXPECT_EQ(since({"PFN_toyCopy_v3020", "PFN_toyCopy_v7000_ptds"}, {"toyCopy_v2", "toyCopy_v2_ptds"}),
              (Since{{"toyCopy_v2", "3.2"}, {"toyCopy_v2_ptds", "7.0"}}));
}

TEST(VersionCollectorTest, LeavesSinceUnchangedIfTheCountsDiffer) {
    EXPECT_EQ(since({"PFN_toyOpen_v2000", "PFN_toyOpen_v3020"}, {"toyOpen"}), (Since{{"toyOpen", "?"}}));
    EXPECT_EQ(since({"PFN_toyOpen_v2000"}, {"toyOpen", "toyOpen_v2"}), (Since{{"toyOpen", "?"}, {"toyOpen_v2", "?"}}));
}

TEST(VersionCollectorTest, CountsARepeatedTypedefOnce) {
    EXPECT_EQ(since({"PFN_toyOpen_v2000", "PFN_toyOpen_v2000"}, {"toyOpen"}), (Since{{"toyOpen", "2.0"}}));
}

TEST(VersionCollectorTest, IgnoresOtherNames) {
    EXPECT_EQ(since({"toyOpen_v2000", "PFN_toyOpen", "PFN_toyOpen_v2", "PFN_toyOpen_vNext"}, {"toyOpen"}),
              (Since{{"toyOpen", "?"}}));
}

TEST(VersionCollectorTest, IgnoresAFunctionWithALongerName) {
    EXPECT_EQ(since({"PFN_toyOpen_v2000"}, {"toyOpenAll"}), (Since{{"toyOpenAll", "?"}}));
}

}  // namespace
}  // namespace cubind::testing
