// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

class Extract : public GeneratorTest {
protected:
    void expect_extract_refused(const std::string& part) const { expect_refused("extract toy --include project/include", part); }
    static constexpr const char* header = "include/toy.h";
};

TEST_F(Extract, says_what_it_found) {
    const Outcome found = run("extract toy --include project/include");
    EXPECT_EQ(found.status, 0);
    EXPECT_EQ(found.error, "");
    expect_contains(found.out, "toy: CUDA 13.4, 6 functions, 5 types, 1 constants");
}

TEST_F(Extract, gives_the_same_bytes_each_time) {
    const std::string first = read(facts);
    extract();
    EXPECT_EQ(read(facts), first);
    std::filesystem::remove(below(facts));
    extract();
    EXPECT_EQ(read(facts), first);
}

TEST_F(Extract, keeps_an_api_json_that_it_cannot_read) {
    write(facts, "something else\n");
    expect_extract_refused("project/api-specs/toy/api.json:1:1: is not valid JSON");
}

TEST_F(Extract, writes_no_path_and_no_sentence_of_the_header) {
    EXPECT_EQ(read(facts).find(below("").string()), std::string::npos);
    EXPECT_EQ(read(facts).find("Where the new box goes"), std::string::npos);
}

TEST_F(Extract, names_a_missing_header) {
    std::filesystem::rename(below(header), below("include/other.h"));
    expect_extract_refused("toy.h: not found in project/include");
    expect_extract_refused("--include");
}

TEST_F(Extract, names_a_missing_include_folder) {
    expect_refused("extract toy --include project/include project/none", "project/none: is not a folder");
    expect_refused("extract toy --include project/include/toy.h", "project/include/toy.h: is not a folder");
}

TEST_F(Extract, hands_on_what_clang_says_of_a_header) {
    replace(header, "toyStatus toyClose(toyBox box);", "toyStatus toyClose(toyBocks box);");
    const std::string line = "project/include/toy.h:36:20: error: unknown type name 'toyBocks'";
    expect_extract_refused(line);
    expect_extract_refused("the headers of toy do not parse");
}

TEST_F(Extract, hands_on_what_clang_says_of_a_missing_inner_header) {
    replace(header, "#include <stddef.h>", "#include <stddef.h>\n#include \"toy_missing.h\"");
    expect_extract_refused("project/include/toy.h:9:10: fatal error: 'toy_missing.h' file not found");
    expect_extract_refused("Give --include every folder");
}

TEST_F(Extract, does_not_list_errors_without_end) {
    std::string lines;
    for (int each = 0; each < 14; ++each) lines += "toyNothing toyBroken" + std::to_string(each) + "(void);\n";
    replace(header, "toyStatus toyClose(toyBox box);", lines);
    expect_extract_refused("unknown type name 'toyNothing'");
    expect_extract_refused("and 4 more");
}

TEST_F(Extract, needs_the_release) {
    replace(header, "#define TOY_VERSION 13040", "#define TOY_VERSION 7");
    expect_extract_refused("project/include/toy.h: defines no usable TOY_VERSION");
    replace(header, "#define TOY_VERSION 7", "");
    expect_extract_refused("project/include/toy.h: defines no usable TOY_VERSION");
}

TEST_F(Extract, reads_the_release_however_it_is_aligned) {
    replace(header, "#define TOY_VERSION 13040", "#  define\tTOY_VERSION  \t12080");
    expect_contains(run("extract toy --include project/include").out, "CUDA 12.8");
}

TEST_F(Extract, refuses_what_the_spec_has_no_form_for) {
    replace(header, "    int height;", "    int height : 4;");
    expect_extract_refused("toy.h:23: toySize_st::height is a bit-field");
    replace(header, "    int height : 4;", "    int height;");
    replace(header, "typedef struct toySize_st {", "typedef int toyBare(int);\ntypedef struct toySize_st {");
    expect_extract_refused("toy.h:21: toyBare names a function type");
}

TEST_F(Extract, refuses_a_function_with_open_arguments) {
    replace(header, "toyStatus toyClose(toyBox box);", "toyStatus toyClose(toyBox box, ...);");
    expect_extract_refused("toy.h:36: toyClose");
}

TEST_F(Extract, refuses_a_layout_that_the_fields_alone_do_not_give) {
    const std::string good = read(header);
    replace(header, "    int height;", "    int height __attribute__((aligned(16)));");
    expect_extract_refused("toy.h:23: toySize_st::height");
    write(header, good);
    replace(header, "typedef struct toySize_st {", "typedef struct __attribute__((packed)) toySize_st {\n    char depth;");
    expect_extract_refused("toy.h:21: toySize_st");
}

TEST_F(Extract, needs_the_headers_that_library_json_names) {
    replace(library, "\"headers\": [\"toy.h\"],", "\"headers\": [\"toy.h\"], \"type_headers\": [\"toy_types.h\"],");
    expect_extract_refused("toy_types.h: not found in project/include");
}

TEST_F(Extract, writes_nothing_unless_every_library_was_read) {
    std::filesystem::copy(below("api-specs/toy"), below("api-specs/top"));
    replace("api-specs/top/library.json", "\"library\": \"toy\"", "\"library\": \"top\"");
    replace("api-specs/top/library.json", "[\"toy.h\"]", "[\"top.h\"]");
    std::filesystem::remove(below(facts));
    expect_refused("extract toy top --include project/include", "top.h: not found");
}

TEST_F(Extract, names_a_folder_that_stands_in_the_way) {
    std::filesystem::remove(below(facts));
    std::filesystem::create_directories(below(std::string(facts) + "/in the way"));
    expect_extract_refused("project/api-specs/toy/api.json: cannot be read");
}

}  // namespace
}  // namespace cubind::testing
