// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/facts_file.hpp"
#include "spec/merge.hpp"
#include "spec/timeline.hpp"
#include "support/release_facts.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::spec::Facts;

TEST(HistoryTest, RetainsEachSignatureUntilTheReleaseThatChangedIt) {
    const Facts facts =
        merge_all({ReleaseFacts("12.0").function("toyOpen", {"int"}), ReleaseFacts("12.4").function("toyOpen", {"int"}),
                   ReleaseFacts("13.0").function("toyOpen", {"int", "long"}), ReleaseFacts("13.4").function("toyOpen", {})});
    const auto& open = find(facts.functions, "toyOpen");
    EXPECT_TRUE(open.parameters.empty()) << "the newest body is the entry itself";
    ASSERT_EQ(open.history.size(), 2U);
    EXPECT_EQ(open.history[0].until, "13.0");
    EXPECT_EQ(open.history[0].parameters.size(), 1U);
    EXPECT_EQ(open.history[1].until, "13.4");
    EXPECT_EQ(open.history[1].parameters.size(), 2U);
    EXPECT_EQ(body_in(open, "12.4")->parameters.size(), 1U);
    EXPECT_EQ(body_in(open, "13.0")->parameters.size(), 2U);
}

TEST(HistoryTest, RetainsABodyThatReturned) {
    const Facts facts = merge_all({ReleaseFacts("12.0").constant("TOY_MAX", 4), ReleaseFacts("13.0").constant("TOY_MAX", 8),
                                   ReleaseFacts("13.4").constant("TOY_MAX", 4)});
    const auto& max = find(facts.constants, "TOY_MAX");
    EXPECT_EQ(max.value, 4);
    ASSERT_EQ(max.history.size(), 2U);
    EXPECT_EQ(max.history[0].value, 4);
    EXPECT_EQ(max.history[1].value, 8);
}

TEST(HistoryTest, RetainsEachLayout) {
    const Facts facts =
        merge_all({ReleaseFacts("12.0").record("toySize_st", 4, {field("width", "int", 0)}),
                   ReleaseFacts("13.0").record("toySize_st", 8, {field("width", "int", 0), field("height", "int", 4)})});
    const auto& size = find(facts.records, "toySize_st");
    EXPECT_EQ(size.size, 8);
    ASSERT_EQ(size.history.size(), 1U);
    EXPECT_EQ(size.history[0].size, 4);
    EXPECT_EQ(size.history[0].until, "13.0");
}

TEST(HistoryTest, SpansAGap) {
    const Facts facts = merge_all({ReleaseFacts("12.0").function("toyOpen", {"int"}), ReleaseFacts("12.4"),
                                   ReleaseFacts("13.0").function("toyOpen", {"long"}), ReleaseFacts("13.4")});
    const auto& open = find(facts.functions, "toyOpen");
    EXPECT_EQ(open.since, "12.0");
    EXPECT_EQ(open.removed, "13.4");
    EXPECT_EQ(open.absent, std::vector<std::string>{"12.4"});
    ASSERT_EQ(open.history.size(), 1U);
    EXPECT_EQ(open.history[0].until, "13.0");
    EXPECT_EQ(body_in(open, "12.4"), nullptr);
    EXPECT_EQ(body_in(open, "13.4"), nullptr);
    EXPECT_EQ(body_in(open, "13.0")->parameters.at(0).type, "long");
}

TEST(HistoryTest, IsEmptyForAGapWithoutAChange) {
    const Facts facts =
        merge_all({ReleaseFacts("12.0").function("toyOpen"), ReleaseFacts("12.4"), ReleaseFacts("13.0").function("toyOpen")});
    EXPECT_TRUE(find(facts.functions, "toyOpen").history.empty());
    EXPECT_EQ(find(facts.functions, "toyOpen").removed, "");
}

TEST(SinceTest, IsTheEarliestThatAReleaseStates) {
    const Facts facts = merge_all(
        {ReleaseFacts("12.0"), ReleaseFacts("12.4").function("toyOpen"), ReleaseFacts("13.0").function("toyOpen").since("11.2")});
    const auto& open = find(facts.functions, "toyOpen");
    EXPECT_EQ(open.since, "11.2");
    EXPECT_EQ(open.absent, std::vector<std::string>{"12.0"}) << "it exists in 12.0, but its headers do not declare it";
    EXPECT_EQ(body_in(open, "12.0"), nullptr);
}

TEST(SinceTest, IsNotLaterThanAReleaseThatHasTheEntry) {
    const Facts facts = merge_all(
        {ReleaseFacts("12.0").function("toyOpen").since("12.0"), ReleaseFacts("13.0").function("toyOpen").since("13.0")});
    EXPECT_EQ(find(facts.functions, "toyOpen").since, "12.0");
}

TEST(ReleaseOrderTest, SortsReleasesAsNumbers) {
    const Facts facts = merge_all({ReleaseFacts("12.10"), ReleaseFacts("9.2"), ReleaseFacts("12.9")});
    EXPECT_EQ(facts.releases, (std::vector<std::string>{"9.2", "12.9", "12.10"}));
}

TEST(MergeEntriesTest, OmitsEntriesThatNoReleaseHas) {
    const Facts first = merge_all({ReleaseFacts("13.0").function("toyOpen").constant("TOY_MAX", 1)});
    const Facts second = gen::spec::merge(first, ReleaseFacts("13.0").function("toyClose"));
    ASSERT_EQ(second.functions.size(), 1U);
    EXPECT_EQ(second.functions[0].name, "toyClose");
    EXPECT_TRUE(second.constants.empty());
}

TEST(MergeEntriesTest, RetainsEntriesThatTheNewestReleaseRemoved) {
    const Facts facts =
        merge_all({ReleaseFacts("12.0").handle("toyBox", "toyBox_st").alias("toyCount", "int").callback("toyListener", {"int"}),
                   ReleaseFacts("13.0")});
    EXPECT_EQ(find(facts.handles, "toyBox").removed, "13.0");
    EXPECT_EQ(find(facts.aliases, "toyCount").removed, "13.0");
    EXPECT_EQ(find(facts.callbacks, "toyListener").removed, "13.0");
    const Facts newest = gen::spec::snapshot(facts, "13.0");
    EXPECT_TRUE(newest.handles.empty() && newest.aliases.empty() && newest.callbacks.empty());
}

/// Returns facts in which the type toyThing has another kind in each release.
Facts with_a_type_that_changed_kind() {
    return merge_all({ReleaseFacts("12.0").alias("toyThing", "int"),
                      ReleaseFacts("13.0").record("toyThing", 4, {field("a", "int", 0)}),
                      ReleaseFacts("13.4").handle("toyThing", "toyThing_st")});
}

TEST(MergeEntriesTest, RetainsATypeInEachOfItsKinds) {
    const Facts facts = with_a_type_that_changed_kind();
    EXPECT_EQ(find(facts.aliases, "toyThing").removed, "13.0");
    EXPECT_EQ(find(facts.records, "toyThing").removed, "13.4");
    EXPECT_EQ(find(facts.handles, "toyThing").removed, "");
    EXPECT_EQ(gen::spec::snapshot(facts, "12.0").aliases.size(), 1U);
    EXPECT_TRUE(gen::spec::snapshot(facts, "12.0").records.empty());
}

TEST(MergeEntriesTest, WritesATypeThatChangedItsKindReadably) {
    const ScratchFolder scratch;
    const std::string text = gen::spec::facts_text(with_a_type_that_changed_kind());
    EXPECT_EQ(gen::spec::facts_text(gen::spec::read_facts(scratch.write("api.json", text))), text);
}

}  // namespace
}  // namespace cubind::testing
