// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/facts_file.hpp"
#include "spec/merge.hpp"
#include "spec/merge_case.hpp"
#include "support/scratch_folder.hpp"

// Tests properties of merging that hold for all facts.
namespace cubind::testing {
namespace {

using gen::spec::Facts;
using gen::spec::facts_text;
using gen::spec::merge;
using gen::spec::select_releases;
using gen::spec::snapshot;

template <class Entries>
void remove_since(Entries& entries) {
    for (auto& entry : entries) {
        entry.since.clear();
        entry.absent.clear();  // depends on `since`
        if constexpr (requires { entry.enumerators; }) remove_since(entry.enumerators);
    }
}

/// Returns the facts as text without `since`, because a release may state it for entries of earlier releases.
std::string text_without_since(Facts facts) {
    remove_since(facts.functions);
    remove_since(facts.enums);
    remove_since(facts.records);
    remove_since(facts.opaque_records);
    remove_since(facts.handles);
    remove_since(facts.aliases);
    remove_since(facts.callbacks);
    remove_since(facts.constants);
    for (auto& name : facts.public_names) {
        for (auto& meaning : name.meanings) meaning.since.clear();
    }
    return facts_text(facts);
}

/// Expects that `facts` has exactly these releases, and for each of them exactly the facts of its headers.
void expect_holds(const Facts& facts, const std::vector<Facts>& headers) {
    ASSERT_EQ(facts.releases.size(), headers.size());
    for (std::size_t index = 0; index < headers.size(); ++index) {
        const std::string& release = headers[index].releases.front();
        EXPECT_EQ(facts.releases[index], release);
        EXPECT_EQ(text_without_since(snapshot(facts, release)), text_without_since(merge({}, headers[index])))
            << "of " << release;
    }
}

TEST(MergeTest, DoesNotDependOnTheOrder) {
    for_each_case([](MergeCase& each) {
        for (int round = 0; round < 4; ++round) {
            std::vector<Facts> shuffled = each.headers;
            each.random.shuffle(shuffled);
            EXPECT_EQ(facts_text(merge_all(shuffled)), facts_text(each.all));
        }
    });
}

TEST(MergeTest, IsAssociative) {
    for_each_case([](MergeCase& each) {
        const auto middle = each.headers.begin() + static_cast<std::ptrdiff_t>(each.any_index());
        const Facts older = merge_all({each.headers.begin(), middle});
        const Facts newer = merge_all({middle, each.headers.end()});
        if (older.releases.empty()) return;
        EXPECT_EQ(facts_text(merge(older, newer)), facts_text(each.all));
        EXPECT_EQ(facts_text(merge(newer, older)), facts_text(each.all));
    });
}

TEST(MergeTest, RetainsEachReleaseInASnapshot) {
    for_each_case([](MergeCase& each) { expect_holds(each.all, each.headers); });
}

TEST(MergeTest, IsIdempotent) {
    for_each_case([](MergeCase& each) {
        for (const auto& again : each.headers) EXPECT_EQ(facts_text(merge(each.all, again)), facts_text(each.all));
    });
}

TEST(MergeTest, ReplacesTheFactsOfAKnownRelease) {
    for_each_case([](MergeCase& each) {
        const std::size_t index = each.any_index();
        each.headers[index] = each.random.facts(each.release(index));
        const Facts again = merge(each.all, each.headers[index]);
        expect_holds(again, each.headers);
        EXPECT_EQ(text_without_since(again), text_without_since(merge_all(each.headers)));
    });
}

TEST(MergeTest, SelectsReleasesAsIfOnlyTheyWereMerged) {
    for_each_case([](MergeCase& each) {
        std::vector<Facts> some;
        std::vector<std::string> names;
        for (const auto& headers : each.headers) {
            if (!each.random.chance(60)) continue;
            some.push_back(headers);
            names.push_back(headers.releases.front());
        }
        if (some.empty()) return;
        const Facts less = select_releases(each.all, names);
        expect_holds(less, some);
        EXPECT_EQ(text_without_since(less), text_without_since(merge_all(some)));
    });
}

TEST(MergeTest, IsPreservedByTheFile) {
    for_each_case([](MergeCase& each) {
        const ScratchFolder scratch;
        const std::string text = facts_text(each.all);
        const Facts again = gen::spec::read_facts(scratch.write("api.json", text));
        EXPECT_EQ(facts_text(again), text);
        expect_holds(again, each.headers);
        const Facts fresh = each.random.facts("13.9");
        EXPECT_EQ(facts_text(merge(again, fresh)), facts_text(merge(each.all, fresh)));
    });
}

}  // namespace
}  // namespace cubind::testing
