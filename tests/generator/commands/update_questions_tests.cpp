// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <regex>

#include "commands/update_test.hpp"

namespace cubind::testing {
namespace {

class UpdateQuestionsTest : public UpdateTest {
protected:
    /// Returns the proposed line that answers a question about `subject`.
    static std::string proposed_line(const std::string& output, const std::string& subject) {
        const std::size_t at = output.find("  \"" + subject + "\": ");
        if (at == std::string::npos) {
            ADD_FAILURE() << "no line is proposed for " << subject << " in:\n" << output;
            return {};
        }
        return output.substr(at, output.find('\n', at) - at) + "\n";
    }
    /// Returns the line with the first of the proposed annotations of each parameter only.
    static std::string first_choice(const std::string& line) {
        return std::regex_replace(line, std::regex(" \\| [^\"]*\""), "\"");
    }
    /// Returns the line with the last of the proposed annotations only.
    static std::string last_choice(const std::string& line) {
        return std::regex_replace(line, std::regex("\"[^\"]* \\| "), "\"");
    }
    /// Inserts the line at the start of `key` in the file.
    void paste(const std::string& file, const std::string& key, const std::string& line) const {
        replace(file, "\"" + key + "\": {", "\"" + key + "\": {\n" + line);
    }
};

TEST_F(UpdateQuestionsTest, AsksForTheAnnotationOfANewPointer) {
    change_header("13050", "toyStatus toyPeek(toyBox box, int *depth);\n");
    const std::string output = expect_questions();
    expect_contains(output, "toy: CUDA 13.5 is new\n");
    expect_contains(output, "    toyPeek: toyStatus (toyBox, int *)\n");
    expect_contains(
        output,
        "project/api-specs/toy/overrides.json, under \"functions\":\n  \"toyPeek\": {\"depth\": \"out value | inout value\"},\n");
    expect_contains(output, "toyPeek(toyBox box, int* depth)\n");
    paste(overrides, "functions", first_choice(proposed_line(output, "toyPeek")));
    expect_updated();
    expect_contains(read("generated/toy/include/cubind/toy/box.hpp"), "Result<toyStatus, int> toyPeek(toyBox box)");
}

TEST_F(UpdateQuestionsTest, AsksUntilEveryLineIsAdded) {
    change_header("13050",
                  "toyStatus toyPeek(toyBox box, int *depth);\ntoyStatus toyPoke(toyBox box, const int *where, size_t count);\n");
    const std::string output = expect_questions();
    paste(overrides, "functions", first_choice(proposed_line(output, "toyPeek")));
    const std::string less = expect_questions();
    expect_not_contains(less, "\"toyPeek\": {");
    paste(overrides, "functions", last_choice(proposed_line(less, "toyPoke")));
    expect_updated();
}

TEST_F(UpdateQuestionsTest, RejectsALineThatStillOffersAChoice) {
    change_header("13050", "toyStatus toyPoke(toyBox box, void *data, size_t count);\n");
    const std::string line = proposed_line(expect_questions(), "toyPoke");
    paste(overrides, "functions", line);
    expect_rejected(update, "project/api-specs/toy/overrides.json: functions/toyPoke/data: ");
    expect_rejected(update, "one side of the |");
    replace(overrides, line, last_choice(line));
    expect_updated();
    expect_contains(read("generated/toy/include/cubind/toy/box.hpp"), "toyPoke(toyBox box, void* data, size_t count)");
}

TEST_F(UpdateQuestionsTest, AcceptsACorrectedLine) {
    change_header("13050", "toyStatus toyPeek(toyBox box, int *depth, size_t count);\n");
    std::string line = first_choice(proposed_line(expect_questions(), "toyPeek"));
    const std::string proposed = "out value";
    ASSERT_NE(line.find(proposed), std::string::npos);
    paste(overrides, "functions", line.replace(line.find(proposed), proposed.size(), "out array(count)"));
    expect_updated();
    expect_contains(read("generated/toy/include/cubind/toy/box.hpp"), "toyPeek(toyBox box, int* depth, size_t count)");
}

TEST_F(UpdateQuestionsTest, PrintsTheHeadersDocumentationAndWritesItToNoFile) {
    change_header("13050",
                  "/**\n * \\brief Peeks, in words of the vendor.\n * \\param box Words on the box.\n * \\param depth Words on\n "
                  "*   the depth.\n */\n"
                  "toyStatus toyPeek(toyBox box, int *depth);\n");
    const std::string output = expect_questions();
    expect_contains(output, "int* depth)\n      | ");
    expect_contains(output, "Words on");
    expect_contains(output, "the depth.");
    EXPECT_EQ(files_with("Words on"), std::vector<std::string>{"project/include/toy.h"});
    paste(overrides, "functions", first_choice(proposed_line(output, "toyPeek")));
    expect_updated();
    for (const char* words : {"Words on", "the depth.", "in words of the vendor"}) {
        EXPECT_EQ(files_with(words), std::vector<std::string>{"project/include/toy.h"});
    }
}

TEST_F(UpdateQuestionsTest, AsksForTheFileOfANewGroup) {
    change_header("13050", "/** @} */\n/**\n * \\defgroup TOY_GREEN_TREE Trees\n * @{\n */\ntoyStatus toyPlant(toyBox box);\n");
    const std::string output = expect_questions();
    expect_contains(output, "project/api-specs/toy/library.json, under \"groups\":\n  \"TOY_GREEN_TREE\": \"green_tree\",\n");
    paste(library, "groups", proposed_line(output, "TOY_GREEN_TREE"));
    expect_updated();
    expect_contains(read("generated/toy/include/cubind/toy/green_tree.hpp"), "toyPlant(toyBox box)");
}

TEST_F(UpdateQuestionsTest, AsksForTheGroupOfAFunction) {
    change_header("13050", "");
    replace(header, "\n#endif", "\ntoyStatus toyOpening(toyBox box);\n#endif");
    const std::string output = expect_questions();
    expect_contains(
        output,
        "project/api-specs/toy/overrides.json, under \"groups\":\n  \"toyOpening\": \"TOY_BOX\",\n      this function is in "
        "no documentation group");
    std::string line = proposed_line(output, "toyOpening");
    replace(overrides, "{\n", "{\n  \"groups\": {" + line.erase(line.rfind(',')) + "},\n");
    expect_updated();
    expect_contains(read("generated/toy/include/cubind/toy/box.hpp"), "toyOpening(toyBox box)");
}

TEST_F(UpdateQuestionsTest, AsksForTheDescriptionOfANewStatus) {
    change_header("13050", "");
    replace(header, "    TOY_NO_FUNCTION = 2\n",
            "    TOY_NO_FUNCTION = 2,\n    /** Words on being tired. */\n    TOY_TIRED = 3\n");
    const std::string output = expect_questions();
    expect_contains(output, "project/api-specs/toy/overrides.json, under \"descriptions\":\n  \"TOY_TIRED\": ");
    expect_contains(output, "      | Words on being tired.");
    std::string line = proposed_line(output, "TOY_TIRED");
    paste(overrides, "descriptions", line);
    expect_rejected(update, "project/api-specs/toy/overrides.json: descriptions/TOY_TIRED: the text is empty");
    replace(overrides, "\"TOY_TIRED\": \"\"", "\"TOY_TIRED\": \"The toy sleeps.\"");
    expect_updated();
    expect_contains(read("generated/toy/src/strings.cpp"), "The toy sleeps.");
    EXPECT_EQ(files_with("Words on being"), std::vector<std::string>{"project/include/toy.h"});
}

TEST_F(UpdateQuestionsTest, AsksNothingAboutAPointerThatAnOlderVersionDecides) {
    change_header("13050", "toyStatus toyRead_v2(toyBox box, void *data, size_t bytes);\n");
    expect_updated();
}

TEST_F(UpdateQuestionsTest, AsksBeforeWritingAnOlderRelease) {
    change_header("12080", "toyStatus toyOld(toyBox box, void *state);\n");
    expect_contains(expect_questions(), "  \"toyOld\": {\"state\": \"");
}

TEST_F(UpdateQuestionsTest, EmitAsksAboutAnExtractedSpec) {
    change_header("13050", "toyStatus toyPeek(toyBox box, int *depth);\n");
    extract();
    expect_rejected("emit", "  \"toyPeek\": {\"depth\": \"out value | inout value\"},\n");
}

}  // namespace
}  // namespace cubind::testing
