// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/update_test.hpp"

namespace cubind::testing {
namespace {

/// Extracts one release after the other.
class MergeCommandTest : public GeneratorTest {
protected:
    /// Writes the header of this release, with `before` replaced by `now`, to a separate folder.
    void make_release(const std::string& number, const std::string& before, const std::string& now) const {
        const std::string file = number + "/toy.h";
        write(file, read("include/toy.h"));
        replace(file, "13040", number);
        replace(file, before, now);
    }
    std::string extract_release(const std::string& number) const {
        const Outcome extracted = run("extract toy --include project/" + number);
        EXPECT_EQ(extracted.status, 0) << extracted.error;
        return extracted.out;
    }
    /// Returns the api.json of these releases, extracted in this order.
    std::string extracted(const std::vector<std::string>& numbers) const {
        std::filesystem::remove(below(facts));
        for (const auto& number : numbers) extract_release(number);
        return read(facts);
    }
};

TEST_F(MergeCommandTest, PrintsTheNumberOfReleasesInTheSpec) {
    make_release("12000", "toyStatus toyClose(toyBox box);", "");
    expect_contains(extract_release("12000"), "toy: CUDA 12.0, 5 functions, 5 types, 1 constants; 2 releases in the spec\n");
    expect_contains(read(facts), "\"releases\": [\"12.0\", \"13.4\"]");
    expect_contains(read(facts), "\"name\": \"toyClose\",\n      \"since\": \"13.4\"");
}

TEST_F(MergeCommandTest, WritesTheSameBytesInEveryOrder) {
    make_release("12000", "TOY_OK = 0,\n    TOY_NO_LIBRARY = 1,", "TOY_NO_LIBRARY = 1,\n    TOY_OK = 0,");
    make_release("12080", "    int width;\n    int height;", "    long width;");
    make_release("13000", "toyStatus toyClose(toyBox box);", "toyStatus toyClose_v2(toyBox box);\n#define toyClose toyClose_v2");
    make_release("13040", "TOY_VERSION", "TOY_VERSION");
    const std::string first = extracted({"12000", "12080", "13000", "13040"});
    for (const std::string part : {"\"orders\"", "\"history\"", "\"absent\"", "\"until\": \"13.0\"", "\"toyClose\": ["})
        expect_contains(first, part);
    EXPECT_EQ(extracted({"13040", "13000", "12080", "12000"}), first);
    EXPECT_EQ(extracted({"12080", "13040", "12000", "13000", "12080"}), first);
}

TEST_F(MergeCommandTest, WritesASpecThatEveryCommandReads) {
    make_release("12000", "toyStatus toyClose(toyBox box);", "toyStatus toyShut(toyBox box);");
    extract_release("12000");
    for (const char* verb : {"emit", "pages", "diff 12.0 13.4", "model toy", "report"}) {
        const Outcome read = run(verb);
        EXPECT_EQ(read.status, 0) << verb << ": " << read.error;
    }
}

TEST_F(MergeCommandTest, ReadsTheSpecOfATypeThatChangedItsKind) {
    make_release("12000", "typedef void (*toyListener)(toyBox box, void *state);", "typedef void *toyListener;");
    extract_release("12000");
    const Outcome again = run("extract toy --include project/include");
    EXPECT_EQ(again.status, 0) << again.error;
    const Outcome emitted = run("emit");
    EXPECT_EQ(emitted.status, 0) << emitted.error;
}

TEST_F(MergeCommandTest, RejectsAnOrderWithAnUnknownEnumerator) {
    make_release("12000", "TOY_OK = 0,\n    TOY_NO_LIBRARY = 1,", "TOY_NO_LIBRARY = 1,\n    TOY_OK = 0,");
    extract_release("12000");
    replace(facts, "\"orders\": {\"12.0\": [\"TOY_NO_LIBRARY\"", "\"orders\": {\"12.0\": [\"TOY_GHOST\"");
    expect_rejected("diff 12.0 13.4", "project/api-specs/toy/api.json: enums/toyStatus");
    expect_rejected("diff 12.0 13.4", "TOY_GHOST");
}

TEST_F(MergeCommandTest, RejectsAnOrderOfAnUnknownRelease) {
    make_release("12000", "TOY_OK = 0,\n    TOY_NO_LIBRARY = 1,", "TOY_NO_LIBRARY = 1,\n    TOY_OK = 0,");
    extract_release("12000");
    replace(facts, "\"orders\": {\"12.0\"", "\"orders\": {\"12.1\"");
    expect_rejected("diff 12.0 13.4", "project/api-specs/toy/api.json: enums/toyStatus");
}

}  // namespace
}  // namespace cubind::testing
