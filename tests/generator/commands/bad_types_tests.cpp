// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

/// Types that the specs do not support, or that library.json and overrides.json contradict.
class BadTypesTest : public GeneratorTest {
protected:
    static constexpr const char* header = "include/toy.h";

    /// Adds a declaration, and the standard headers that it may need, to the start of the header.
    void declare(const std::string& text) const {
        replace(header, "#define TOY_H\n", "#define TOY_H\n#include <stdio.h>\n#include <stdlib.h>\n" + text + "\n");
    }
};

TEST_F(BadTypesTest, RejectsAnOpaqueRecordByValue) {
    declare("typedef struct toySecret toySecret;\nvoid toyTake(toySecret secret);");
    expect_rejected("extract toy --include project/include", "the headers use toySecret by value");
}

TEST_F(BadTypesTest, RejectsASystemTypeWithAPrivateLayoutByValue) {
    declare("typedef struct toyLog { FILE file; } toyLog;");
    expect_rejected("extract toy --include project/include", "the headers use FILE by value");
}

TEST_F(BadTypesTest, RejectsAReturnedOpaqueRecord) {
    declare("typedef struct toySecret toySecret;");
    replace(header, "toyStatus toyRead(", "toyStatus toyPeek(toySecret *secret);\ntoyStatus toyRead(");
    replace(overrides, "\"toyRead\"", "\"toyPeek\": {\"secret\": \"out value\"}, \"toyRead\"");
    extract();
    expect_specs_rejected("secret of toyPeek is \"out value\" (toyPeek), but generated code does not define toySecret");
}

TEST_F(BadTypesTest, RejectsAClassThatCCannotPass) {
    declare("class toyText_t { char *text; public: ~toyText_t(); };\nvoid toyTake(toyText_t text);");
    expect_rejected("extract toy --include project/include", "the headers use the class toyText_t by value");
}

TEST_F(BadTypesTest, RejectsABitFieldWithoutAWidth) {
    declare("typedef struct toyFlags { int a : 3; int : 0; int b : 2; } toyFlags;");
    expect_rejected("extract toy --include project/include", "toyFlags has a bit-field without a width");
}

TEST_F(BadTypesTest, RejectsTypesWithoutAName) {
    const std::string good = read(header);
    for (const char* declaration : {"typedef struct toyTagged { enum { TOY_A } kind; } toyTagged;",
                                    "typedef enum { TOY_A } *toyEnumPointer;", "typedef struct { int a; } *toyStructPointer;",
                                    "typedef union { int a; } toyUnions[3];", "extern const struct { int a; } TOY_VARIABLE;"}) {
        declare(declaration);
        expect_rejected("extract toy --include project/include", "an enum, struct or union without a name");
        expect_rejected("extract toy --include project/include", "cubind-gen: toy.h: ");
        write(header, good);
    }
}

TEST_F(BadTypesTest, RejectsOneValueForAnArray) {
    declare("typedef int toyPair[2];");
    replace(header, "toyStatus toyRead(", "toyStatus toyCount(int sizes[3], toyPair *pair);\ntoyStatus toyRead(");
    extract();
    expect_contains(run("update --include project/include").out,
                    R"j("toyCount": {"sizes": "out array(3) | inout array(3)", "pair": "out array(1))j");
    const std::string open = read(overrides);
    replace(overrides, "\"toyRead\"", R"j("toyCount": {"sizes": "out value", "pair": "out array(1)"}, "toyRead")j");
    expect_specs_rejected("sizes is an array of 3 (in toyCount); correct the annotation, such as \"out array(3)\"");
    write(overrides, open);
    replace(overrides, "\"toyRead\"", R"j("toyCount": {"sizes": "out array(3)", "pair": "out value"}, "toyRead")j");
    expect_specs_rejected("pair points to an array");
}

TEST_F(BadTypesTest, RejectsAVariadicFunctionUnlessItIsLeftOut) {
    replace(header, "toyStatus toyRead(", "int toyPrint(const char *format, ...);\ntoyStatus toyRead(");
    extract();
    expect_specs_rejected("functions/toyPrint: toy.h declares it as variadic");
    replace(overrides, "{\n", "{\n  \"not_exported\": [\"toyPrint\"],\n");
    emit();
    for (const auto& [file, text] : files()) {
        if (file.starts_with("project/generated/")) {
            EXPECT_EQ(text.find("toyPrint"), std::string::npos) << "in " << file;
        }
    }
}

TEST_F(BadTypesTest, RejectsATypeHeaderThatNoHeaderIncludes) {
    write("include/other.h", "#define TOY_OTHER 1\n");
    replace(library, "\"headers\": [\"toy.h\"],", "\"headers\": [\"toy.h\"], \"type_headers\": [\"other.h\"],");
    expect_rejected("extract toy --include project/include", "other.h: library.json of toy names this header in type_headers");
}

TEST_F(BadTypesTest, RejectsTooManyReturnedValues) {
    std::string parameters, annotations;
    for (int index = 0; index < 33; ++index) {
        const std::string name = "v" + std::to_string(index);
        parameters += (index > 0 ? ", int *" : "int *") + name;
        annotations += (index > 0 ? ", \"" : "\"") + name + "\": \"out value\"";
    }
    replace(header, "toyStatus toyRead(", "toyStatus toyGet(" + parameters + ");\ntoyStatus toyRead(");
    replace(overrides, "\"toyRead\"", "\"toyGet\": {" + annotations + "}, \"toyRead\"");
    extract();
    expect_specs_rejected("functions/toyGet: the annotations make 33 parameters returned values");
}

class BadStatusTest : public GeneratorTest {
protected:
    /// Expects that the commands reject library.json with this text before the key `library_missing`.
    void expect_status_rejected(const std::string& text, const std::string& part) const {
        const std::string good = read(library);
        replace(library, "\"library_missing\"", text + ", \"library_missing\"");
        expect_specs_rejected("project/api-specs/toy/library.json: status/" + part);
        write(library, good);
    }
    /// Adds functions and types to the header and extracts it.
    void declare(const std::string& text) const {
        replace("include/toy.h", "toyStatus toyRead(", text + "\ntoyStatus toyRead(");
        extract();
    }
};

TEST_F(BadStatusTest, RejectsAnIntegerThatMayMeanSuccess) {
    declare("int toyCount(void);");
    expect_specs_rejected("status/missing_values does not name toyCount, which returns int");
}

TEST_F(BadStatusTest, RejectsValuesWithoutMeaning) {
    declare("int toyCount(void);");
    expect_status_rejected(R"("missing_values": {"int": "TOY_UNKNOWN"})", "missing_values/int is \"TOY_UNKNOWN\"");
    expect_status_rejected(R"("missing_values": {"int": "-1", "toyGhost": "-1"})", "missing_values/toyGhost: no function");
}

TEST_F(BadStatusTest, RejectsIntegerFunctionsThatDoNotReturnTheStatus) {
    expect_status_rejected(R"("integer_functions": ["toyGhost"])", "integer_functions names toyGhost, which is no function");
    expect_status_rejected(R"("integer_functions": ["toyText"])", "integer_functions names toyText, which does not return");
}

TEST_F(BadStatusTest, RejectsAFieldOfAnEnum) {
    expect_status_rejected(R"("field": "err")", "field is err, but toyStatus is no struct");
}

TEST_F(BadStatusTest, RejectsAStructWithoutItsFirstField) {
    declare("typedef struct toyError { int code; toyStatus err; } toyError;\ntoyError toyFail(void);");
    replace(library, "\"type\": \"toyStatus\"", "\"type\": \"toyError\"");
    expect_specs_rejected("status/type is toyError, which is a struct");
    expect_status_rejected(R"("field": "ghost")", "field is ghost, but toyError has no such field");
    expect_status_rejected(R"("field": "err")", "field is err, which is not an enum at the start");
}

TEST_F(BadStatusTest, RejectsAMissingLibraryThatMeansSuccess) {
    replace(library, "\"library_missing\": \"TOY_NO_LIBRARY\"", "\"library_missing\": \"TOY_OK\"");
    expect_specs_rejected("status/library_missing is TOY_OK, which is 0 and means success");
}

}  // namespace
}  // namespace cubind::testing
