// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/check_facts.hpp"
#include "support/release_facts.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

/// Facts in which toyOpen refers to toyOpen_v1 in 12.0, to nothing in 12.4, and to toyOpen_v2 in 13.0.
class CheckMeaningsTest : public ::testing::Test {
protected:
    CheckMeaningsTest()
        : facts(merge_all({ReleaseFacts("12.0").function("toyOpen_v1").name("toyOpen", "toyOpen_v1"),
                           ReleaseFacts("12.4").function("toyOpen_v1"),
                           ReleaseFacts("13.0")
                               .function("toyOpen_v2")
                               .hidden("toyOpen_ptsz")
                               .name("toyOpen", "toyOpen_v2", "toyOpen_ptsz")})) {}

    std::vector<gen::spec::Meaning>& meanings() { return facts.public_names.at(0).meanings; }
    /// Expects an error that names the file, the public name and the remedy, and contains `part`.
    void expect_rejected(const std::string& part) const {
        const std::string message = input_error_of([&] { gen::spec::check_facts(facts, "toy/api.json"); });
        EXPECT_TRUE(message.starts_with("toy/api.json: public_names/toyOpen: ")) << message;
        expect_contains(message, part);
        expect_contains(message, "extract the headers again");
    }

    gen::spec::Facts facts;
};

TEST_F(CheckMeaningsTest, AcceptsMergedFacts) {
    gen::spec::check_facts(facts, "toy/api.json");
    ASSERT_EQ(meanings().size(), 2U);
    ASSERT_EQ(meanings()[0].removed, "12.4");
}

TEST_F(CheckMeaningsTest, RejectsANameWithoutMeanings) {
    meanings().clear();
    expect_rejected("empty");
}

TEST_F(CheckMeaningsTest, RejectsAnUnknownSymbol) {
    meanings()[1].symbol = "toyOpen_v3";
    expect_rejected("toyOpen_v3 is not among the functions");
    meanings()[1].symbol = "toyOpen_v2";
    meanings()[1].per_thread = "toyOpen_v3_ptsz";
    expect_rejected("toyOpen_v3_ptsz is not among the functions");
}

TEST_F(CheckMeaningsTest, RejectsAMeaningOlderThanItsSymbol) {
    meanings()[0].removed.clear();
    meanings()[1].since = "12.4";
    expect_rejected("refers to toyOpen_v2 since 12.4, but toyOpen_v2 exists only since 13.0");
}

TEST_F(CheckMeaningsTest, RejectsMeaningsOutOfOrder) {
    std::swap(meanings()[0], meanings()[1]);
    expect_rejected("the meaning since 12.0 is listed after the meaning since 13.0");
    meanings()[1] = meanings()[0];
    expect_rejected("the meaning since 13.0 is listed after the meaning since 13.0");
}

TEST_F(CheckMeaningsTest, RejectsAMeaningThatEndsBeforeItBegins) {
    meanings()[1].removed = "13.0";
    expect_rejected("\"removed\" is 13.0, which is not after \"since\", 13.0");
}

TEST_F(CheckMeaningsTest, RejectsAMeaningAfterTheNewestRelease) {
    meanings()[1].since = "13.9";
    expect_rejected("\"since\" is 13.9, but the newest release is 13.0");
}

TEST_F(CheckMeaningsTest, RejectsAnEndInAnUnknownRelease) {
    meanings()[0].removed = "12.6";
    expect_rejected("\"removed\" names 12.6");
}

}  // namespace
}  // namespace cubind::testing
