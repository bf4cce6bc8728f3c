// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/update_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

class Update : public UpdateTest {
protected:
    static constexpr const char* box = "generated/toy/include/cubind/toy/box.hpp";
    static constexpr const char* data = "generated/toy/include/cubind/toy/data.hpp";
};

TEST_F(Update, takes_in_a_new_release) {
    change_header("13050", "toyStatus toyFresh(toyBox box);\n");
    const std::string said = expect_updated();
    expect_contains(said, "toy: CUDA 13.5 is new\n");
    expect_contains(said, "CUDA 13.4 to 13.5\n");
    expect_contains(said, "    toyFresh: toyStatus (toyBox)\n");
    expect_contains(read(facts), "\"releases\": [\"13.4\", \"13.5\"]");
    expect_contains(read(facts), "\"name\": \"toyFresh\"");
    expect_contains(read(box), "toyFresh(toyBox box)");
    expect_contains(read("docs/releases/13.4-13.5.md"), "`toyFresh`");
    expect_contains(read("docs/releases/README.md"), "13.4-13.5.md");
}

TEST_F(Update, keeps_binding_what_the_new_release_dropped) {
    change_header("13050", "");
    replace(header, "toyStatus toyClose(toyBox box);\n", "");
    const std::string said = expect_updated();
    expect_contains(said, "  breaking:\n    removed: toyClose, toyStatus (toyBox)\n");
    expect_contains(read(box), "toyClose(toyBox box)");
    expect_contains(read("generated/toy/src/entry_points.cpp"),
                    "toyClose{.symbol = \"toyClose\", .since = \"13.4\", .removed = \"13.5\"");
}

TEST_F(Update, starts_a_spec_where_there_is_none) {
    fs::remove(below(facts));
    const std::string said = expect_updated();
    expect_contains(said, "toy: CUDA 13.4 is new\n");
    expect_contains(said, "no release before CUDA 13.4 is known, so there is nothing to compare with\n");
}

TEST_F(Update, puts_an_older_release_below_the_newest) {
    change_header("12080", "toyStatus toyOld(toyBox box);\n");
    replace(header, "toyStatus toyRead(toyBox box, void *data, size_t bytes);", "toyStatus toyRead(toyBox box);");
    replace(header, "const char *toyText(toyStatus status);\n", "");
    replace(header, "    int height;\n", "");
    const std::string said = expect_updated();
    expect_contains(said, "toy: CUDA 12.8 is older than 13.4: its facts go below, generated code follows the newest\n");
    expect_contains(said, "no release before CUDA 12.8 is known");
    expect_contains(read(facts), "\"releases\": [\"12.8\", \"13.4\"]");
    expect_contains(read(data), "toyRead(toyBox box, void* data, std::size_t bytes)");
    expect_contains(read(data), "toyText(");
    expect_contains(read(box), "toyOld(toyBox box)");
    expect_contains(read("generated/toy/include/cubind/toy/types.hpp"), "height");
    expect_contains(read("generated/toy/src/entry_points.cpp"), "toyText{.symbol = \"toyText\", .since = \"13.4\"");
    expect_contains(read("generated/toy/src/entry_points.cpp"), "toyRead{.symbol = \"toyRead\", .since = \"12.8\"");
}

TEST_F(Update, says_that_the_same_headers_say_the_same) {
    const std::string said = expect_updated();
    expect_contains(said, "toy: CUDA 13.4 is in the spec already, and these headers say the same\n");
    expect_contains(said, "19 files, 0 changed\n");
    expect_untouched();
}

TEST_F(Update, lets_other_headers_of_a_release_take_its_place) {
    change_header("13040", "toyStatus toyForgotten(toyBox box);\n");
    expect_contains(expect_updated(), "toy: CUDA 13.4 is in the spec already; these headers say otherwise and take its place\n");
    expect_contains(read(facts), "\"releases\": [\"13.4\"]");
    expect_contains(read(box), "toyForgotten(toyBox box)");
}

TEST_F(Update, says_which_names_will_mean_another_function) {
    change_header("13050", "#define toyClose toyClose_v2\ntoyStatus toyClose(toyBox box, int hard);\n");
    replace(header, "toyStatus toyClose(toyBox box);\n", "");
    const std::string line =
        "toy: toyClose will mean toyClose_v2, no longer toyClose; programs that are built anew call the new one\n";
    expect_contains(expect_updated(), line);
    expect_lacks(expect_updated(), line);
}

TEST_F(Update, refuses_folders_of_two_releases) {
    write("old/toy.h", "#define TOY_VERSION 12080\n");
    for (const char* folders : {"project/include project/old", "project/old project/include"}) {
        const std::string arguments = std::string("update --include ") + folders;
        expect_refused(arguments, "12.8 (project/old/toy.h)");
        expect_refused(arguments, "13.4 (project/include/toy.h)");
        expect_refused(arguments, "give the folders of one release");
    }
}

TEST_F(Update, refuses_a_spec_that_was_edited_into_a_contradiction) {
    replace(facts, "\"name\": \"toyRead\",", "\"name\": \"toyRead\", \"removed\": \"13.4\",");
    expect_refused(update,
                   "project/api-specs/toy/api.json: functions/toyRead: was removed in 13.4, before it was introduced in 13.4; "
                   "undo the edit");
}

TEST_F(Update, never_overwrites_a_spec_that_it_cannot_read) {
    const std::string good = read(facts);
    for (const auto& [text, reason] :
         {std::pair<std::string, std::string>{"", "is empty"}, {"{", "is not valid JSON"}, {"[]", "must be an object"}}) {
        write(facts, text);
        for (const char* verb : {"update --include project/include", "extract toy --include project/include"}) {
            expect_refused(verb, "project/api-specs/toy/api.json:");
            expect_refused(verb, reason);
        }
    }
    write(facts, good);
    replace(facts, "\"schema\": 2", "\"schema\": 1");
    expect_refused(update, "project/api-specs/toy/api.json: has schema 1");
}

TEST_F(Update, passes_on_what_clang_says) {
    change_header("13050", "toyStatus toyFresh(toyBocks box);\n");
    expect_refused(update, "unknown type name 'toyBocks'");
}

TEST_F(Update, changes_nothing_where_the_code_cannot_be_written) {
    change_header("13050", "toyStatus toyFresh(toyBox box);\n");
    write("in_the_way", "\n");
    const auto before = files();
    const Outcome refused = run(std::string(update) + " --output project/in_the_way");
    EXPECT_EQ(refused.status, 1);
    expect_contains(refused.error, "project/in_the_way/toy/");
    EXPECT_TRUE(files() == before) << "the specs were changed";
}

TEST_F(Update, changes_nothing_where_the_pages_cannot_be_written) {
    change_header("13050", "toyStatus toyFresh(toyBox box);\n");
    write("in_the_way", "\n");
    const auto before = files();
    const Outcome refused = run(std::string(update) + " --docs project/in_the_way");
    EXPECT_EQ(refused.status, 1);
    expect_contains(refused.error, "project/in_the_way/releases/");
    EXPECT_TRUE(files() == before) << "specs or code were changed";
}

}  // namespace
}  // namespace cubind::testing
