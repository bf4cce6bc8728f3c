// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/merge.hpp"
#include "spec/merge_enums.hpp"
#include "support/release_facts.hpp"

namespace cubind::testing {
namespace {

using gen::spec::Facts;
using Names = std::vector<std::string>;
using Enumerators = std::vector<std::pair<std::string, std::int64_t>>;

Facts release(const std::string& number, const Enumerators& enumerators) {
    return ReleaseFacts(number).enumeration("toyColor", enumerators);
}

const gen::spec::Enum& color(const Facts& facts) {
    return find(facts.enums, "toyColor");
}

Names names(const gen::spec::Enum& entry) {
    Names found;
    for (const auto& enumerator : entry.enumerators) found.push_back(enumerator.name);
    return found;
}

TEST(MergeEnumsTest, RetainsTheOrderOfTheHeaders) {
    const Facts facts =
        merge_all({release("12.0", {{"RED", 0}, {"BLUE", 2}}), release("13.0", {{"RED", 0}, {"GREEN", 1}, {"BLUE", 2}})});
    EXPECT_EQ(names(color(facts)), (Names{"RED", "GREEN", "BLUE"}));
    EXPECT_TRUE(color(facts).orders.empty());
    EXPECT_EQ(color(facts).enumerators[0].since, "12.0");
    EXPECT_EQ(color(facts).enumerators[1].since, "13.0");
}

TEST(MergeEnumsTest, PutsARemovedEnumeratorAfterItsFormerNeighbor) {
    const Facts facts = merge_all(
        {release("12.0", {{"RED", 0}, {"PINK", 1}, {"BLUE", 2}}), release("13.0", {{"RED", 0}, {"BLUE", 2}, {"GREEN", 3}})});
    EXPECT_EQ(names(color(facts)), (Names{"RED", "PINK", "BLUE", "GREEN"}));
    EXPECT_EQ(color(facts).enumerators[1].removed, "13.0");
    EXPECT_TRUE(color(facts).orders.empty());
}

TEST(MergeEnumsTest, RetainsAnEnumeratorThatReturned) {
    const Facts facts = merge_all(
        {release("12.0", {{"RED", 0}, {"BLUE", 1}}), release("12.4", {{"RED", 0}}), release("13.0", {{"RED", 0}, {"BLUE", 5}})});
    const auto& blue = find(color(facts).enumerators, "BLUE");
    EXPECT_EQ(blue.since, "12.0");
    EXPECT_EQ(blue.removed, "");
    EXPECT_EQ(blue.absent, Names{"12.4"});
    EXPECT_EQ(blue.value, 5);
    ASSERT_EQ(blue.history.size(), 1U);
    EXPECT_EQ(blue.history[0].value, 1);
    EXPECT_EQ(blue.history[0].until, "13.0");
}

TEST(MergeEnumsTest, StoresTheOrderOfAReleaseThatDiffers) {
    const Facts facts =
        merge_all({release("12.0", {{"BLUE", 1}, {"RED", 0}, {"PINK", 7}}), release("13.0", {{"RED", 0}, {"BLUE", 1}}),
                   release("13.4", {{"RED", 0}, {"BLUE", 1}, {"GREEN", 2}})});
    ASSERT_EQ(color(facts).orders.size(), 1U);
    EXPECT_EQ(color(facts).orders.at("12.0"), (Names{"BLUE", "RED", "PINK"}));
    EXPECT_EQ(names(color(gen::spec::snapshot(facts, "12.0"))), (Names{"BLUE", "RED", "PINK"}));
    EXPECT_EQ(names(color(gen::spec::snapshot(facts, "13.4"))), (Names{"RED", "BLUE", "GREEN"}));
}

TEST(MergeEnumsTest, RemovesTheOrderOfAReleaseThatIsReadAgain) {
    const Facts before = merge_all({release("12.0", {{"BLUE", 1}, {"RED", 0}}), release("13.0", {{"RED", 0}, {"BLUE", 1}})});
    ASSERT_EQ(color(before).orders.size(), 1U);
    const Facts after = gen::spec::merge(before, release("12.0", {{"RED", 0}, {"BLUE", 1}}));
    EXPECT_TRUE(color(after).orders.empty());
}

TEST(MergeEnumsTest, StoresNoOrderForAReleaseWithoutTheEnum) {
    const Facts facts =
        merge_all({release("12.0", {{"BLUE", 1}, {"RED", 0}}), ReleaseFacts("12.4"), release("13.0", {{"RED", 0}, {"BLUE", 1}})});
    EXPECT_EQ(color(facts).absent, Names{"12.4"});
    EXPECT_EQ(color(facts).orders.size(), 1U);
    EXPECT_EQ(find(color(facts).enumerators, "RED").absent, Names{"12.4"});
}

TEST(MergeEnumsTest, RetainsTheEnumeratorsOfARemovedEnum) {
    const Facts facts = merge_all({release("12.0", {{"RED", 0}, {"BLUE", 1}}), ReleaseFacts("13.0")});
    EXPECT_EQ(color(facts).removed, "13.0");
    EXPECT_EQ(names(color(facts)), (Names{"RED", "BLUE"}));
    EXPECT_EQ(color(facts).enumerators[0].removed, "13.0");
}

TEST(MergeEnumsTest, TracksAnEnumeratorThatMovedToAnotherEnum) {
    const Facts facts = merge_all(
        {ReleaseFacts("12.0").enumeration("toyColor", {{"RED", 0}, {"ROUND", 1}}).enumeration("toyShape", {{"FLAT", 0}}),
         ReleaseFacts("13.0").enumeration("toyColor", {{"RED", 0}}).enumeration("toyShape", {{"FLAT", 0}, {"ROUND", 1}})});
    EXPECT_EQ(find(color(facts).enumerators, "ROUND").removed, "13.0");
    const auto& shape = find(facts.enums, "toyShape");
    EXPECT_EQ(find(shape.enumerators, "ROUND").since, "13.0");
    EXPECT_EQ(find(shape.enumerators, "ROUND").removed, "");
}

}  // namespace
}  // namespace cubind::testing
