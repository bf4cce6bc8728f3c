// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "diff/pages.hpp"
#include "emit/banner.hpp"
#include "spec/merge.hpp"
#include "support/release_facts.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::diff::compare_releases;
using gen::diff::Format;
using gen::diff::Libraries;
using gen::diff::Library;
using gen::spec::Facts;
using gen::spec::Json;

Library library(const std::string& name, Facts facts) {
    Library made;
    made.config.library = name;
    made.config.title = "the " + name;
    made.config.release.macro = "TOY_VERSION";
    facts.library = name;
    made.facts = std::move(facts);
    return made;
}

Facts release(const std::string& number, std::int64_t value) {
    return ReleaseFacts(number).constant("TOY_MAX", value);
}

/// Returns toy with 12.0, 12.10 and 13.0, and top with 12.0 and 13.0.
Libraries two_libraries() {
    return {library("toy", merge_all({release("12.0", 1), release("12.10", 1), release("13.0", 2)})),
            library("top", merge_all({release("12.0", 5), release("13.0", 5)}))};
}

const gen::emit::Templates& templates() {
    static const gen::emit::Templates all(std::filesystem::path(CUBIND_REPOSITORY) / "templates");
    return all;
}

std::string text(const Json& diff) {
    return gen::diff::render(diff, Format::text, templates());
}

TEST(CompareReleasesTest, ReturnsTheChangesOfEachLibrary) {
    const Json diff = compare_releases(two_libraries(), "12.0", "13.0");
    EXPECT_EQ(diff["old"], "12.0");
    EXPECT_EQ(diff["new"], "13.0");
    EXPECT_EQ(diff["gaps"], Json::array());
    ASSERT_EQ(diff["libraries"].size(), 2U);
    EXPECT_EQ(diff["libraries"][0]["library"], "toy");
    EXPECT_EQ(diff["libraries"][0]["title"], "the toy");
    EXPECT_EQ(diff["libraries"][0]["release_macros"], Json::array({"TOY_VERSION"}));
    EXPECT_EQ(diff["libraries"][0]["constants"]["changed"][0]["new"], 2);
    EXPECT_EQ(diff["libraries"][1]["constants"]["changed"], Json::array());
}

TEST(CompareReleasesTest, ListsALibraryThatLacksARelease) {
    const Json diff = compare_releases(two_libraries(), "12.0", "12.10");
    ASSERT_EQ(diff["libraries"].size(), 1U);
    EXPECT_EQ(diff["gaps"], Json::array({"top: its spec does not have CUDA 12.10"}));
    expect_contains(text(diff), "top: its spec does not have CUDA 12.10\n");
    expect_contains(gen::diff::render(diff, Format::markdown, templates()), "\ntop: its spec does not have CUDA 12.10\n");
}

TEST(CompareReleasesTest, NamesTheFirstReleaseOfANewLibrary) {
    Libraries libraries = two_libraries();
    libraries[1].facts = gen::spec::select_releases(libraries[1].facts, {"13.0"});
    EXPECT_EQ(compare_releases(libraries, "12.0", "12.10")["gaps"], Json::array());
    EXPECT_EQ(compare_releases(libraries, "12.10", "13.0")["gaps"], Json::array({"top: CUDA 13.0 is its first release"}));
    EXPECT_EQ(compare_releases(libraries, "13.0", "12.10")["gaps"], Json::array({"top: its spec does not have CUDA 12.10"}));
}

TEST(CompareReleasesTest, ComparesWithAnOlderRelease) {
    const Json diff = compare_releases(two_libraries(), "13.0", "12.0");
    EXPECT_EQ(diff["old"], "13.0");
    EXPECT_EQ(diff["libraries"][0]["constants"]["changed"][0]["old"], 2);
    EXPECT_EQ(diff["libraries"][0]["constants"]["changed"][0]["new"], 1);
    expect_contains(text(diff), "CUDA 13.0 to 12.0\n");
}

TEST(CompareReleasesTest, IsEmptyForOneRelease) {
    const std::string same = text(compare_releases(two_libraries(), "13.0", "13.0"));
    expect_contains(same, "the toy: nothing changed\n");
    expect_contains(same, "the top: nothing changed\n");
    EXPECT_EQ(same.find("breaking"), std::string::npos);
    EXPECT_EQ(same.find("new:"), std::string::npos);
}

TEST(CompareReleasesTest, RejectsAnUnknownReleaseAndNamesTheKnownOnes) {
    for (const auto& [before, after] : {std::pair("12.0", "12.11"), std::pair("11.0", "13.0"), std::pair("11.0", "11.1")}) {
        const std::string message =
            input_error_of([&old = before, &fresh = after] { compare_releases(two_libraries(), old, fresh); });
        expect_contains(message, "CUDA " + std::string(before) + " and CUDA " + after);
        expect_contains(message, "12.0, 12.10, 13.0");
    }
}

TEST(CompareReleasesTest, RendersTheDiffAsJson) {
    const Json diff = compare_releases(two_libraries(), "12.0", "13.0");
    EXPECT_EQ(Json::parse(gen::diff::render(diff, Format::json, templates())), diff);
}

TEST(PagesTest, ReturnsOnePagePerStepAndTheList) {
    const auto pages = gen::diff::pages(two_libraries(), templates());
    std::vector<std::string> names;
    for (const auto& [path, page] : pages) names.push_back(path);
    EXPECT_EQ(names, (std::vector<std::string>{"releases/12.0-12.10.md", "releases/12.10-13.0.md", "releases/README.md"}));
    for (const auto& [path, page] : pages) EXPECT_EQ(gen::emit::check_banner(page), gen::emit::Banner::intact) << path;
    const std::string list = pages.at("releases/README.md");
    expect_contains(list, "[12.0 to 12.10](12.0-12.10.md)");
    EXPECT_LT(list.find("[12.10 to 13.0]"), list.find("[12.0 to 12.10]")) << "newest first";
}

TEST(PagesTest, ReturnsOnlyTheListForOneRelease) {
    const auto pages = gen::diff::pages({library("toy", merge_all({release("12.0", 1)}))}, templates());
    EXPECT_EQ(pages.size(), 1U);
    EXPECT_TRUE(pages.contains("releases/README.md"));
}

TEST(PagesTest, ListsEachLibraryInItsOwnColumn) {
    const std::string list = gen::diff::pages(two_libraries(), templates()).at("releases/README.md");
    const auto columns = [&](const std::string& start) {
        const std::size_t at = list.find("\n| " + start);
        return std::count(list.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                          list.begin() + static_cast<std::ptrdiff_t>(list.find('\n', at + 1)), '|');
    };
    // The spec of top lacks 12.10, but the row of that release still has a cell for top.
    EXPECT_EQ(columns("releases"), 4);
    EXPECT_EQ(columns("[12.10 to 13.0]"), 4);
    EXPECT_EQ(columns("[12.0 to 12.10]"), 4);
}

TEST(PagesTest, ListsALibraryWithVersionsOfItsOwnApart) {
    Libraries libraries = two_libraries();
    libraries.push_back(library("own", merge_all({release("2.9.3", 1), release("2.10.0", 2)})));
    libraries.back().config.release = {};
    libraries.back().config.version = {"Own", "own.h", {"TOY_MAX"}, {1000, 1}};
    EXPECT_EQ(gen::diff::by_numbering(libraries).size(), 2U);
    const auto pages = gen::diff::pages(libraries, templates());
    ASSERT_TRUE(pages.contains("releases/own/2.9.3-2.10.0.md"));
    const std::string page = pages.at("releases/own/2.9.3-2.10.0.md");
    expect_contains(page, "# Own 2.9.3 to 2.10.0\n");
    expect_contains(page, "`cubind-gen diff 2.9.3 2.10.0 --library own --format markdown`");
    EXPECT_EQ(page.find("TOY_MAX"), std::string::npos) << "the macro of the version differs on every page";
    const std::string list = pages.at("releases/README.md");
    expect_contains(list, "[2.9.3 to 2.10.0](own/2.9.3-2.10.0.md) | nothing |");
    EXPECT_EQ(list.find("| the own |"), list.rfind("| the own |"));
    EXPECT_TRUE(pages.contains("releases/12.0-12.10.md"));
    EXPECT_EQ(pages.at("releases/12.0-12.10.md").find("the own"), std::string::npos);
}

TEST(PagesTest, AcceptsAStepThatNoLibraryHas) {
    // Each library has releases, but no spec has two consecutive releases of the common list.
    const Libraries apart = {library("toy", merge_all({release("12.0", 1), release("13.0", 2)})),
                             library("top", merge_all({release("12.10", 5)}))};
    EXPECT_NO_THROW({
        const auto pages = gen::diff::pages(apart, templates());
        EXPECT_TRUE(pages.contains("releases/README.md"));
    });
}

}  // namespace
}  // namespace cubind::testing
