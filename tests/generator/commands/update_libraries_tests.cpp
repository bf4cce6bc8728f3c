// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/update_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

/// A project with a second library, top, whose headers may be elsewhere.
class UpdateLibraries : public UpdateTest {
protected:
    UpdateLibraries() {
        fs::copy(below("api-specs/toy"), below("api-specs/top"));
        fs::remove(below(top_facts));
        replace("api-specs/top/library.json", "\"library\": \"toy\"", "\"library\": \"top\"");
        replace("api-specs/top/library.json", "\"title\": \"toy library\"", "\"title\": \"top library\"");
        replace("api-specs/top/library.json", "[\"toy.h\"]", "[\"top.h\"]");
        replace("api-specs/top/library.json", "\"header\": \"toy.h\"", "\"header\": \"top.h\"");
        write("top/top.h", read(header));
        for (const char* verb : {"extract top --include project/top", "emit", "pages"}) EXPECT_EQ(run(verb).status, 0) << verb;
    }
    /// Makes top's header one of that release.
    void change_top(const std::string& number) const { replace("top/top.h", "13040", number); }

    static constexpr const char* top_facts = "api-specs/top/api.json";
    static constexpr const char* both = "update --include project/include project/top";
};

TEST_F(UpdateLibraries, takes_in_all_that_are_there) {
    change_header("13050", "");
    change_top("13050");
    const std::string said = expect_updated(both);
    expect_contains(said, "toy: CUDA 13.5 is new\n");
    expect_contains(said, "top: CUDA 13.5 is new\n");
    expect_contains(said, "toy library: nothing changed\n");
    expect_contains(said, "top library: nothing changed\n");
    expect_contains(read(facts), "\"13.5\"");
    expect_contains(read(top_facts), "\"13.5\"");
}

TEST_F(UpdateLibraries, goes_on_without_one_that_is_missing_and_names_it) {
    change_header("13050", "toyStatus toyFresh(toyBox box);\n");
    const std::string top_before = read(top_facts);
    const std::string said = expect_updated();
    expect_contains(said, "top: top.h is not in project/include; its spec stays as it is\n");
    expect_contains(read(facts), "\"13.5\"");
    EXPECT_EQ(read(top_facts), top_before);
    expect_contains(read("docs/releases/13.4-13.5.md"), "top: its spec does not have CUDA 13.5");
}

TEST_F(UpdateLibraries, closes_the_gap_later) {
    change_header("13050", "toyStatus toyFresh(toyBox box);\n");
    expect_updated();
    change_top("13050");
    const std::string said = expect_updated("update top --include project/top");
    expect_contains(said, "top: CUDA 13.5 is new\n");
    expect_lacks(read("docs/releases/13.4-13.5.md"), "does not have");
}

TEST_F(UpdateLibraries, needs_those_that_are_named) {
    change_header("13050", "");
    expect_refused("update toy top --include project/include",
                   "top.h: not found in project/include; give the folder that holds it with --include");
    expect_refused("update top --include project/include", "top.h: not ");
    expect_contains(expect_updated("update toy --include project/include"), "toy: CUDA 13.5 is new\n");
}

TEST_F(UpdateLibraries, needs_at_least_one) {
    fs::create_directories(below("empty"));
    expect_refused("update --include project/empty", "project/empty");
    expect_refused("update --include project/empty", "give --include the folder");
    expect_refused("update --include project/none", "project/none: is not a folder");
}

TEST_F(UpdateLibraries, refuses_headers_of_two_releases) {
    change_header("13050", "");
    expect_refused(both, "mix CUDA 13.4 (project/top/top.h) and CUDA 13.5 (project/include/toy.h)");
}

TEST_F(UpdateLibraries, writes_none_while_one_has_a_question) {
    change_header("13050", "toyStatus toyPeek(toyBox box, int *depth);\n");
    change_top("13050");
    const std::string said = expect_asked(both);
    expect_contains(said, "top: CUDA 13.5 is new\n");
    expect_contains(said, "\"toyPeek\": {\"depth\": \"out value\"},");
}

TEST_F(UpdateLibraries, writes_none_while_one_does_not_parse) {
    change_header("13050", "toyStatus toyFresh(toyBox box);\n");
    change_top("13050");
    replace("top/top.h", "toyStatus toyClose(toyBox box);", "toyStatus toyClose(toyBocks box);");
    expect_refused(both, "the headers of top do not parse");
}

TEST_F(UpdateLibraries, goes_on_where_no_spec_has_the_release_before) {
    // top has 13.5, toy has not; toy gets 13.6.
    change_top("13050");
    expect_updated("update top --include project/top");
    change_header("13060", "toyStatus toyFresh(toyBox box);\n");
    expect_contains(expect_updated("update toy --include project/include"), "toyFresh");
    expect_contains(read(facts), "\"releases\": [\"13.4\", \"13.6\"]");
}

}  // namespace
}  // namespace cubind::testing
