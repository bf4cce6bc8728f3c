// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/check_facts.hpp"

#include "support/release_facts.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

/// toyOpen means toyOpen_v1 in 12.0, nothing in 12.4, and toyOpen_v2 since.
class CheckMeanings : public ::testing::Test {
protected:
    CheckMeanings()
        : facts(merged({ReleaseFacts("12.0").function("toyOpen_v1").name("toyOpen", "toyOpen_v1"),
                        ReleaseFacts("12.4").function("toyOpen_v1"),
                        ReleaseFacts("13.0")
                            .function("toyOpen_v2")
                            .hidden("toyOpen_ptsz")
                            .name("toyOpen", "toyOpen_v2", "toyOpen_ptsz")})) {}

    std::vector<gen::spec::Meaning>& meanings() { return facts.public_names.at(0).meanings; }
    void expect_refused(const std::string& reason) const {
        EXPECT_EQ(input_error_of([&] { gen::spec::check_facts(facts, "toy/api.json"); }),
                  "toy/api.json: public_names/toyOpen: " + reason + "; undo the edit, or extract the headers again");
    }

    gen::spec::Facts facts;
};

TEST_F(CheckMeanings, is_content_with_what_was_merged) {
    gen::spec::check_facts(facts, "toy/api.json");
    ASSERT_EQ(meanings().size(), 2U);
    ASSERT_EQ(meanings()[0].removed, "12.4");
}

TEST_F(CheckMeanings, refuses_a_name_without_any) {
    meanings().clear();
    expect_refused("is empty");
}

TEST_F(CheckMeanings, refuses_a_symbol_that_is_no_function) {
    meanings()[1].symbol = "toyOpen_v3";
    expect_refused("leads to toyOpen_v3, which is not among the functions");
    meanings()[1].symbol = "toyOpen_v2";
    meanings()[1].per_thread = "toyOpen_v3_ptsz";
    expect_refused("leads to toyOpen_v3_ptsz, which is not among the functions");
}

TEST_F(CheckMeanings, refuses_a_meaning_older_than_its_symbol) {
    meanings()[0].removed.clear();
    meanings()[1].since = "12.4";
    expect_refused("means toyOpen_v2 since 12.4, which exists since 13.0");
}

TEST_F(CheckMeanings, refuses_meanings_out_of_order) {
    std::swap(meanings()[0], meanings()[1]);
    expect_refused("has a meaning since 12.0 after one since 13.0");
    meanings()[1] = meanings()[0];
    expect_refused("has a meaning since 13.0 after one since 13.0");
}

TEST_F(CheckMeanings, refuses_a_meaning_that_ends_before_it_begins) {
    meanings()[1].removed = "13.0";
    expect_refused("ends in 13.0, before it begins in 13.0");
}

TEST_F(CheckMeanings, refuses_a_meaning_from_the_future) {
    meanings()[1].since = "13.9";
    expect_refused("exists since 13.9, but the newest release is 13.0");
}

TEST_F(CheckMeanings, refuses_an_end_in_a_release_that_was_not_read) {
    meanings()[0].removed = "12.6";
    expect_refused("removed names 12.6, which is not among the releases");
}

}  // namespace
}  // namespace cubind::testing
