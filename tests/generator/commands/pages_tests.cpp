// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/update_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

/// The project with CUDA 13.4 and 13.5 and their page.
class PagesCommand : public UpdateTest {
protected:
    PagesCommand() {
        change_header("13050", "toyStatus toyFresh(toyBox box);\n");
        expect_updated();
    }
    /// Expects `pages --check` to fail with just this line, and to change nothing.
    void expect_difference(const std::string& line) const {
        const auto before = files();
        const Outcome check = run("pages --check");
        EXPECT_EQ(check.status, 1);
        EXPECT_EQ(check.out, "");
        expect_contains(check.error, "project/docs/releases/" + line + "\n1 of 2 generated files differ");
        expect_contains(check.error, "`cubind-gen pages`");
        EXPECT_TRUE(files() == before);
    }
    /// Expects `pages` to set things right.
    void expect_mended() const {
        EXPECT_EQ(run("pages").status, 0);
        EXPECT_EQ(run("pages --check").status, 0);
    }

    static constexpr const char* page = "docs/releases/13.4-13.5.md";
};

TEST_F(PagesCommand, writes_one_page_a_step_and_the_list) {
    fs::remove_all(below("docs"));
    const Outcome written = run("pages");
    EXPECT_EQ(written.status, 0) << written.error;
    EXPECT_EQ(written.out, "project/docs: 2 files, 2 changed\n");
    expect_contains(read(page), "# CUDA 13.4 to 13.5\n");
    expect_contains(read("docs/releases/README.md"), "(13.4-13.5.md)");
    EXPECT_EQ(run("pages").out, "project/docs: 2 files, 0 changed\n");
}

TEST_F(PagesCommand, check_is_content_with_what_pages_wrote) {
    const Outcome check = run("pages --check");
    EXPECT_EQ(check.status, 0);
    EXPECT_EQ(check.error, "");
    EXPECT_EQ(check.out, "project/docs: all 2 files are as pages writes them\n");
}

TEST_F(PagesCommand, check_names_a_page_that_was_edited) {
    replace(page, "toyFresh", "toyFrehs");
    expect_difference("13.4-13.5.md was edited by hand");
    expect_mended();
}

TEST_F(PagesCommand, check_names_a_missing_page) {
    fs::remove(below(page));
    expect_difference("13.4-13.5.md is missing");
    expect_mended();
}

TEST_F(PagesCommand, check_names_a_stale_page) {
    replace(facts, "\"name\": \"toyFresh\",", "\"name\": \"toyAfresh\",");
    expect_difference("13.4-13.5.md is stale: specs or templates have changed since");
    expect_mended();
}

TEST_F(PagesCommand, check_names_a_page_that_nothing_writes) {
    fs::copy(below(page), below("docs/releases/1.0-2.0.md"));
    expect_difference("1.0-2.0.md is left over: no template writes it");
    expect_mended();
    EXPECT_FALSE(fs::exists(below("docs/releases/1.0-2.0.md")));
}

TEST_F(PagesCommand, leave_a_file_of_someone_elses_alone) {
    write("docs/releases/notes.md", "Mine.\n");
    expect_difference("notes.md is not generated: move it elsewhere, emit removes only its own");
    EXPECT_EQ(run("pages").status, 0);
    EXPECT_EQ(read("docs/releases/notes.md"), "Mine.\n");
}

TEST_F(PagesCommand, leave_the_rest_of_the_documentation_alone) {
    write("docs/guide.md", "A guide.\n");
    expect_mended();
    EXPECT_EQ(read("docs/guide.md"), "A guide.\n");
}

TEST_F(PagesCommand, go_where_docs_says) {
    const Outcome written = run("pages --docs elsewhere");
    EXPECT_EQ(written.status, 0) << written.error;
    EXPECT_TRUE(files().contains("elsewhere/releases/13.4-13.5.md"));
}

TEST_F(PagesCommand, need_specs_that_can_be_read) {
    replace(facts, "\"schema\": 2", "\"schema\": 1");
    expect_refused("pages", "project/api-specs/toy/api.json: has schema 1");
    expect_refused("pages --check", "project/api-specs/toy/api.json: has schema 1");
}

TEST_F(PagesCommand, that_cannot_be_written_are_named) {
    write("in_the_way", "\n");
    expect_refused("pages --docs project/in_the_way", "project/in_the_way/releases/");
    expect_refused("pages --docs project/in_the_way", "its folder cannot be created");
}

}  // namespace
}  // namespace cubind::testing
