// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/model_test.hpp"

namespace cubind::testing {
namespace {

class ListAvailabilityTest : public ModelTest {
protected:
    /// Returns the lifetime of `name` as "since" or "since-removed", followed by " without BEGIN-END" for each gap; "none" if no
    /// release has it.
    std::string lifetime(const std::vector<gen::spec::Facts>& releases, const std::string& name) const {
        const gen::model::Model model = build(merge_all(releases));
        const auto entry = model.availability.find(name);
        if (entry == model.availability.end()) return "none";
        std::string text = entry->second.since + (entry->second.removed.empty() ? "" : "-" + entry->second.removed);
        for (const auto& gap : entry->second.gaps) text += " without " + gap.begin + "-" + gap.end;
        return text;
    }
};

TEST_F(ListAvailabilityTest, ListsNamesOfEveryKind) {
    const std::vector<gen::spec::Facts> releases = {release("12.0"),
                                                    release("12.4")
                                                        .function("toyOpen_v2")
                                                        .group("TOY_MAIN")
                                                        .name("toyOpen", "toyOpen_v2")
                                                        .enumeration("toyColor", {{"TOY_RED", 0}})
                                                        .record("toySize_st", 4, {field("a", "int", 0)})
                                                        .handle("toyBox", "toyBox_st")
                                                        .alias("toyCount", "int")
                                                        .callback("toyListener", {"int"})
                                                        .constant("TOY_MAX", 1),
                                                    release("13.0")};
    for (const char* name :
         {"toyOpen_v2", "toyOpen", "toyColor", "TOY_RED", "toySize_st", "toyBox", "toyCount", "toyListener", "TOY_MAX"}) {
        EXPECT_EQ(lifetime(releases, name), "12.4-13.0") << name;
    }
    EXPECT_EQ(lifetime(releases, "toyInit"), "12.0");
    EXPECT_EQ(lifetime(releases, "a"), "none") << "the names of fields are not listed";
}

TEST_F(ListAvailabilityTest, MergesTheLifetimesOfOneName) {
    const auto constant = release("12.0").constant("TOY_X", 1).enumeration("toyA", {});
    const auto enumerator = release("12.4").enumeration("toyA", {{"TOY_X", 1}});
    EXPECT_EQ(lifetime({constant, enumerator}, "TOY_X"), "12.0");
    EXPECT_EQ(lifetime({constant, enumerator, release("13.0").enumeration("toyA", {})}, "TOY_X"), "12.0-13.0");
}

TEST_F(ListAvailabilityTest, ListsTheReleasesBetweenThatLackTheName) {
    const auto with = [&](const char* each) { return release(each).constant("TOY_X", 1); };
    EXPECT_EQ(
        lifetime({with("12.0"), release("12.2"), release("12.3"), with("12.4"), release("12.8"), with("12.9"), release("13.0")},
                 "TOY_X"),
        "12.0-13.0 without 12.2-12.4 without 12.8-12.9");
    const auto enumerator = release("12.3").enumeration("toyA", {{"TOY_X", 1}});
    EXPECT_EQ(lifetime({with("12.0"), release("12.2"), enumerator, with("12.4")}, "TOY_X"), "12.0 without 12.2-12.3");
}

TEST_F(ListAvailabilityTest, EndsWithTheNameInsteadOfItsSymbol) {
    const std::vector<gen::spec::Facts> releases = {
        release("12.0").function("toyOpen_v2").group("TOY_MAIN").name("toyOpen", "toyOpen_v2"),
        release("13.0").hidden("toyOpen_v2").group("TOY_MAIN")};
    EXPECT_EQ(lifetime(releases, "toyOpen"), "12.0-13.0");
    EXPECT_EQ(lifetime(releases, "toyOpen_v2"), "12.0");
}

TEST_F(ListAvailabilityTest, BeginsWithTheReleaseThatTheHeadersState) {
    EXPECT_EQ(lifetime({release("12.0").function("toyOpen").since("3.2").group("TOY_MAIN")}, "toyOpen"), "3.2");
    EXPECT_EQ(lifetime({release("12.0"), release("12.1").function("toyOpen").since("12.0").group("TOY_MAIN")}, "toyOpen"),
              "12.0 without 12.0-12.1");
}

}  // namespace
}  // namespace cubind::testing
