// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

class ExtractTest : public GeneratorTest {
protected:
    void expect_extract_rejected(const std::string& part) const {
        expect_rejected("extract toy --include project/include", part);
    }
    static constexpr const char* header = "include/toy.h";
};

TEST_F(ExtractTest, PrintsTheNumberOfEntries) {
    const Outcome found = run("extract toy --include project/include");
    EXPECT_EQ(found.status, 0);
    EXPECT_EQ(found.error, "");
    expect_contains(found.out, "toy: CUDA 13.4, 6 functions, 5 types, 1 constants");
}

TEST_F(ExtractTest, WritesTheSameBytesEachTime) {
    const std::string first = read(facts);
    extract();
    EXPECT_EQ(read(facts), first);
    std::filesystem::remove(below(facts));
    extract();
    EXPECT_EQ(read(facts), first);
}

TEST_F(ExtractTest, LeavesAnUnreadableApiJsonUnchanged) {
    write(facts, "something else\n");
    expect_extract_rejected("project/api-specs/toy/api.json:1:1: the text is not valid JSON");
}

TEST_F(ExtractTest, WritesNoPathAndNoSentenceOfTheHeader) {
    EXPECT_EQ(read(facts).find(below("").string()), std::string::npos);
    EXPECT_EQ(read(facts).find("Receives the new box"), std::string::npos);
}

TEST_F(ExtractTest, ReportsAMissingHeader) {
    std::filesystem::rename(below(header), below("include/other.h"));
    expect_extract_rejected("toy.h: not found in project/include");
    expect_extract_rejected("--include");
}

TEST_F(ExtractTest, ReportsAMissingIncludeFolder) {
    expect_rejected("extract toy --include project/include project/none", "project/none is not a folder");
    expect_rejected("extract toy --include project/include/toy.h", "project/include/toy.h is not a folder");
}

TEST_F(ExtractTest, PrintsTheErrorsOfClang) {
    replace(header, "toyStatus toyClose(toyBox box);", "toyStatus toyClose(toyBocks box);");
    const std::string line = "project/include/toy.h:36:20: error: unknown type name 'toyBocks'";
    expect_extract_rejected(line);
    expect_extract_rejected("the headers of toy do not parse");
}

TEST_F(ExtractTest, PrintsTheErrorOfClangForAMissingInnerHeader) {
    replace(header, "#include <stddef.h>", "#include <stddef.h>\n#include \"toy_missing.h\"");
    expect_extract_rejected("project/include/toy.h:9:10: fatal error: 'toy_missing.h' file not found");
    expect_extract_rejected("--include");
}

TEST_F(ExtractTest, LimitsTheNumberOfPrintedErrors) {
    std::string lines;
    for (int each = 0; each < 14; ++each) lines += "toyNothing toyBroken" + std::to_string(each) + "(void);\n";
    replace(header, "toyStatus toyClose(toyBox box);", lines);
    expect_extract_rejected("unknown type name 'toyNothing'");
    expect_extract_rejected("and 4 more");
}

TEST_F(ExtractTest, RequiresTheReleaseMacro) {
    replace(header, "#define TOY_VERSION 13040", "#define TOY_VERSION 7");
    expect_extract_rejected("project/include/toy.h: the header does not define TOY_VERSION");
    replace(header, "#define TOY_VERSION 7", "");
    expect_extract_rejected("project/include/toy.h: the header does not define TOY_VERSION");
}

TEST_F(ExtractTest, ReadsTheReleaseMacroWithAnyBlanks) {
    replace(header, "#define TOY_VERSION 13040", "#  define\tTOY_VERSION  \t12080");
    expect_contains(run("extract toy --include project/include").out, "CUDA 12.8");
}

TEST_F(ExtractTest, RejectsATwinWithAnotherSignature) {
    replace(library, "\"headers\"", "\"twin_prefix\": \"p\", \"headers\"");
    expect_extract_rejected("library.json of toy: twin_prefix is \"p\", but the headers have no function");
    replace(header, "toyStatus toyClose(toyBox box);", "toyStatus toyClose(toyBox box);\ntoyStatus ptoyClose(int box);");
    expect_extract_rejected("toy.h: ptoyClose is a twin of toyClose");
    replace(header, "ptoyClose(int box);", "ptoyClose(toyBox twin);");
    expect_contains(run("extract toy --include project/include").out, "toy: CUDA 13.4, 6 functions");
}

TEST_F(ExtractTest, RequiresAHeaderSinceItsFirstRelease) {
    replace(library, "[\"toy.h\"]", "[\"toy.h\", \"toy_later.h\"], \"headers_since\": {\"toy_later.h\": \"13.5\"}");
    expect_contains(run("extract toy --include project/include").out, "toy: CUDA 13.4, 6 functions");
    replace(header, "#define TOY_VERSION 13040", "#define TOY_VERSION 13050");
    expect_extract_rejected("toy_later.h: not found in project/include");
    write("include/toy_later.h", "toyStatus toyLater(toyBox box);\n");
    expect_contains(run("extract toy --include project/include").out, "toy: CUDA 13.5, 7 functions");
}

TEST_F(ExtractTest, RejectsAFirstReleaseOfAnotherHeader) {
    replace(library, "[\"toy.h\"]", "[\"toy.h\"], \"headers_since\": {\"toy_later.h\": \"13.5\"}");
    expect_extract_rejected("\"headers_since\" has toy_later.h, which is in neither headers nor type_headers");
    replace(library, "\"toy_later.h\": \"13.5\"", "\"toy.h\": \"soon\"");
    expect_extract_rejected("headers_since/toy.h");
}

TEST_F(ExtractTest, RequiresSideHeaders) {
    replace(library, "[\"toy.h\"]", "[\"toy.h\"], \"side_headers\": {\"toy_side.h\": {\"guard\": \"TOY_SIDE_H\"}}");
    expect_extract_rejected("toy_side.h: not found in project/include");
    write("include/toy_side.h", "#include <toy.h>\ntoyStatus toySide(toyBox box);\n");
    expect_contains(run("extract toy --include project/include").out, "toy: CUDA 13.4, 7 functions");
}

TEST_F(ExtractTest, ReplacesHeadersOfOtherSoftware) {
    replace(
        library, "[\"toy.h\"]",
        "[\"toy.h\"], \"side_headers\": {\"toy_side.h\": {\"guard\": \"TOY_SIDE_H\", \"foreign\": {\"other/box.h\": [\"typedef "
        "short OtherBox;\"]}}}");
    write("include/toy_side.h", "#include <toy.h>\n#include <other/box.h>\ntoyStatus toySide(OtherBox box);\n");
    expect_contains(run("extract toy --include project/include").out, "toy: CUDA 13.4, 7 functions");
    replace("include/toy_side.h", "OtherBox box", "OtherLid lid");
    expect_extract_rejected("toy_side.h:3:19: error: unknown type name 'OtherLid'");
}

TEST_F(ExtractTest, RejectsWrongSideHeaders) {
    replace(library, "[\"toy.h\"]", "[\"toy.h\"], \"side_headers\": {\"toy.h\": {\"guard\": \"TOY_H\"}}");
    expect_extract_rejected("\"side_headers\" has toy.h, which is in headers, too");
    replace(library, "{\"toy.h\": {\"guard\": \"TOY_H\"}}", "{\"toy_side.h\": {\"guard\": \"TOY SIDE\"}}");
    expect_extract_rejected("side_headers/toy_side.h/guard: \"TOY SIDE\" is not allowed");
    replace(
        library, "{\"toy_side.h\": {\"guard\": \"TOY SIDE\"}}",
        "{\"toy_lid.h\": {\"guard\": \"LID\", \"foreign\": {\"box.h\": []}}, \"toy_side.h\": {\"guard\": \"SIDE\", \"foreign\": "
        "{\"box.h\": []}}}");
    expect_extract_rejected("\"side_headers\" has toy_side.h, whose header box.h is under toy_lid.h, too");
}

TEST_F(ExtractTest, RejectsFunctionTypes) {
    replace(header, "typedef struct toySize_st {", "typedef int toyBare(int);\ntypedef struct toySize_st {");
    expect_extract_rejected("toy.h:21: toyBare names a function type");
}

TEST_F(ExtractTest, RejectsALayoutThatAnAttributeChanged) {
    const std::string good = read(header);
    replace(header, "    int height;", "    int height __attribute__((aligned(16)));");
    expect_extract_rejected("toy.h:23: toySize_st::height");
    write(header, good);
    replace(header, "typedef struct toySize_st {", "typedef struct __attribute__((packed)) toySize_st {\n    char depth;");
    expect_extract_rejected("toy.h:21: toySize_st");
}

TEST_F(ExtractTest, RequiresTheHeadersOfLibraryJson) {
    replace(library, "\"headers\": [\"toy.h\"],", "\"headers\": [\"toy.h\"], \"type_headers\": [\"toy_types.h\"],");
    expect_extract_rejected("toy_types.h: not found in project/include");
}

TEST_F(ExtractTest, WritesNothingIfOneLibraryFails) {
    std::filesystem::copy(below("api-specs/toy"), below("api-specs/top"));
    replace("api-specs/top/library.json", "\"library\": \"toy\"", "\"library\": \"top\"");
    replace("api-specs/top/library.json", "[\"toy.h\"]", "[\"top.h\"]");
    for (const char* file : {facts, "api-specs/top/api.json"}) std::filesystem::remove(below(file));
    expect_rejected("extract toy top --include project/include", "top.h: not found");
}

TEST_F(ExtractTest, ReportsAFolderInPlaceOfApiJson) {
    std::filesystem::remove(below(facts));
    std::filesystem::create_directories(below(std::string(facts) + "/in the way"));
    expect_extract_rejected("project/api-specs/toy/api.json: the file cannot be read");
}

}  // namespace
}  // namespace cubind::testing
