// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/update_test.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

/// A project with a second library, top, whose spec is numbered by its own versions. The header of top is in another folder.
class OwnVersionsTest : public UpdateTest {
protected:
    OwnVersionsTest() {
        fs::copy(below("api-specs/toy"), below("api-specs/top"));
        fs::remove(below(top_facts));
        replace(top_library, "\"library\": \"toy\"", "\"library\": \"top\"");
        replace(top_library, "\"title\": \"toy library\"", "\"title\": \"top library\"");
        replace(top_library, "[\"toy.h\"]", "[\"top.h\"]");
        replace(top_library, release, version);
        write("top/top.h", read(header));
        replace("top/top.h", "#define TOY_VERSION 13040", "#define TOP_VERSION 23203");
        for (const char* verb : {"extract top --include project/top", "emit", "pages"}) EXPECT_EQ(run(verb).status, 0) << verb;
    }
    void change_top(const std::string& number) const { replace("top/top.h", "23203", number); }

    static constexpr const char* top_facts = "api-specs/top/api.json";
    static constexpr const char* top_library = "api-specs/top/library.json";
    static constexpr const char* release = "\"release\": {\"header\": \"toy.h\", \"macro\": \"TOY_VERSION\"}";
    static constexpr const char* version =
        "\"version\": {\"product\": \"Top\", \"header\": \"top.h\", \"macros\": [\"TOP_VERSION\"], \"weights\": [10000, 100, 1]}";
    static constexpr const char* both = "update --include project/include project/top";
};

TEST_F(OwnVersionsTest, UpdateReadsHeadersOfBothNumberings) {
    change_header("13050", "");
    change_top("23301");
    replace("top/top.h", "toyStatus toyClose(toyBox box);\n",
            "toyStatus toyClose(toyBox box);\ntoyStatus toyFresh(toyBox box);\n");
    const std::string output = expect_updated(both);
    expect_contains(output, "toy: CUDA 13.5 is new\n");
    expect_contains(output, "top: Top 2.33.1 is new\n");
    expect_contains(output, "\nCUDA 13.4 to 13.5\n");
    expect_contains(output, "\nTop 2.32.3 to 2.33.1\n");
    expect_contains(read(top_facts), "\"releases\": [\"2.32.3\", \"2.33.1\"]");
    expect_contains(read("docs/releases/top/2.32.3-2.33.1.md"), "toyFresh");
    expect_contains(read("generated/top/src/entry_points.cpp"), "toyFresh{.symbol = \"toyFresh\", .since = \"2.33.1\"");
    expect_contains(read("generated/top/include/cubind/top/types.hpp"), "Top 2.33.1");
}

TEST_F(OwnVersionsTest, UpdateNeedsNoReleaseOfCuda) {
    change_top("23301");
    expect_contains(expect_updated("update top --include project/top"), "top: Top 2.33.1 is new\n");
}

TEST_F(OwnVersionsTest, DiffRequiresTheLibrary) {
    change_top("23301");
    expect_updated("update top --include project/top");
    const Outcome diff = run("diff 2.32.3 2.33.1 --library top");
    EXPECT_EQ(diff.status, 0) << diff.error;
    expect_contains(diff.out, "Top 2.32.3 to 2.33.1\n");
    expect_rejected("diff 2.32.3 2.33.1", "--library");
    expect_rejected("diff 2.32.3 2.33.1", "top");
    expect_rejected("diff 13.4 13.5 --library top", "Top 13.4 and Top 13.5");
    expect_rejected("diff 13.4 13.5 --library top", "2.32.3, 2.33.1");
    expect_rejected("diff 13.4 13.5 --library none", "\"none\"");
}

TEST_F(OwnVersionsTest, ASpecOfTheOtherNumberingIsRejected) {
    replace(top_library, version, "\"release\": {\"header\": \"top.h\", \"macro\": \"TOP_VERSION\"}");
    expect_rejected("emit", "project/api-specs/top/api.json: releases names 2.32.3");
    replace("api-specs/toy/library.json", release, std::string(release) + ", " + version);
    expect_rejected("model toy", "project/api-specs/toy/api.json: versions has no entry for 13.4");
}

TEST_F(OwnVersionsTest, AWrongDescriptionIsRejected) {
    const auto expect_wrong = [&](const std::string& text, const std::string& part) {
        const std::string before = read(top_library);
        replace(top_library, version, text);
        expect_rejected("emit", "project/api-specs/top/library.json: " + part);
        write(top_library, before);
    };
    const auto with = [](const std::string& macros) {
        return "\"version\": {\"product\": \"Top\", \"header\": \"top.h\", \"macros\": " + macros + "}";
    };
    expect_wrong("\"queries\": {}", "the keys \"release\" and \"version\" are missing");
    expect_wrong(with("[]"), "\"version/macros\" is empty");
    expect_wrong(with("[\"A\"]"), "version/macros: there are 1");
    expect_wrong(with("[\"A\", \"B\", \"C\", \"D\"]"), "version/macros: there are 4");
    expect_wrong(with("[\"A B\", \"C\"]"), "version/macros: \"A B\" is no identifier");
    expect_wrong(with("[\"A\", \"B\"], \"weights\": [100, 1]"), "version/macros: with weights");
    expect_wrong(with("[\"A\"], \"weights\": [100]"), "version/weights: the weights are [100]");
    expect_wrong(with("[\"A\"], \"weights\": [100, 100, 1]"), "version/weights: the weights are [100, 100, 1]");
    expect_wrong(with("[\"A\"], \"weights\": [100, 0]"), "version/weights: the weights are [100, 0]");
    expect_wrong("\"version\": {\"product\": \"T\\\"op\", \"header\": \"top.h\", \"macros\": [\"A\", \"B\"]}",
                 "version/product: ");
    expect_wrong(std::string(version) + ", \"versions_headers\": [\"topTypedefs.h\"]",
                 "\"versions_headers\" has \"topTypedefs.h\"");
}

/// The version function of toy.
class VersionFunctionTest : public UpdateTest {
protected:
    /// Declares the function and names it and these keys in library.json.
    void declare(const std::string& declaration, const std::string& keys = "") const {
        replace(header, "toyStatus toyClose(toyBox box);\n", "toyStatus toyClose(toyBox box);\n" + declaration + "\n");
        replace("api-specs/toy/library.json", "[\"libtoy.so.1\"]",
                "[\"libtoy.so.1\"], \"version_function\": \"toyVersion\"" + keys);
        replace("api-specs/toy/overrides.json", "\"functions\": {",
                "\"parameters\": {\"version\": \"out value\"},\n  \"functions\": {");
        extract();
    }
    void expect_call(const std::string& text) const {
        const Outcome emitted = run("emit");
        EXPECT_EQ(emitted.status, 0) << emitted.error;
        expect_contains(read("generated/toy/src/entry_points.cpp"), text);
    }
};

TEST_F(VersionFunctionTest, WritesOneNumber) {
    declare("toyStatus toyVersion(int *version);", ", \"version_weights\": [10000, 100, 1]");
    expect_call(".version_weights = { 10000, 100, 1 }");
}

TEST_F(VersionFunctionTest, WritesThreeNumbers) {
    declare("toyStatus toyVersion(int *version, int *a, int *b);");
    replace("api-specs/toy/overrides.json", "\"parameters\": {", "\"parameters\": {\"a\": \"out value\", \"b\": \"out value\", ");
    expect_call(".version_form = VersionForm::three_numbers");
}

TEST_F(VersionFunctionTest, ReturnsTheNumber) {
    declare("size_t toyVersion(void);");
    replace("api-specs/toy/overrides.json", "\"parameters\": {\"version\": \"out value\"},", "");
    expect_call(".version_form = VersionForm::returned");
}

TEST_F(VersionFunctionTest, RejectsParametersThatTheLoaderCannotPass) {
    declare("toyStatus toyVersion(toyBox box, int *version);");
    expect_rejected("emit", "loading/version_function: the loader cannot call toyStatus toyVersion(toyBox box, int* version)");
}

TEST_F(VersionFunctionTest, RejectsANumberOfAnotherSize) {
    declare("toyStatus toyVersion(long *version);");
    expect_rejected("emit", "the loader cannot call toyStatus toyVersion(long* version)");
}

TEST_F(VersionFunctionTest, RejectsAResultThatIsNoStatus) {
    declare("void toyVersion(int *version);");
    expect_rejected("emit", "the loader cannot call void toyVersion(int* version)");
}

TEST_F(VersionFunctionTest, RequiresTheEnumeratorsThatSelectAPart) {
    declare("toyStatus toyVersion(toyStatus part, int *version);");
    expect_rejected("emit", "loading/version_properties has 0 names");
    replace("api-specs/toy/library.json", "\"version_function\"",
            "\"version_properties\": [\"TOY_OK\", \"TOY_MINOR\"], \"version_function\"");
    expect_rejected("emit", "loading/version_properties: toyStatus has no enumerator TOY_MINOR");
    replace("api-specs/toy/library.json", "\"TOY_MINOR\"", "\"TOY_NO_LIBRARY\"");
    expect_call(".version_properties = { 0, 1, 0 }");
}

TEST_F(VersionFunctionTest, RejectsKeysThatDoNotApply) {
    declare("toyStatus toyVersion(int *version);", ", \"version_properties\": [\"TOY_OK\", \"TOY_NO_LIBRARY\"]");
    expect_rejected("emit", "loading/version_properties: toyVersion receives no enumerator");
    replace("api-specs/toy/library.json", "\"version_function\": \"toyVersion\", ", "");
    expect_rejected("emit", "there is no \"loading/version_function\"");
}

}  // namespace
}  // namespace cubind::testing
