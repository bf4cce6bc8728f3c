// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/model_test.hpp"

namespace cubind::testing {
namespace {

using gen::model::Model;

class BindReleasesTest : public ModelTest {
protected:
    /// Returns facts of two majors. In major 13, toyTurn has another signature, toyOld is removed and toyFresh is new.
    static gen::spec::Facts two_majors() {
        const auto version = [](ReleaseFacts facts) { return facts.function("toyVersion", {"int *"}).group("TOY_MAIN"); };
        return merge_all(
            {version(release("12.0")).function("toyTurn", {"int"}).group("TOY_MAIN").function("toyOld").group("TOY_MAIN"),
             version(release("12.8")).function("toyTurn", {"int"}).group("TOY_MAIN").function("toyOld").group("TOY_MAIN"),
             version(release("13.0"))
                 .function("toyTurn", {"long", "long"})
                 .group("TOY_MAIN")
                 .function("toyFresh")
                 .group("TOY_MAIN")});
    }
    /// Returns the names of the enums that have an enumerator TOY_X, and "constant" if there is a constant TOY_X.
    static std::vector<std::string> holders(const Model& model) {
        std::vector<std::string> names;
        for (const auto& entry : model.facts.enums) {
            for (const auto& each : entry.enumerators) {
                if (each.name == "TOY_X") names.push_back(entry.name);
            }
        }
        for (const auto& each : model.facts.constants) {
            if (each.name == "TOY_X") names.emplace_back("constant");
        }
        return names;
    }
};

TEST_F(BindReleasesTest, BindsAllReleasesWithoutAMajor) {
    const Model model = build(two_majors());
    EXPECT_EQ(model.facts.releases.size(), 3U);
    EXPECT_EQ(find(model.facts.functions, "toyTurn").parameters.size(), 2U);
    EXPECT_EQ(find(model.facts.functions, "toyOld").removed, "13.0");
    EXPECT_EQ(find(model.facts.functions, "toyFresh").since, "13.0");
}

TEST_F(BindReleasesTest, BindsTheSignaturesOfTheMajor) {
    bind_to(12);
    const Model model = build(two_majors());
    EXPECT_EQ(model.facts.releases, (std::vector<std::string>{"12.0", "12.8"}));
    EXPECT_EQ(find(model.facts.functions, "toyTurn").parameters.size(), 1U);
    EXPECT_EQ(find(model.facts.functions, "toyOld").removed, "") << "no release of this major removed it";
    for (const auto& function : model.functions) EXPECT_NE(function.symbol, "toyFresh");
}

TEST_F(BindReleasesTest, RemovesEarlierMajors) {
    bind_to(13);
    const Model model = build(two_majors());
    EXPECT_EQ(model.facts.releases, std::vector<std::string>{"13.0"});
    for (const auto& function : model.functions) EXPECT_NE(function.symbol, "toyOld");
    EXPECT_TRUE(find(model.facts.functions, "toyTurn").history.empty());
}

TEST_F(BindReleasesTest, RetainsTheAvailabilityOfAllMajors) {
    bind_to(12);
    const Model model = build(two_majors());
    EXPECT_EQ(model.availability.at("toyFresh").since, "13.0");
    EXPECT_EQ(model.availability.at("toyOld").removed, "13.0");
}

TEST_F(BindReleasesTest, RejectsAMajorWithoutAReleaseInTheSpec) {
    bind_to(14);
    const std::string message = error(two_majors());
    expect_contains(message, specs_.below("toy/library.json").string() + ": loading/major is 14");
    expect_contains(message, "CUDA 13.0");
}

TEST_F(BindReleasesTest, RemovesReleasesBeforeTheOldest) {
    bind_to(12, "12.8");
    EXPECT_EQ(build(two_majors()).facts.releases, std::vector<std::string>{"12.8"});
}

TEST_F(BindReleasesTest, RejectsAnOldestReleaseThatIsNewerThanTheSpec) {
    bind_to(0, "13.1");
    const std::string message = error(two_majors());
    expect_contains(message, specs_.below("toy/library.json").string() + ": loading/oldest is 13.1");
    expect_contains(message, "CUDA 13.0");
}

TEST_F(BindReleasesTest, RemovesReleasesFromTheRefusedOneOn) {
    bind_to(0, {}, "12.8");
    EXPECT_EQ(build(two_majors()).facts.releases, std::vector<std::string>{"12.0"});
}

TEST_F(BindReleasesTest, NamesBothLimitsIfNoReleaseIsBetween) {
    bind_to(0, "12.2", "12.8");
    expect_contains(error(two_majors()), "loading/oldest is 12.2 and loading/refused_from is 12.8");
}

TEST_F(BindReleasesTest, BindsAMovedEnumeratorInItsNewEnum) {
    const Model model =
        build(merge_all({release("12.0").enumeration("toyA", {{"TOY_X", 0}}).enumeration("toyB", {{"TOY_Y", 1}}),
                         release("13.0").enumeration("toyA", {}).enumeration("toyB", {{"TOY_Y", 1}, {"TOY_X", 2}})}));
    EXPECT_EQ(holders(model), std::vector<std::string>{"toyB"});
    EXPECT_EQ(model.availability.at("TOY_X").since, "12.0");
    EXPECT_EQ(model.availability.at("TOY_X").removed, "");
}

TEST_F(BindReleasesTest, BindsTheEnumeratorThatReplacedAConstant) {
    const Model model = build(merge_all(
        {release("12.0").enumeration("toyA", {}).constant("TOY_X", 1), release("13.0").enumeration("toyA", {{"TOY_X", 1}})}));
    EXPECT_EQ(holders(model), std::vector<std::string>{"toyA"});
}

TEST_F(BindReleasesTest, BindsTheConstantThatReplacedAnEnumerator) {
    const Model model = build(merge_all(
        {release("12.0").enumeration("toyA", {{"TOY_X", 1}}), release("13.0").enumeration("toyA", {}).constant("TOY_X", 1)}));
    EXPECT_EQ(holders(model), std::vector<std::string>{"constant"});
}

TEST_F(BindReleasesTest, BindsARemovedNameAsItsLastEntry) {
    const Model moved = build(merge_all({release("12.0").enumeration("toyA", {{"TOY_X", 0}}).enumeration("toyB", {}),
                                         release("12.4").enumeration("toyA", {}).enumeration("toyB", {{"TOY_X", 2}}),
                                         release("13.0").enumeration("toyA", {}).enumeration("toyB", {})}));
    EXPECT_EQ(holders(moved), std::vector<std::string>{"toyB"});
    const Model changed =
        build(merge_all({release("12.0").enumeration("toyA", {}).constant("TOY_X", 1),
                         release("12.4").enumeration("toyA", {{"TOY_X", 1}}), release("13.0").enumeration("toyA", {})}));
    EXPECT_EQ(holders(changed), std::vector<std::string>{"toyA"});
}

TEST_F(BindReleasesTest, BindsATypeAsItsNewestKind) {
    const Model model = build(
        merge_all({release("12.0").alias("toyThing", "int"), release("13.0").record("toyThing", 4, {field("a", "int", 0)})}));
    EXPECT_EQ(model.types.at("toyThing"), gen::model::TypeKind::record);
    EXPECT_TRUE(model.facts.aliases.empty());
}

}  // namespace
}  // namespace cubind::testing
