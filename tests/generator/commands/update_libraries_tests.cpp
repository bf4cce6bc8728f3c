// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/update_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

/// A project with a second library, top, whose header is in another folder.
class UpdateLibrariesTest : public UpdateTest {
protected:
    UpdateLibrariesTest() {
        fs::copy(below("api-specs/toy"), below("api-specs/top"));
        fs::remove(below(top_facts));
        replace("api-specs/top/library.json", "\"library\": \"toy\"", "\"library\": \"top\"");
        replace("api-specs/top/library.json", "\"title\": \"toy library\"", "\"title\": \"top library\"");
        replace("api-specs/top/library.json", "[\"toy.h\"]", "[\"top.h\"]");
        replace("api-specs/top/library.json", "\"header\": \"toy.h\"", "\"header\": \"top.h\"");
        write("top/top.h", read(header));
        for (const char* verb : {"extract top --include project/top", "emit", "pages"}) EXPECT_EQ(run(verb).status, 0) << verb;
    }
    /// Changes the release of top's header.
    void change_top(const std::string& number) const { replace("top/top.h", "13040", number); }

    static constexpr const char* top_facts = "api-specs/top/api.json";
    static constexpr const char* both = "update --include project/include project/top";
};

TEST_F(UpdateLibrariesTest, UpdatesEveryLibraryWithHeaders) {
    change_header("13050", "");
    change_top("13050");
    const std::string output = expect_updated(both);
    expect_contains(output, "toy: CUDA 13.5 is new\n");
    expect_contains(output, "top: CUDA 13.5 is new\n");
    expect_contains(output, "toy library: nothing changed\n");
    expect_contains(output, "top library: nothing changed\n");
    expect_contains(read(facts), "\"13.5\"");
    expect_contains(read(top_facts), "\"13.5\"");
}

TEST_F(UpdateLibrariesTest, ReportsALibraryWithoutHeadersAndUpdatesTheOthers) {
    change_header("13050", "toyStatus toyFresh(toyBox box);\n");
    const std::string top_before = read(top_facts);
    const std::string output = expect_updated();
    expect_contains(output, "top: top.h is not in project/include; the spec stays unchanged\n");
    expect_contains(read(facts), "\"13.5\"");
    EXPECT_EQ(read(top_facts), top_before);
    expect_contains(read("docs/releases/13.4-13.5.md"), "top: its spec does not have CUDA 13.5");
}

TEST_F(UpdateLibrariesTest, FillsTheGapOfALibraryLater) {
    change_header("13050", "toyStatus toyFresh(toyBox box);\n");
    expect_updated();
    change_top("13050");
    const std::string output = expect_updated("update top --include project/top");
    expect_contains(output, "top: CUDA 13.5 is new\n");
    expect_not_contains(read("docs/releases/13.4-13.5.md"), "does not have");
}

TEST_F(UpdateLibrariesTest, RequiresTheHeadersOfNamedLibraries) {
    change_header("13050", "");
    expect_rejected("update toy top --include project/include", "top.h: not found in project/include");
    expect_rejected("update top --include project/include", "top.h: not ");
    expect_contains(expect_updated("update toy --include project/include"), "toy: CUDA 13.5 is new\n");
}

TEST_F(UpdateLibrariesTest, RequiresTheHeadersOfOneLibrary) {
    fs::create_directories(below("empty"));
    expect_rejected("update --include project/empty", "project/empty");
    expect_rejected("update --include project/empty", "--include");
    expect_rejected("update --include project/none", "project/none is not a folder");
}

TEST_F(UpdateLibrariesTest, RejectsHeadersOfTwoReleases) {
    change_header("13050", "");
    expect_rejected(both, "CUDA 13.4 (project/top/top.h) and CUDA 13.5 (project/include/toy.h)");
}

TEST_F(UpdateLibrariesTest, WritesTheLibrariesWithoutAQuestion) {
    change_header("13050", "toyStatus toyPeek(toyBox box, int *depth);\n");
    change_top("13050");
    const std::string toy_before = read(facts);
    const Outcome asked = run(both);
    EXPECT_EQ(asked.status, 1);
    expect_contains(asked.out, "top: CUDA 13.5 is new\n");
    expect_contains(asked.out, "1 of 1 api.json changed\n");
    expect_contains(asked.out, "Nothing was written for toy,");
    expect_contains(asked.out, "\"toyPeek\": {\"depth\": \"out value | inout value\"},");
    EXPECT_EQ(read(facts), toy_before);
    expect_contains(read(top_facts), "\"13.5\"");
    expect_contains(read("docs/releases/13.4-13.5.md"), "toy: its spec does not have CUDA 13.5");
    for (const char* check : {"emit --check", "pages --check"}) EXPECT_EQ(run(check).status, 0) << check;

    replace("api-specs/toy/overrides.json", "\"functions\": {", "\"functions\": {\n    \"toyPeek\": {\"depth\": \"out value\"},");
    const std::string output = expect_updated(both);
    expect_contains(output, "toy: CUDA 13.5 is new\n");
    expect_contains(output, "top: CUDA 13.5 is already in the spec, with the same facts\n");
    expect_not_contains(output, "\"toyPeek\": {");
    expect_not_contains(read("docs/releases/13.4-13.5.md"), "does not have");
}

TEST_F(UpdateLibrariesTest, WritesNothingForALibraryThatUsesAnUndecidedOne) {
    replace("api-specs/top/library.json", "\"headers\"", "\"uses\": [\"toy\"],\n  \"headers\"");
    replace("api-specs/top/overrides.json", "\"TOY_OK\": \"The toy works.\",", "");
    for (const char* line : {"\"TOY_NO_LIBRARY\": \"There is no toy; buy one.\",",
                             "\"TOY_NO_FUNCTION\": \"The toy lacks this part; buy a newer one.\""}) {
        replace("api-specs/top/overrides.json", line, "");
    }
    replace("api-specs/top/overrides.json", "\"toySize_st\": {\"width\": \"1\"}", "");
    EXPECT_EQ(run("extract top --include project/top").status, 0);
    EXPECT_EQ(run("emit").status, 0);
    change_header("13050", "toyStatus toyPeek(toyBox box, int *depth);\n");
    change_top("13050");
    const std::string output = expect_questions(both);
    expect_contains(output, "top: not written, because it uses types of toy\n");
    expect_contains(output, "Nothing was written for top, toy,");
}

TEST_F(UpdateLibrariesTest, WritesNothingIfOneLibraryDoesNotParse) {
    change_header("13050", "toyStatus toyFresh(toyBox box);\n");
    change_top("13050");
    replace("top/top.h", "toyStatus toyClose(toyBox box);", "toyStatus toyClose(toyBocks box);");
    expect_rejected(both, "the headers of top do not parse");
}

TEST_F(UpdateLibrariesTest, UpdatesIfNoSpecHasThePreviousRelease) {
    // The spec of top has 13.5 and that of toy does not. toy is updated to 13.6.
    change_top("13050");
    expect_updated("update top --include project/top");
    change_header("13060", "toyStatus toyFresh(toyBox box);\n");
    expect_contains(expect_updated("update toy --include project/include"), "toyFresh");
    expect_contains(read(facts), "\"releases\": [\"13.4\", \"13.6\"]");
}

}  // namespace
}  // namespace cubind::testing
