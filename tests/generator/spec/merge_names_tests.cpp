// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/merge.hpp"
#include "spec/merge_names.hpp"
#include "support/release_facts.hpp"

namespace cubind::testing {
namespace {

using gen::spec::Facts;
using gen::spec::meaning_in;

/// Returns the meanings of toyOpen, each as "since[-removed] symbol[/per_thread]".
std::vector<std::string> meanings(const Facts& facts) {
    std::vector<std::string> texts;
    for (const auto& name : facts.public_names) {
        if (name.name != "toyOpen") continue;
        for (const auto& each : name.meanings) {
            texts.push_back(each.since + (each.removed.empty() ? "" : "-" + each.removed) + " " + each.symbol +
                            (each.per_thread.empty() ? "" : "/" + each.per_thread));
        }
    }
    return texts;
}
using Meanings = std::vector<std::string>;

TEST(MergeNamesTest, ChangesTheMeaningInTheReleaseThatStatesIt) {
    const Facts facts =
        merge_all({ReleaseFacts("12.0").function("toyOpen_v2").name("toyOpen", "toyOpen_v2"),
                   ReleaseFacts("12.4").function("toyOpen_v2").name("toyOpen", "toyOpen_v2"),
                   ReleaseFacts("13.0").function("toyOpen_v2").function("toyOpen_v4").name("toyOpen", "toyOpen_v4")});
    EXPECT_EQ(meanings(facts), (Meanings{"12.0 toyOpen_v2", "13.0 toyOpen_v4"}));
    EXPECT_EQ(meaning_in(facts.public_names[0], "12.4")->symbol, "toyOpen_v2");
    EXPECT_EQ(meaning_in(facts.public_names[0], "13.0")->symbol, "toyOpen_v4");
}

TEST(MergeNamesTest, OmitsANameThatIsItsSymbol) {
    EXPECT_TRUE(
        merge_all({ReleaseFacts("12.0").function("toyOpen"), ReleaseFacts("13.0").function("toyOpen")}).public_names.empty());
}

TEST(MergeNamesTest, ListsBothMeaningsOfAFormerSymbol) {
    const Facts facts = merge_all({ReleaseFacts("12.0").function("toyOpen"),
                                   ReleaseFacts("13.0").hidden("toyOpen").function("toyOpen_v2").name("toyOpen", "toyOpen_v2")});
    EXPECT_EQ(meanings(facts), (Meanings{"12.0 toyOpen", "13.0 toyOpen_v2"}));
}

TEST(MergeNamesTest, ListsANameThatBecomesItsSymbol) {
    const Facts facts = merge_all(
        {ReleaseFacts("12.0").function("toyOpen_v2").name("toyOpen", "toyOpen_v2"), ReleaseFacts("13.0").function("toyOpen")});
    EXPECT_EQ(meanings(facts), (Meanings{"12.0 toyOpen_v2", "13.0 toyOpen"}));
    EXPECT_TRUE(gen::spec::snapshot(facts, "13.0").public_names.empty());
}

TEST(MergeNamesTest, RemovesANameThatIsItsSymbolInEveryRelease) {
    const Facts before = merge_all(
        {ReleaseFacts("12.0").function("toyOpen_v2").name("toyOpen", "toyOpen_v2"), ReleaseFacts("13.0").function("toyOpen")});
    const Facts after = gen::spec::merge(before, ReleaseFacts("12.0").function("toyOpen"));
    EXPECT_TRUE(after.public_names.empty());
}

TEST(MergeNamesTest, IgnoresTheSymbolOfAHiddenFunction) {
    const Facts facts = merge_all({ReleaseFacts("12.0").hidden("toyOpen").function("toyOpen_v2").name("toyOpen", "toyOpen_v2"),
                                   ReleaseFacts("13.0").hidden("toyOpen")});
    EXPECT_EQ(meanings(facts), Meanings{"12.0-13.0 toyOpen_v2"});
}

TEST(MergeNamesTest, ListsANameThatVanishesAndReturns) {
    const ReleaseFacts empty("12.4");
    const Facts facts =
        merge_all({ReleaseFacts("12.0").function("toyOpen_v2").name("toyOpen", "toyOpen_v2"), empty,
                   ReleaseFacts("13.0").function("toyOpen_v2").name("toyOpen", "toyOpen_v2"), ReleaseFacts("13.4")});
    EXPECT_EQ(meanings(facts), (Meanings{"12.0-12.4 toyOpen_v2", "13.0-13.4 toyOpen_v2"}));
    EXPECT_EQ(meaning_in(facts.public_names[0], "12.4"), nullptr);
    EXPECT_EQ(meaning_in(facts.public_names[0], "13.4"), nullptr);
    EXPECT_NE(meaning_in(facts.public_names[0], "13.0"), nullptr);
}

TEST(MergeNamesTest, ListsAChangeOfThePerThreadSymbolOnly) {
    const auto with = [](const std::string& release, const std::string& per_thread) {
        return ReleaseFacts(release).function("toyOpen").hidden("toyOpen_ptsz").name("toyOpen", "toyOpen", per_thread).facts();
    };
    EXPECT_EQ(meanings(merge_all({ReleaseFacts("12.0").function("toyOpen"), with("13.0", "toyOpen_ptsz")})),
              (Meanings{"12.0 toyOpen", "13.0 toyOpen/toyOpen_ptsz"}));
    EXPECT_EQ(meanings(merge_all({with("12.0", "toyOpen_ptsz"), ReleaseFacts("13.0").function("toyOpen")})),
              (Meanings{"12.0 toyOpen/toyOpen_ptsz", "13.0 toyOpen"}));
}

TEST(MergeNamesTest, BeginsAMeaningWithItsSymbol) {
    const Facts facts = merge_all({ReleaseFacts("12.0").function("toyOpen_v2").since("3.2").name("toyOpen", "toyOpen_v2")});
    EXPECT_EQ(meanings(facts), Meanings{"3.2 toyOpen_v2"});
}

TEST(MergeNamesTest, BeginsAMeaningAfterAContradictingRelease) {
    const auto newer = ReleaseFacts("13.0").function("toyOpen_v4").since("12.5").name("toyOpen", "toyOpen_v4").facts();
    EXPECT_EQ(meanings(merge_all({newer})), Meanings{"12.5 toyOpen_v4"});
    EXPECT_EQ(meanings(merge_all({newer, ReleaseFacts("12.0").function("toyOpen")})),
              (Meanings{"12.0 toyOpen", "12.5 toyOpen_v4"}));
    EXPECT_EQ(meanings(merge_all({newer, ReleaseFacts("12.8").function("toyOpen")})),
              (Meanings{"12.8 toyOpen", "13.0 toyOpen_v4"}));
}

}  // namespace
}  // namespace cubind::testing
