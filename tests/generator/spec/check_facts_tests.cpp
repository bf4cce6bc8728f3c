// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/check_facts.hpp"

#include "support/release_facts.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::spec::Facts;

class CheckFacts : public ::testing::Test {
protected:
    CheckFacts()
        : facts(merged(
              {ReleaseFacts("12.0").function("toyOpen", {"int"}).function("toyShut").name("toyClose", "toyShut"),
               ReleaseFacts("12.4").function("toyOpen", {"int"}).constant("TOY_MOST", 1),
               ReleaseFacts("13.0").function("toyOpen", {"long"}).constant("TOY_MOST", 2).enumeration("toyColour", {{"RED", 0}}),
               ReleaseFacts("13.4").function("toyOpen", {}).enumeration("toyColour", {{"RED", 0}}).alias("toyCount", "int")})) {}

    gen::spec::Function& open() { return facts.functions.at(0); }
    gen::spec::Function& shut() { return facts.functions.at(1); }
    gen::spec::PublicName& close() { return facts.public_names.at(0); }

    /// Expects a refusal that names the file, this entry and this reason, and the way out.
    void expect_refused(const std::string& entry, const std::string& reason) const {
        EXPECT_EQ(input_error_of([&] { gen::spec::check_facts(facts, "toy/api.json"); }),
                  "toy/api.json: " + entry + ": " + reason + "; undo the edit, or extract the headers again");
    }

    Facts facts;
};

TEST_F(CheckFacts, is_content_with_what_was_merged) {
    gen::spec::check_facts(facts, "toy/api.json");
    ASSERT_EQ(open().name, "toyOpen");
    ASSERT_EQ(open().history.size(), 2U);
    ASSERT_EQ(shut().removed, "12.4");
    ASSERT_EQ(close().meanings.at(0).removed, "12.4");
}

TEST_F(CheckFacts, refuses_facts_of_no_release) {
    facts.releases.clear();
    expect_refused("releases", "is empty");
}

TEST_F(CheckFacts, refuses_releases_out_of_order) {
    std::swap(facts.releases[1], facts.releases[2]);
    expect_refused("releases", "12.4 stands after 13.0");
    facts.releases = {"12.0", "12.4", "12.4", "13.4"};
    expect_refused("releases", "12.4 stands after 12.4");
    facts.releases = {"12.10", "12.9"};
    expect_refused("releases", "12.9 stands after 12.10");
}

TEST_F(CheckFacts, refuses_a_release_that_is_none) {
    facts.releases[1] = "twelve";
    EXPECT_EQ(input_error_of([&] { gen::spec::check_facts(facts, "toy/api.json"); }),
              "toy/api.json: releases: \"twelve\" is no release; write it as 13.4");
}

TEST_F(CheckFacts, refuses_an_entry_that_is_never_introduced) {
    open().since.clear();
    expect_refused("functions/toyOpen", "lacks the key \"since\"");
}

TEST_F(CheckFacts, refuses_an_entry_from_the_future) {
    facts.aliases.at(0).since = "13.5";
    expect_refused("aliases/toyCount", "exists since 13.5, but the newest release is 13.4");
}

TEST_F(CheckFacts, refuses_an_entry_that_is_removed_before_it_is_introduced) {
    shut().since = "12.8";
    expect_refused("functions/toyShut", "was removed in 12.4, before it was introduced in 12.8");
    shut().since = "12.4";
    expect_refused("functions/toyShut", "was removed in 12.4, before it was introduced in 12.4");
}

TEST_F(CheckFacts, refuses_a_release_that_was_not_read) {
    shut().removed = "12.3";
    expect_refused("functions/toyShut", "removed names 12.3, which is not among the releases");
    shut().removed = "12.4";
    open().absent = {"12.3"};
    expect_refused("functions/toyOpen", "absent names 12.3, which is not among the releases");
    open().absent.clear();
    open().history[0].until = "12.8";
    expect_refused("functions/toyOpen", "history names 12.8, which is not among the releases");
}

TEST_F(CheckFacts, refuses_an_absence_outside_the_life) {
    auto& most = facts.constants.at(0);
    most.absent = {"12.0"};
    expect_refused("constants/TOY_MOST", "says that 12.0 lacks it, which lies outside its life");
    most.absent = {"13.4"};
    expect_refused("constants/TOY_MOST", "says that 13.4 lacks it, which lies outside its life");
}

TEST_F(CheckFacts, refuses_an_entry_that_no_release_has) {
    shut().absent = {"12.0"};
    expect_refused("functions/toyShut", "is in none of the releases");
    shut().absent.clear();
    shut().since = "11.0";
    shut().removed = "12.0";
    expect_refused("functions/toyShut", "is in none of the releases");
}

TEST_F(CheckFacts, refuses_a_history_out_of_order) {
    std::swap(open().history[0], open().history[1]);
    expect_refused("functions/toyOpen", "has a history until 13.0 after one until 13.4");
    open().history[0].until = "13.0";
    expect_refused("functions/toyOpen", "has a history until 13.0 after one until 13.0");
}

TEST_F(CheckFacts, refuses_a_change_in_a_release_that_lacks_the_entry) {
    open().absent = {"13.0"};
    expect_refused("functions/toyOpen", "changed in 13.0, as history says, but is not there in 13.0");
}

TEST_F(CheckFacts, refuses_a_change_that_changes_nothing) {
    open().history[0].parameters = open().history[1].parameters;
    expect_refused("functions/toyOpen", "is the same before and after 13.0, where history says that it changed");
    open().history[0].parameters.clear();
    open().history[1].parameters.clear();
    open().parameters = {{"p0", "int", "", ""}};
    expect_refused("functions/toyOpen", "is the same before and after 13.0, where history says that it changed");
    open().history[0].parameters = {{"p0", "char", "", ""}};
    open().parameters.clear();
    expect_refused("functions/toyOpen", "is the same before and after 13.4, where history says that it changed");
}

TEST_F(CheckFacts, refuses_a_name_that_stands_twice) {
    facts.functions.push_back(open());
    expect_refused("functions/toyOpen", "stands there twice");
    facts.functions.pop_back();
    facts.constants.push_back(facts.constants.front());
    expect_refused("constants/TOY_MOST", "stands there twice");
    facts.constants.pop_back();
    auto& red = facts.enums.at(0).enumerators;
    red.push_back(red.front());
    expect_refused("enums/toyColour/RED", "stands there twice");
}

TEST_F(CheckFacts, refuses_an_entry_without_a_name) {
    open().name.clear();
    expect_refused("functions", "an entry has an empty name");
}

TEST_F(CheckFacts, looks_at_each_enumerator) {
    facts.enums.at(0).enumerators.at(0).removed = "13.0";
    expect_refused("enums/toyColour/RED", "was removed in 13.0, before it was introduced in 13.0");
}

TEST_F(CheckFacts, refuses_a_form_that_no_release_had) {
    open().history[0].until = "12.0";  // in which it begins
    expect_contains(input_error_of([&] { gen::spec::check_facts(facts, "toy/api.json"); }), "toy/api.json: functions/toyOpen");
}

TEST_F(CheckFacts, refuses_an_enumerator_older_than_its_enum) {
    facts.enums.at(0).enumerators.at(0).since = "12.0";
    expect_contains(input_error_of([&] { gen::spec::check_facts(facts, "toy/api.json"); }), "toy/api.json: enums/toyColour");
}

}  // namespace
}  // namespace cubind::testing
