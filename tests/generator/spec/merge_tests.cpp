// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/merge.hpp"

#include "spec/facts_file.hpp"
#include "spec/merge_case.hpp"
#include "support/scratch_folder.hpp"

// What must hold of merging, whatever the headers state.
namespace cubind::testing {
namespace {

using gen::spec::Facts;
using gen::spec::facts_text;
using gen::spec::merge;
using gen::spec::restricted;
using gen::spec::snapshot;

template <class Entries>
void forget_since(Entries& entries) {
    for (auto& entry : entries) {
        entry.since.clear();
        entry.absent.clear();  // lists releases from `since` on
        if constexpr (requires { entry.enumerators; }) forget_since(entry.enumerators);
    }
}

/// As text, without `since`, which a release may state of those before it.
std::string text_but_since(Facts facts) {
    forget_since(facts.functions);
    forget_since(facts.enums);
    forget_since(facts.records);
    forget_since(facts.handles);
    forget_since(facts.aliases);
    forget_since(facts.callbacks);
    forget_since(facts.constants);
    for (auto& name : facts.public_names) {
        for (auto& meaning : name.meanings) meaning.since.clear();
    }
    return facts_text(facts);
}

/// Expects that facts know these releases, and of each what its headers state.
void expect_holds(const Facts& facts, const std::vector<Facts>& headers) {
    ASSERT_EQ(facts.releases.size(), headers.size());
    for (std::size_t index = 0; index < headers.size(); ++index) {
        const std::string& release = headers[index].releases.front();
        EXPECT_EQ(facts.releases[index], release);
        EXPECT_EQ(text_but_since(snapshot(facts, release)), text_but_since(merge({}, headers[index]))) << "of " << release;
    }
}

TEST(MergeLaws, the_order_makes_no_difference) {
    hold([](MergeCase& each) {
        for (int round = 0; round < 4; ++round) {
            std::vector<Facts> shuffled = each.headers;
            each.random.shuffle(shuffled);
            EXPECT_EQ(facts_text(merged(shuffled)), facts_text(each.all));
        }
    });
}

TEST(MergeLaws, halves_may_be_merged_first) {
    hold([](MergeCase& each) {
        const auto middle = each.headers.begin() + static_cast<std::ptrdiff_t>(each.any_index());
        const Facts older = merged({each.headers.begin(), middle});
        const Facts newer = merged({middle, each.headers.end()});
        if (older.releases.empty()) return;
        EXPECT_EQ(facts_text(merge(older, newer)), facts_text(each.all));
        EXPECT_EQ(facts_text(merge(newer, older)), facts_text(each.all));
    });
}

TEST(MergeLaws, each_release_can_be_taken_out_again) {
    hold([](MergeCase& each) { expect_holds(each.all, each.headers); });
}

TEST(MergeLaws, the_same_release_again_changes_nothing) {
    hold([](MergeCase& each) {
        for (const auto& again : each.headers) EXPECT_EQ(facts_text(merge(each.all, again)), facts_text(each.all));
    });
}

TEST(MergeLaws, other_headers_of_a_release_take_its_place) {
    hold([](MergeCase& each) {
        const std::size_t index = each.any_index();
        each.headers[index] = each.random.facts(each.release(index));
        const Facts again = merge(each.all, each.headers[index]);
        expect_holds(again, each.headers);
        EXPECT_EQ(text_but_since(again), text_but_since(merged(each.headers)));
    });
}

TEST(MergeLaws, some_of_the_releases_are_as_if_only_they_had_been_merged) {
    hold([](MergeCase& each) {
        std::vector<Facts> some;
        std::vector<std::string> names;
        for (const auto& headers : each.headers) {
            if (!each.random.chance(60)) continue;
            some.push_back(headers);
            names.push_back(headers.releases.front());
        }
        if (some.empty()) return;
        const Facts less = restricted(each.all, names);
        expect_holds(less, some);
        EXPECT_EQ(text_but_since(less), text_but_since(merged(some)));
    });
}

TEST(MergeLaws, the_file_keeps_all) {
    hold([](MergeCase& each) {
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
