// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/update_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

/// A project with CUDA 13.4 and 13.5, and the page of their changes.
class PagesCommandTest : public UpdateTest {
protected:
    PagesCommandTest() {
        change_header("13050", "toyStatus toyFresh(toyBox box);\n");
        expect_updated();
    }
    /// Expects `pages --check` to fail, to report only this file with a text that has `reason`, and to change nothing.
    void expect_difference(const std::string& file, const std::string& reason) const {
        const auto before = files();
        const Outcome check = run("pages --check");
        EXPECT_EQ(check.status, 1);
        EXPECT_EQ(check.out, "");
        EXPECT_TRUE(check.error.starts_with("project/docs/releases/" + file + " ")) << check.error;
        expect_contains(check.error, reason);
        expect_contains(check.error, "\n1 of 2 generated files differ");
        expect_contains(check.error, "`cubind-gen pages`");
        EXPECT_TRUE(files() == before);
    }
    /// Expects that `pages` corrects every difference.
    void expect_corrected() const {
        EXPECT_EQ(run("pages").status, 0);
        EXPECT_EQ(run("pages --check").status, 0);
    }

    static constexpr const char* page = "docs/releases/13.4-13.5.md";
};

TEST_F(PagesCommandTest, WritesOnePagePerStepAndTheList) {
    fs::remove_all(below("docs"));
    const Outcome written = run("pages");
    EXPECT_EQ(written.status, 0) << written.error;
    EXPECT_EQ(written.out, "project/docs: 2 files, 2 changed\n");
    expect_contains(read(page), "# CUDA 13.4 to 13.5\n");
    expect_contains(read("docs/releases/README.md"), "(13.4-13.5.md)");
    EXPECT_EQ(run("pages").out, "project/docs: 2 files, 0 changed\n");
}

TEST_F(PagesCommandTest, CheckAcceptsTheOutputOfPages) {
    const Outcome check = run("pages --check");
    EXPECT_EQ(check.status, 0);
    EXPECT_EQ(check.error, "");
    EXPECT_EQ(check.out, "project/docs: all 2 files match the output of pages\n");
}

TEST_F(PagesCommandTest, CheckReportsAnEditedPage) {
    replace(page, "toyFresh", "toyFrehs");
    expect_difference("13.4-13.5.md", "edited");
    expect_corrected();
}

TEST_F(PagesCommandTest, CheckReportsAMissingPage) {
    fs::remove(below(page));
    expect_difference("13.4-13.5.md", "missing");
    expect_corrected();
}

TEST_F(PagesCommandTest, CheckReportsAStalePage) {
    replace(facts, "\"name\": \"toyFresh\",", "\"name\": \"toyAfresh\",");
    expect_difference("13.4-13.5.md", "stale");
    expect_corrected();
}

TEST_F(PagesCommandTest, CheckReportsALeftoverPage) {
    fs::copy(below(page), below("docs/releases/1.0-2.0.md"));
    expect_difference("1.0-2.0.md", "left over");
    expect_corrected();
    EXPECT_FALSE(fs::exists(below("docs/releases/1.0-2.0.md")));
}

TEST_F(PagesCommandTest, LeavesAHandWrittenFileUnchanged) {
    write("docs/releases/notes.md", "Mine.\n");
    expect_difference("notes.md", "not generated");
    EXPECT_EQ(run("pages").status, 0);
    EXPECT_EQ(read("docs/releases/notes.md"), "Mine.\n");
}

TEST_F(PagesCommandTest, LeavesTheOtherDocumentationUnchanged) {
    write("docs/guide.md", "A guide.\n");
    expect_corrected();
    EXPECT_EQ(read("docs/guide.md"), "A guide.\n");
}

TEST_F(PagesCommandTest, WritesToTheFolderOfDocs) {
    const Outcome written = run("pages --docs elsewhere");
    EXPECT_EQ(written.status, 0) << written.error;
    EXPECT_TRUE(files().contains("elsewhere/releases/13.4-13.5.md"));
}

TEST_F(PagesCommandTest, RequiresReadableSpecs) {
    replace(facts, "\"schema\": 2", "\"schema\": 1");
    expect_rejected("pages", "project/api-specs/toy/api.json: the schema is 1");
    expect_rejected("pages --check", "project/api-specs/toy/api.json: the schema is 1");
}

TEST_F(PagesCommandTest, ReportsAFolderThatCannotBeWritten) {
    write("in_the_way", "\n");
    expect_rejected("pages --docs project/in_the_way", "project/in_the_way/releases/");
    expect_rejected("pages --docs project/in_the_way", "Not a directory");
}

}  // namespace
}  // namespace cubind::testing
