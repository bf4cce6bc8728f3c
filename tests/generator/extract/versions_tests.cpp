// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/versions.hpp"

#include <gtest/gtest.h>

namespace cubind::testing {
namespace {

using Since = std::map<std::string, std::string>;

/// Each of `functions` to the release that introduced it, as these typedefs tell; "?" where they do not.
Since since(const std::vector<std::string>& typedefs, const std::vector<std::string>& functions) {
    gen::extract::VersionCollector versions;
    for (const auto& name : typedefs) versions.take(name);
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

TEST(Versions, are_read_from_the_names_of_pointer_types) {
    EXPECT_EQ(since({"PFN_toyOpen_v2000", "PFN_toyShut_v12040"}, {"toyOpen", "toyShut"}),
              (Since{{"toyOpen", "2.0"}, {"toyShut", "12.4"}}));
}

TEST(Versions, go_to_symbols_in_their_order) {
    EXPECT_EQ(since({"PFN_toyOpen_v11040", "PFN_toyOpen_v2000", "PFN_toyOpen_v3020"}, {"toyOpen_v3", "toyOpen", "toyOpen_v2"}),
              (Since{{"toyOpen", "2.0"}, {"toyOpen_v2", "3.2"}, {"toyOpen_v3", "11.4"}}));
}

TEST(Versions, may_skip_a_number) {
    EXPECT_EQ(since({"PFN_toyOpen_v3020", "PFN_toyOpen_v13000"}, {"toyOpen_v2", "toyOpen_v4"}),
              (Since{{"toyOpen_v2", "3.2"}, {"toyOpen_v4", "13.0"}}));
}

TEST(Versions, keep_per_thread_variants_apart) {
    EXPECT_EQ(
        since({"PFN_toyRun_v4000", "PFN_toyRun_v7000_ptsz", "PFN_toyRun_v7050_ptds"}, {"toyRun", "toyRun_ptsz", "toyRun_ptds"}),
        (Since{{"toyRun", "4.0"}, {"toyRun_ptsz", "7.0"}, {"toyRun_ptds", "7.5"}}));
    EXPECT_EQ(since({"PFN_toyCopy_v3020", "PFN_toyCopy_v7000_ptds"}, {"toyCopy_v2", "toyCopy_v2_ptds"}),
              (Since{{"toyCopy_v2", "3.2"}, {"toyCopy_v2_ptds", "7.0"}}));
}

TEST(Versions, say_nothing_where_numbers_of_symbols_differ) {
    EXPECT_EQ(since({"PFN_toyOpen_v2000", "PFN_toyOpen_v3020"}, {"toyOpen"}), (Since{{"toyOpen", "?"}}));
    EXPECT_EQ(since({"PFN_toyOpen_v2000"}, {"toyOpen", "toyOpen_v2"}), (Since{{"toyOpen", "?"}, {"toyOpen_v2", "?"}}));
}

TEST(Versions, count_a_repeated_typedef_once) {
    EXPECT_EQ(since({"PFN_toyOpen_v2000", "PFN_toyOpen_v2000"}, {"toyOpen"}), (Since{{"toyOpen", "2.0"}}));
}

TEST(Versions, ignore_other_names) {
    EXPECT_EQ(since({"toyOpen_v2000", "PFN_toyOpen", "PFN_toyOpen_v2", "PFN_toyOpen_vNext"}, {"toyOpen"}),
              (Since{{"toyOpen", "?"}}));
}

TEST(Versions, do_not_go_to_a_function_with_a_longer_name) {
    EXPECT_EQ(since({"PFN_toyOpen_v2000"}, {"toyOpenAll"}), (Since{{"toyOpenAll", "?"}}));
}

}  // namespace
}  // namespace cubind::testing
