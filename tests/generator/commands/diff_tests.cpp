// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "commands/update_test.hpp"

namespace cubind::testing {
namespace {

/// A project with CUDA 13.4 and CUDA 13.5, which has toyFresh instead of toyClose.
class DiffCommandTest : public UpdateTest {
protected:
    DiffCommandTest() {
        change_header("13050", "toyStatus toyFresh(toyBox box);\n");
        replace(header, "toyStatus toyClose(toyBox box);\n", "");
        expect_updated();
    }
    std::string diff(const std::string& arguments) const {
        const auto before = files();
        const Outcome printed = run("diff " + arguments);
        EXPECT_EQ(printed.status, 0) << printed.error;
        EXPECT_EQ(printed.error, "");
        EXPECT_TRUE(files() == before) << "a diff writes nothing";
        return printed.out;
    }
};

TEST_F(DiffCommandTest, PrintsBreakingChangesFirst) {
    EXPECT_EQ(diff("13.4 13.5"),
              "CUDA 13.4 to 13.5\n\ntoy library\n  breaking:\n    removed: toyClose, toyStatus (toyBox)\n"
              "  new:\n    toyFresh: toyStatus (toyBox)\n");
    EXPECT_EQ(diff("13.4 13.5 --format text"), diff("13.4 13.5"));
}

TEST_F(DiffCommandTest, PrintsTheMarkdownOfThePage) {
    const std::string page = read("docs/releases/13.4-13.5.md");
    EXPECT_EQ(diff("13.4 13.5 --format markdown"), page.substr(page.find('\n') + 1));
}

TEST_F(DiffCommandTest, PrintsJson) {
    const auto json = nlohmann::json::parse(diff("13.4 13.5 --format json"));
    EXPECT_EQ(json["old"], "13.4");
    EXPECT_EQ(json["new"], "13.5");
    EXPECT_EQ(json["libraries"][0]["functions"]["added"][0]["name"], "toyFresh");
    EXPECT_EQ(json["libraries"][0]["functions"]["removed"][0]["name"], "toyClose");
}

TEST_F(DiffCommandTest, ComparesInBothDirections) {
    expect_contains(diff("13.5 13.4"),
                    "  breaking:\n    removed: toyFresh, toyStatus (toyBox)\n  new:\n    toyClose: toyStatus (toyBox)\n");
    EXPECT_EQ(diff("13.5 13.5"), "CUDA 13.5 to 13.5\n\ntoy library: nothing changed\n");
}

TEST_F(DiffCommandTest, RejectsAnUnknownReleaseAndNamesTheKnownOnes) {
    expect_rejected("diff 13.4 13.6", "no spec has both CUDA 13.4 and CUDA 13.6. The specs have the releases 13.4, 13.5");
    expect_rejected("diff 12.0 13.5", "13.4, 13.5");
    expect_rejected("diff 13 13.5", "\"13\" is not a release");
    expect_rejected("diff 13.4 newest", "\"newest\" is not a release");
}

TEST_F(DiffCommandTest, RequiresTwoReleasesAndAKnownFormat) {
    for (const char* arguments : {"diff", "diff 13.4", "diff 13.4 13.5 13.6", "diff 13.4 13.5 --format yaml"}) {
        EXPECT_EQ(run(arguments).status, 2) << arguments;
    }
}

TEST_F(DiffCommandTest, RejectsAContradictorySpec) {
    replace(facts, "\"name\": \"toyRead\",", "\"name\": \"toyRead\", \"absent\": [\"13.3\"],");
    expect_rejected("diff 13.4 13.5",
                    "project/api-specs/toy/api.json: functions/toyRead: \"absent\" names 13.3, which is not among the releases");
}

}  // namespace
}  // namespace cubind::testing
