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

/// Every kind of change at once; the word "Gone" is in what breaks, "Fresh" in what is new.
Facts before() {
    return ReleaseFacts("12.0")
        .function("toyGone")
        .function("toyTurn", {"int"})
        .function("toyOpen_v2")
        .name("toyOpen", "toyOpen_v2")
        .enumeration("toyColour", {{"TOY_GONE", 0}, {"TOY_MAX", 1}})
        .record("toySize_st", 4, {field("width", "int", 0)})
        .record("toyRoom_st", 8, {field("a", "int", 0)})
        .record("toyGone_st", 4, {})
        .alias("toyCount", "int")
        .constant("TOY_GONE_LIMIT", 1)
        .constant("TOY_LIMIT", 2)
        .constant("TOY_VERSION", 12000);
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
        .enumeration("toyColour", {{"TOY_MAX", 2}, {"TOY_FRESH", 1}})
        .record("toySize_st", 8, {field("width", "int", 0), field("height", "int", 4)})
        .record("toyRoom_st", 8, {field("a", "int", 0), field("fresh", "int", 4)})
        .handle("toyFresh", "toyFresh_st")
        .alias("toyCount", "long")
        .constant("TOY_FRESH_LIMIT", 1)
        .constant("TOY_LIMIT", 3)
        .constant("TOY_VERSION", 13000);
}

Json diff_of(const Facts& old_one, const Facts& new_one) {
    gen::diff::Library library;
    library.config.library = "toy";
    library.config.title = "toy library";
    library.config.release.macro = "TOY_VERSION";
    library.facts = merged({old_one, new_one});
    return gen::diff::diff_of({library}, old_one.releases.front(), new_one.releases.front());
}

std::string rendered(Format format, const Facts& old_one = before(), const Facts& new_one = after()) {
    return gen::diff::render(diff_of(old_one, new_one), format,
                             gen::emit::Templates(std::filesystem::path(CUBIND_REPOSITORY) / "templates"));
}

/// Expects each part in `text`, one after the other.
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

TEST(Page, sorts_what_breaks_from_what_is_new) {
    const Json page = gen::diff::page(diff_of(before(), after()));
    const Json& toy = page["libraries"][0];
    for (const char* part :
         {"names_changed", "signatures_changed", "functions_removed", "types_changed", "types_removed", "records_changed",
          "enumerators_changed", "enumerators_removed", "constants_changed", "constants_removed", "groups_added",
          "hidden_functions_added", "types_added", "records_grown", "enumerators_added", "constants_added"}) {
        EXPECT_EQ(toy[std::string(part) + "_count"], 1) << part;
        EXPECT_EQ(toy[std::string("has_") + part], true) << part;
    }
    EXPECT_EQ(toy["breaking_count"], 10);
    EXPECT_EQ(toy["functions_added_count"], 2);
    EXPECT_EQ(page["is_breaking"], true);
}

TEST(Page, does_not_count_the_macro_that_tells_the_release) {
    const Json page = gen::diff::page(
        diff_of(ReleaseFacts("12.0").constant("TOY_VERSION", 12000), ReleaseFacts("13.0").constant("TOY_VERSION", 13000)));
    EXPECT_EQ(page["libraries"][0]["is_same"], true);
}

TEST(Page, does_not_call_a_name_broken_that_is_new) {
    const Json page = gen::diff::page(diff_of(ReleaseFacts("12.0").hidden("toyOpen"), ReleaseFacts("13.0").function("toyOpen")));
    EXPECT_EQ(page["libraries"][0]["names_added_count"], 1);
    EXPECT_EQ(page["libraries"][0]["is_breaking"], false);
}

TEST(Page, as_text_has_what_breaks_first) {
    EXPECT_EQ(
        rendered(Format::text),
        "CUDA 12.0 to 13.0\n\ntoy library\n  breaking:\n    toyOpen: toyOpen_v2 became toyOpen_v4\n"
        "    toyTurn: signature toyStatus (int)\n      became toyStatus (long)\n    removed: toyGone, toyStatus ()\n"
        "    toySize_st: 4 to 8 bytes\n      new: height at 4, int\n    toyCount: alias of int became one of long\n"
        "    removed: record toyGone_st\n    TOY_MAX: 1 became 2\n    removed from toyColour: TOY_GONE = 0\n"
        "    TOY_LIMIT: 2 became 3\n    removed: constant TOY_GONE_LIMIT = 1\n  new:\n    group TOY_FRESH\n"
        "    toyFresh: toyStatus ()\n    toyOpen_v4: toyStatus ()\n    symbols not declared by default: toyFresh_ptsz\n"
        "    types: toyFresh\n    toyRoom_st: fresh at 4\n    toyColour: TOY_FRESH = 1\n    constants: TOY_FRESH_LIMIT = 1\n");
}

TEST(Page, as_markdown_has_what_breaks_first) {
    expect_in_order(
        rendered(Format::markdown),
        {"# CUDA 12.0 to 13.0\n", "| toy library | 10 | 2 | 1 | 1 |\n", "## Breaking changes\n", "### toy library\n",
         "| `toyOpen` | `toyOpen_v2` | `toyOpen_v4` |\n", "| `toyTurn` | `toyStatus (int)` | `toyStatus (long)` |\n",
         "- `toyGone`: `toyStatus ()`\n", "- `toySize_st`: 4 to 8 bytes\n", "| `toyCount` | alias | `int` | `long` |\n",
         "- `toyGone_st` (record)\n", "| `TOY_MAX` | `toyColour` | 1 | 2 |\n", "- `toyColour`: `TOY_GONE` = 0\n",
         "| `TOY_LIMIT` | 2 | 3 |\n", "- `TOY_GONE_LIMIT` = 1\n", "## Additions\n", "New groups: `TOY_FRESH`.\n",
         "| `toyFresh` | `toyStatus ()` | `TOY_FRESH` |\n", "Types: `toyFresh` (handle).\n", "- `toyRoom_st`: `fresh` at 4\n"});
}

TEST(Page, says_none_where_there_is_nothing) {
    const ReleaseFacts old_one = ReleaseFacts("12.0").function("toyOpen");
    expect_in_order(rendered(Format::markdown, old_one, ReleaseFacts("13.0").function("toyOpen")),
                    {"## Breaking changes\n\nNone.\n", "## Additions\n\nNone.\n"});
    expect_in_order(rendered(Format::markdown, old_one, ReleaseFacts("13.0")),
                    {"## Breaking changes\n", "`toyOpen`", "## Additions\n\nNone.\n"});
    expect_in_order(rendered(Format::markdown, ReleaseFacts("12.0"), ReleaseFacts("13.0").function("toyOpen")),
                    {"## Breaking changes\n\nNone.\n", "## Additions\n", "`toyOpen`"});
}

TEST(Page, tells_each_way_in_which_a_record_changed) {
    const ReleaseFacts old_one =
        ReleaseFacts("12.0").record("toyBox_st", 12, {field("a", "int", 0), field("b", "int", 4), field("c", "int", 8)});
    const ReleaseFacts new_one = ReleaseFacts("13.0").record("toyBox_st", 12, {field("b", "int", 0), field("c", "float", 8)});
    expect_in_order(rendered(Format::text, old_one, new_one), {"    toyBox_st: 12 bytes\n", "      removed: a at 0, int\n",
                                                               "      moved: b from 4 to 0\n", "      c: int became float\n"});
    expect_in_order(rendered(Format::markdown, old_one, new_one),
                    {"- `toyBox_st`\n", "removed: `a` at 0, `int`\n", "moved: `b` from 4 to 0\n", "`c`: `int` became `float`\n"});
}

/// Whether this change of a record's field, within one size, breaks programs.
bool breaks(const gen::spec::Field& was, const gen::spec::Field& is) {
    const auto with = [](const char* release, const gen::spec::Field& only) {
        return ReleaseFacts(release).record("toyBox_st", 64, {only});
    };
    return gen::diff::page(diff_of(with("12.0", was), with("13.0", is)))["is_breaking"].get<bool>();
}

TEST(Page, does_not_call_broken_what_only_uses_up_room) {
    for (const char* room : {"reserved", "reserved1", "reserved_2", "padding", "unused"}) {
        EXPECT_FALSE(breaks(field(room, "char[64]", 0), field(room, "char[32]", 32))) << room;
    }
    EXPECT_FALSE(breaks(field("reserved", "char[64]", 0), field("width", "int", 0)));
    EXPECT_TRUE(breaks(field("width", "int", 0), field("reserved", "char[64]", 0)));
}

TEST(Page, tells_room_from_a_field_that_is_called_like_it) {
    EXPECT_TRUE(breaks(field("reservedMemory", "int", 0), field("reservedMemory", "long", 0)));
}

}  // namespace
}  // namespace cubind::testing
