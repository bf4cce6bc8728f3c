// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "diff/page.hpp"
#include "diff/pages.hpp"
#include "support/release_facts.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::diff::Format;
using gen::spec::Facts;
using gen::spec::Json;

/// Returns facts that have every kind of difference from after(). Names with "Gone" are removed, names with "Fresh" are added.
Facts before() {
    return ReleaseFacts("12.0")
        .function("toyGone")
        .function("toyTurn", {"int"})
        .function("toyOpen_v2")
        .name("toyOpen", "toyOpen_v2")
        .enumeration("toyColor", {{"TOY_GONE", 0}, {"TOY_MAX", 1}})
        .record("toySize_st", 4, {field("width", "int", 0)})
        .record("toyRoom_st", 8, {field("a", "int", 0)})
        .record("toyGone_st", 4, {})
        .alias("toyCount", "int")
        .constant("TOY_GONE_LIMIT", 1)
        .constant("TOY_LIMIT", 2)
        .constant("TOY_VERSION", 12000)
        .variable("TOY_GONE_MODE", "int")
        .variable("TOY_MODE", "int");
}

Facts after() {
    return ReleaseFacts("13.0")
        .function("toyFresh")
        .group("TOY_FRESH")
        .function("toyTurn", {"long"})
        .function("toyOpen_v2")
        .function("toyOpen_v4")
        .name("toyOpen", "toyOpen_v4")
        .hidden("toyFresh_ptsz")
        .enumeration("toyColor", {{"TOY_MAX", 2}, {"TOY_FRESH", 1}})
        .record("toySize_st", 8, {field("width", "int", 0), field("height", "int", 4)})
        .record("toyRoom_st", 8, {field("a", "int", 0), field("fresh", "int", 4)})
        .handle("toyFresh", "toyFresh_st")
        .alias("toyCount", "long")
        .constant("TOY_FRESH_LIMIT", 1)
        .constant("TOY_LIMIT", 3)
        .constant("TOY_VERSION", 13000)
        .variable("TOY_FRESH_MODE", "int")
        .variable("TOY_MODE", "long");
}

Json compare_releases(const Facts& old_facts, const Facts& new_facts) {
    gen::diff::Library library;
    library.config.library = "toy";
    library.config.title = "toy library";
    library.config.release.macro = "TOY_VERSION";
    library.facts = merge_all({old_facts, new_facts});
    return gen::diff::compare_releases({library}, old_facts.releases.front(), new_facts.releases.front());
}

std::string render_diff(Format format, const Facts& old_facts = before(), const Facts& new_facts = after()) {
    return gen::diff::render(compare_releases(old_facts, new_facts), format,
                             gen::emit::Templates(std::filesystem::path(CUBIND_REPOSITORY) / "templates"));
}

/// Expects `text` to contain each part, in this order.
void expect_in_order(const std::string& text, const std::vector<std::string>& parts) {
    std::size_t at = 0;
    for (const auto& part : parts) {
        const std::size_t found = text.find(part, at);
        if (found == std::string::npos) {
            ADD_FAILURE() << "\"" << part << "\" is missing or too early in:\n" << text;
            return;
        }
        at = found + part.size();
    }
}

TEST(PageTest, SeparatesBreakingChangesFromAdditions) {
    const Json page = gen::diff::page(compare_releases(before(), after()));
    const Json& toy = page["libraries"][0];
    for (const char* part :
         {"names_changed", "signatures_changed", "functions_removed", "types_changed", "types_removed", "records_changed",
          "enumerators_changed", "enumerators_removed", "constants_changed", "constants_removed", "variables_changed",
          "variables_removed", "groups_added", "hidden_functions_added", "types_added", "records_grown", "enumerators_added",
          "constants_added", "variables_added"}) {
        EXPECT_EQ(toy[std::string(part) + "_count"], 1) << part;
        EXPECT_EQ(toy[std::string("has_") + part], true) << part;
    }
    EXPECT_EQ(toy["breaking_count"], 12);
    EXPECT_EQ(toy["functions_added_count"], 2);
    EXPECT_EQ(page["is_breaking"], true);
}

TEST(PageTest, OmitsTheReleaseMacro) {
    const Json page = gen::diff::page(compare_releases(ReleaseFacts("12.0").constant("TOY_VERSION", 12000),
                                                       ReleaseFacts("13.0").constant("TOY_VERSION", 13000)));
    EXPECT_EQ(page["libraries"][0]["is_same"], true);
}

TEST(PageTest, ListsANewNameAsAnAddition) {
    const Json page =
        gen::diff::page(compare_releases(ReleaseFacts("12.0").hidden("toyOpen"), ReleaseFacts("13.0").function("toyOpen")));
    EXPECT_EQ(page["libraries"][0]["names_added_count"], 1);
    EXPECT_EQ(page["libraries"][0]["is_breaking"], false);
}

TEST(PageTest, PrintsBreakingChangesFirstAsText) {
    EXPECT_EQ(render_diff(Format::text),
              "CUDA 12.0 to 13.0\n\ntoy library\n  breaking:\n    toyOpen: toyOpen_v2 became toyOpen_v4\n"
              "    toyTurn: signature toyStatus (int)\n      became toyStatus (long)\n    removed: toyGone, toyStatus ()\n"
              "    toySize_st: 4 to 8 bytes\n      new: height at 4, int\n    toyCount: alias of int became alias of long\n"
              "    removed: record toyGone_st\n    TOY_MAX: 1 became 2\n    removed from toyColor: TOY_GONE = 0\n"
              "    TOY_LIMIT: 2 became 3\n    removed: constant TOY_GONE_LIMIT = 1\n"
              "    TOY_MODE: variable of int became long\n    removed: variable TOY_GONE_MODE, int\n  new:\n    group TOY_FRESH\n"
              "    toyFresh: toyStatus ()\n    toyOpen_v4: toyStatus ()\n    symbols not declared by default: toyFresh_ptsz\n"
              "    types: toyFresh\n    toyRoom_st: fresh at 4\n    toyColor: TOY_FRESH = 1\n    constants: TOY_FRESH_LIMIT = 1\n"
              "    variables: TOY_FRESH_MODE\n");
}

TEST(PageTest, PrintsBreakingChangesFirstAsMarkdown) {
    expect_in_order(render_diff(Format::markdown), {"# CUDA 12.0 to 13.0\n",
                                                    "| toy library | 12 | 2 | 1 | 1 |\n",
                                                    "## Breaking changes\n",
                                                    "### toy library\n",
                                                    "| `toyOpen` | `toyOpen_v2` | `toyOpen_v4` |\n",
                                                    "| `toyTurn` | `toyStatus (int)` | `toyStatus (long)` |\n",
                                                    "- `toyGone`: `toyStatus ()`\n",
                                                    "- `toySize_st`: 4 to 8 bytes\n",
                                                    "| `toyCount` | alias | `int` | `long` |\n",
                                                    "- `toyGone_st` (record)\n",
                                                    "| `TOY_MAX` | `toyColor` | 1 | 2 |\n",
                                                    "- `toyColor`: `TOY_GONE` = 0\n",
                                                    "| `TOY_LIMIT` | 2 | 3 |\n",
                                                    "- `TOY_GONE_LIMIT` = 1\n",
                                                    "| `TOY_MODE` | `int` | `long` |\n",
                                                    "- `TOY_GONE_MODE`, `int`\n",
                                                    "## Additions\n",
                                                    "New groups: `TOY_FRESH`.\n",
                                                    "| `toyFresh` | `toyStatus ()` | `TOY_FRESH` |\n",
                                                    "Types: `toyFresh` (handle).\n",
                                                    "- `toyRoom_st`: `fresh` at 4\n",
                                                    "Variables: `TOY_FRESH_MODE` (`int`).\n"});
}

TEST(PageTest, PrintsGroupsOfFunctionsIfThereAreAny) {
    expect_in_order(render_diff(Format::markdown), {"| function | signature | group |\n|---|---|---|\n", "| `TOY_FRESH` |\n",
                                                    "| `toyOpen_v4` | `toyStatus ()` | |\n"});
    EXPECT_THAT(render_diff(Format::markdown, ReleaseFacts("12.0"), ReleaseFacts("13.0").function("toyOpen")),
                ::testing::HasSubstr("| function | signature |\n|---|---|\n| `toyOpen` | `toyStatus ()` |\n"));
}

TEST(PageTest, PrintsNoneForAnEmptySection) {
    const ReleaseFacts old_facts = ReleaseFacts("12.0").function("toyOpen");
    expect_in_order(render_diff(Format::markdown, old_facts, ReleaseFacts("13.0").function("toyOpen")),
                    {"## Breaking changes\n\nNone.\n", "## Additions\n\nNone.\n"});
    expect_in_order(render_diff(Format::markdown, old_facts, ReleaseFacts("13.0")),
                    {"## Breaking changes\n", "`toyOpen`", "## Additions\n\nNone.\n"});
    expect_in_order(render_diff(Format::markdown, ReleaseFacts("12.0"), ReleaseFacts("13.0").function("toyOpen")),
                    {"## Breaking changes\n\nNone.\n", "## Additions\n", "`toyOpen`"});
}

TEST(PageTest, PrintsEachKindOfRecordChange) {
    const ReleaseFacts old_facts =
        ReleaseFacts("12.0").record("toyBox_st", 12, {field("a", "int", 0), field("b", "int", 4), field("c", "int", 8)});
    const ReleaseFacts new_facts = ReleaseFacts("13.0").record("toyBox_st", 12, {field("b", "int", 0), field("c", "float", 8)});
    expect_in_order(render_diff(Format::text, old_facts, new_facts),
                    {"    toyBox_st: 12 bytes\n", "      removed: a at 0, int\n", "      moved: b from 4 to 0\n",
                     "      c: int became float\n"});
    expect_in_order(render_diff(Format::markdown, old_facts, new_facts),
                    {"- `toyBox_st`\n", "removed: `a` at 0, `int`\n", "moved: `b` from 4 to 0\n", "`c`: `int` became `float`\n"});
}

/// Returns whether this change of a field, in a record of unchanged size, is reported as a breaking change.
bool breaks(const gen::spec::Field& old_field, const gen::spec::Field& new_field) {
    const auto with = [](const char* release, const gen::spec::Field& only) {
        return ReleaseFacts(release).record("toyBox_st", 64, {only});
    };
    return gen::diff::page(compare_releases(with("12.0", old_field), with("13.0", new_field)))["is_breaking"].get<bool>();
}

TEST(PageTest, TreatsTheUseOfReservedFieldsAsCompatible) {
    for (const char* room : {"reserved", "reserved1", "reserved_2", "padding", "unused"}) {
        EXPECT_FALSE(breaks(field(room, "char[64]", 0), field(room, "char[32]", 32))) << room;
    }
    EXPECT_FALSE(breaks(field("reserved", "char[64]", 0), field("width", "int", 0)));
    EXPECT_TRUE(breaks(field("width", "int", 0), field("reserved", "char[64]", 0)));
}

TEST(PageTest, TreatsAFieldWithASimilarNameAsUsed) {
    EXPECT_TRUE(breaks(field("reservedMemory", "int", 0), field("reservedMemory", "long", 0)));
}

}  // namespace
}  // namespace cubind::testing
