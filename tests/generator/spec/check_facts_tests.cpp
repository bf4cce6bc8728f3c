// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/check_facts.hpp"
#include "support/release_facts.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::spec::Facts;

class CheckFactsTest : public ::testing::Test {
protected:
    CheckFactsTest()
        : facts(merge_all(
              {ReleaseFacts("12.0").function("toyOpen", {"int"}).function("toyShut").name("toyClose", "toyShut"),
               ReleaseFacts("12.4").function("toyOpen", {"int"}).constant("TOY_MAX", 1),
               ReleaseFacts("13.0").function("toyOpen", {"long"}).constant("TOY_MAX", 2).enumeration("toyColor", {{"RED", 0}}),
               ReleaseFacts("13.4").function("toyOpen", {}).enumeration("toyColor", {{"RED", 0}}).alias("toyCount", "int")})) {}

    gen::spec::Function& open() { return facts.functions.at(0); }
    gen::spec::Function& shut() { return facts.functions.at(1); }
    gen::spec::PublicName& close() { return facts.public_names.at(0); }

    /// Expects an error that names the file, the entry and the remedy, and contains `part`.
    void expect_rejected(const std::string& entry, const std::string& part) const {
        const std::string message = input_error_of([&] { gen::spec::check_facts(facts, "toy/api.json"); });
        EXPECT_TRUE(message.starts_with("toy/api.json: " + entry + ": ")) << message;
        expect_contains(message, part);
        expect_contains(message, "extract the headers again");
    }

    Facts facts;
};

TEST_F(CheckFactsTest, AcceptsMergedFacts) {
    gen::spec::check_facts(facts, "toy/api.json");
    ASSERT_EQ(open().name, "toyOpen");
    ASSERT_EQ(open().history.size(), 2U);
    ASSERT_EQ(shut().removed, "12.4");
    ASSERT_EQ(close().meanings.at(0).removed, "12.4");
}

TEST_F(CheckFactsTest, RejectsFactsWithoutReleases) {
    facts.releases.clear();
    expect_rejected("releases", "empty");
}

TEST_F(CheckFactsTest, RejectsReleasesOutOfOrder) {
    std::swap(facts.releases[1], facts.releases[2]);
    expect_rejected("releases", "12.4 is listed after 13.0");
    facts.releases = {"12.0", "12.4", "12.4", "13.4"};
    expect_rejected("releases", "12.4 is listed after 12.4");
    facts.releases = {"12.10", "12.9"};
    expect_rejected("releases", "12.9 is listed after 12.10");
}

TEST_F(CheckFactsTest, RejectsAnInvalidRelease) {
    facts.releases[1] = "twelve";
    expect_contains(input_error_of([&] { gen::spec::check_facts(facts, "toy/api.json"); }), "toy/api.json: releases: \"twelve\"");
}

TEST_F(CheckFactsTest, RejectsAnEntryWithoutSince) {
    open().since.clear();
    expect_rejected("functions/toyOpen", "the key \"since\" is missing");
}

TEST_F(CheckFactsTest, RejectsAnEntryAfterTheNewestRelease) {
    facts.aliases.at(0).since = "13.5";
    expect_rejected("aliases/toyCount", "\"since\" is 13.5, but the newest release is 13.4");
}

TEST_F(CheckFactsTest, RejectsAnEntryThatIsRemovedBeforeItIsIntroduced) {
    shut().since = "12.8";
    expect_rejected("functions/toyShut", "\"removed\" is 12.4, which is not after \"since\", 12.8");
    shut().since = "12.4";
    expect_rejected("functions/toyShut", "\"removed\" is 12.4, which is not after \"since\", 12.4");
}

TEST_F(CheckFactsTest, RejectsAnUnknownRelease) {
    shut().removed = "12.3";
    expect_rejected("functions/toyShut", "\"removed\" names 12.3");
    shut().removed = "12.4";
    open().absent = {"12.3"};
    expect_rejected("functions/toyOpen", "\"absent\" names 12.3");
    open().absent.clear();
    open().history[0].until = "12.8";
    expect_rejected("functions/toyOpen", "\"history\" names 12.8");
}

TEST_F(CheckFactsTest, RejectsAnAbsenceOutsideTheLifetime) {
    auto& max = facts.constants.at(0);
    max.absent = {"12.0"};
    expect_rejected("constants/TOY_MAX", "\"absent\" names 12.0, which is not between \"since\" and \"removed\"");
    max.absent = {"13.4"};
    expect_rejected("constants/TOY_MAX", "\"absent\" names 13.4, which is not between \"since\" and \"removed\"");
}

TEST_F(CheckFactsTest, RejectsAnEntryThatNoReleaseHas) {
    shut().absent = {"12.0"};
    expect_rejected("functions/toyShut", "in none of the releases");
    shut().absent.clear();
    shut().since = "11.0";
    shut().removed = "12.0";
    expect_rejected("functions/toyShut", "in none of the releases");
}

TEST_F(CheckFactsTest, RejectsAHistoryOutOfOrder) {
    std::swap(open().history[0], open().history[1]);
    expect_rejected("functions/toyOpen", "the history until 13.0 is listed after the history until 13.4");
    open().history[0].until = "13.0";
    expect_rejected("functions/toyOpen", "the history until 13.0 is listed after the history until 13.0");
}

TEST_F(CheckFactsTest, RejectsAHistoryThatEndsInAnAbsence) {
    open().absent = {"13.0"};
    expect_rejected("functions/toyOpen", "has a history until 13.0, but is not in 13.0");
}

TEST_F(CheckFactsTest, RejectsAHistoryWithoutAChange) {
    open().history[0].parameters = open().history[1].parameters;
    expect_rejected("functions/toyOpen", "has a history until 13.0, but is the same");
    open().history[0].parameters.clear();
    open().history[1].parameters.clear();
    open().parameters = {{"p0", "int", "", ""}};
    expect_rejected("functions/toyOpen", "has a history until 13.0, but is the same");
    open().history[0].parameters = {{"p0", "char", "", ""}};
    open().parameters.clear();
    expect_rejected("functions/toyOpen", "has a history until 13.4, but is the same");
}

TEST_F(CheckFactsTest, RejectsADuplicateName) {
    facts.functions.push_back(open());
    expect_rejected("functions/toyOpen", "defined twice");
    facts.functions.pop_back();
    facts.constants.push_back(facts.constants.front());
    expect_rejected("constants/TOY_MAX", "defined twice");
    facts.constants.pop_back();
    facts.variables.push_back({{}, open().name, "13.4", "", {}, {}});
    expect_rejected("variables/toyOpen", "defined twice");
    facts.variables.clear();
    auto& red = facts.enums.at(0).enumerators;
    red.push_back(red.front());
    expect_rejected("enums/toyColor/RED", "defined twice");
}

TEST_F(CheckFactsTest, RejectsAnEntryWithoutAName) {
    open().name.clear();
    expect_rejected("functions", "the name of an entry is empty");
}

TEST_F(CheckFactsTest, ChecksEachEnumerator) {
    facts.enums.at(0).enumerators.at(0).removed = "13.0";
    expect_rejected("enums/toyColor/RED", "\"removed\" is 13.0, which is not after \"since\", 13.0");
}

TEST_F(CheckFactsTest, RejectsAHistoryThatEndsInTheFirstRelease) {
    open().history[0].until = "12.0";  // the first release of the entry
    expect_contains(input_error_of([&] { gen::spec::check_facts(facts, "toy/api.json"); }), "toy/api.json: functions/toyOpen");
}

TEST_F(CheckFactsTest, RejectsAnEnumeratorOlderThanItsEnum) {
    facts.enums.at(0).enumerators.at(0).since = "12.0";
    expect_contains(input_error_of([&] { gen::spec::check_facts(facts, "toy/api.json"); }), "toy/api.json: enums/toyColor");
}

}  // namespace
}  // namespace cubind::testing
