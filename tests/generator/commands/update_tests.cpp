// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/update_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

class UpdateCommandTest : public UpdateTest {
protected:
    static constexpr const char* box = "generated/toy/include/cubind/toy/box.hpp";
    static constexpr const char* data = "generated/toy/include/cubind/toy/data.hpp";
};

TEST_F(UpdateCommandTest, AddsANewRelease) {
    change_header("13050", "toyStatus toyFresh(toyBox box);\n");
    const std::string output = expect_updated();
    expect_contains(output, "toy: CUDA 13.5 is new\n");
    expect_contains(output, "CUDA 13.4 to 13.5\n");
    expect_contains(output, "    toyFresh: toyStatus (toyBox)\n");
    expect_contains(read(facts), "\"releases\": [\"13.4\", \"13.5\"]");
    expect_contains(read(facts), "\"name\": \"toyFresh\"");
    expect_contains(read(box), "toyFresh(toyBox box)");
    expect_contains(read("docs/releases/13.4-13.5.md"), "`toyFresh`");
    expect_contains(read("docs/releases/README.md"), "13.4-13.5.md");
}

TEST_F(UpdateCommandTest, StillBindsAFunctionThatTheReleaseRemoved) {
    change_header("13050", "");
    replace(header, "toyStatus toyClose(toyBox box);\n", "");
    const std::string output = expect_updated();
    expect_contains(output, "  breaking:\n    removed: toyClose, toyStatus (toyBox)\n");
    expect_contains(read(box), "toyClose(toyBox box)");
    expect_contains(read("generated/toy/src/entry_points.cpp"),
                    "toyClose{.symbol = \"toyClose\", .since = \"13.4\", .removed = \"13.5\"");
}

TEST_F(UpdateCommandTest, CreatesAMissingSpec) {
    fs::remove(below(facts));
    const std::string output = expect_updated();
    expect_contains(output, "toy: CUDA 13.4 is new\n");
    expect_contains(output, "The specs have no release before CUDA 13.4");
}

TEST_F(UpdateCommandTest, AddsAnOlderReleaseBelowTheNewest) {
    change_header("12080", "toyStatus toyOld(toyBox box);\n");
    replace(header, "toyStatus toyRead(toyBox box, void *data, size_t bytes);", "toyStatus toyRead(toyBox box);");
    replace(header, "const char *toyText(toyStatus status);\n", "");
    replace(header, "    int height;\n", "");
    const std::string output = expect_updated();
    expect_contains(output, "toy: CUDA 12.8 is older than 13.4;");
    expect_contains(output, "no release before CUDA 12.8");
    expect_contains(read(facts), "\"releases\": [\"12.8\", \"13.4\"]");
    expect_contains(read(data), "toyRead(toyBox box, void* data, size_t bytes)");
    expect_contains(read(data), "toyText(");
    expect_contains(read(box), "toyOld(toyBox box)");
    expect_contains(read("generated/toy/include/cubind/toy/types.hpp"), "height");
    expect_contains(read("generated/toy/src/entry_points.cpp"), "toyText{.symbol = \"toyText\", .since = \"13.4\"");
    expect_contains(read("generated/toy/src/entry_points.cpp"), "toyRead{.symbol = \"toyRead\", .since = \"12.8\"");
}

TEST_F(UpdateCommandTest, ReportsUnchangedHeaders) {
    const std::string output = expect_updated();
    expect_contains(output, "toy: CUDA 13.4 is already in the spec, with the same facts\n");
    expect_contains(output, "21 files, 0 changed\n");
    expect_unchanged();
}

TEST_F(UpdateCommandTest, ReplacesTheFactsOfAKnownRelease) {
    change_header("13040", "toyStatus toyForgotten(toyBox box);\n");
    expect_contains(expect_updated(), "toy: CUDA 13.4 is already in the spec; its facts are replaced");
    expect_contains(read(facts), "\"releases\": [\"13.4\"]");
    expect_contains(read(box), "toyForgotten(toyBox box)");
}

TEST_F(UpdateCommandTest, ReportsNamesThatReferToAnotherFunction) {
    change_header("13050", "#define toyClose toyClose_v2\ntoyStatus toyClose(toyBox box, int hard);\n");
    replace(header, "toyStatus toyClose(toyBox box);\n", "");
    const std::string line =
        "toy: toyClose now refers to toyClose_v2 instead of toyClose; recompiled programs call toyClose_v2\n";
    expect_contains(expect_updated(), line);
    expect_not_contains(expect_updated(), line);
}

TEST_F(UpdateCommandTest, RejectsFoldersOfTwoReleases) {
    write("old/toy.h", "#define TOY_VERSION 12080\n");
    for (const char* folders : {"project/include project/old", "project/old project/include"}) {
        const std::string arguments = std::string("update --include ") + folders;
        expect_rejected(arguments, "12.8 (project/old/toy.h)");
        expect_rejected(arguments, "13.4 (project/include/toy.h)");
        expect_rejected(arguments, "of one release");
    }
}

TEST_F(UpdateCommandTest, RejectsAContradictorySpec) {
    replace(facts, "\"name\": \"toyRead\",", "\"name\": \"toyRead\", \"removed\": \"13.4\",");
    expect_rejected(update,
                    "project/api-specs/toy/api.json: functions/toyRead: \"removed\" is 13.4, which is not after \"since\", 13.4. "
                    "Undo the edit");
}

TEST_F(UpdateCommandTest, LeavesAnUnreadableSpecUnchanged) {
    const std::string good = read(facts);
    for (const auto& [text, reason] :
         {std::pair<std::string, std::string>{"", "is empty"}, {"{", "is not valid JSON"}, {"[]", "must be an object"}}) {
        write(facts, text);
        for (const char* verb : {"update --include project/include", "extract toy --include project/include"}) {
            expect_rejected(verb, "project/api-specs/toy/api.json:");
            expect_rejected(verb, reason);
        }
    }
    write(facts, good);
    replace(facts, "\"schema\": 2", "\"schema\": 1");
    expect_rejected(update, "project/api-specs/toy/api.json: the schema is 1");
}

TEST_F(UpdateCommandTest, PrintsTheErrorsOfClang) {
    change_header("13050", "toyStatus toyFresh(toyBocks box);\n");
    expect_rejected(update, "unknown type name 'toyBocks'");
}

TEST_F(UpdateCommandTest, ChangesNothingIfTheCodeCannotBeWritten) {
    change_header("13050", "toyStatus toyFresh(toyBox box);\n");
    write("in_the_way", "\n");
    const auto before = files();
    const Outcome rejected = run(std::string(update) + " --output project/in_the_way");
    EXPECT_EQ(rejected.status, 1);
    expect_contains(rejected.error, "project/in_the_way/toy/");
    EXPECT_TRUE(files() == before) << "the specs were changed";
}

TEST_F(UpdateCommandTest, ChangesNothingIfThePagesCannotBeWritten) {
    change_header("13050", "toyStatus toyFresh(toyBox box);\n");
    write("in_the_way", "\n");
    const auto before = files();
    const Outcome rejected = run(std::string(update) + " --docs project/in_the_way");
    EXPECT_EQ(rejected.status, 1);
    expect_contains(rejected.error, "project/in_the_way/releases/");
    EXPECT_TRUE(files() == before) << "specs or code were changed";
}

}  // namespace
}  // namespace cubind::testing
