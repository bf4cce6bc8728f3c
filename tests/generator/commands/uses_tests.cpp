// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/update_test.hpp"
#include "support/compiles.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;

/// A project with a second library, top, whose functions mention types of toy: a status, a record, a handle and a callback.
class UsesTest : public UpdateTest {
protected:
    UsesTest() {
        write(top_library, R"({
  "library": "top",
  "title": "top library",
  "headers": ["top.h"],
  "release": {"header": "toy.h", "macro": "TOY_VERSION"},
  "uses": ["toy"],
  "status": {
    "type": "toyStatus",
    "library_missing": "TOY_NO_LIBRARY",
    "symbol_missing": "TOY_NO_FUNCTION",
    "invalid_argument": "TOY_NO_FUNCTION"
  },
  "loading": {"file_names": ["libtop.so.1"]},
  "documentation": "https://toy.example",
  "groups": {"TOP": "top_functions"},
  "default_group": "TOP"
})");
        write("api-specs/top/overrides.json", R"({"functions": {"topOpen": {"spin": "out value", "state": "in opaque"}}})");
        write("include/top.h", R"(#pragma once
#include "toy.h"
typedef struct { toySize size; toyStatus last; } topSpin;
typedef toySize topSize;
toyStatus topOpen(topSpin *spin, toyBox box, toySize size, toyListener listener, void *state);
toyStatus topTurn(topSize size, toyBox box);
)");
    }
    void add_top() const {
        extract();
        const Outcome extracted = run("extract top --include project/include");
        EXPECT_EQ(extracted.status, 0) << extracted.error;
        emit();
        EXPECT_EQ(run("pages").status, 0);
    }
    std::vector<fs::path> includes() const {
        return {below("generated/toy/include"), below("generated/top/include"), below("generated/top/src"),
                fs::path(CUBIND_REPOSITORY) / "runtime/loader/include"};
    }

    static constexpr const char* top_library = "api-specs/top/library.json";
    static constexpr const char* top_facts = "api-specs/top/api.json";
    static constexpr const char* facts = "api-specs/toy/api.json";
};

TEST_F(UsesTest, TypesAreThoseOfTheUsedLibrary) {
    add_top();
    for (const char* name :
         {"\"name\": \"toySize\"", "\"name\": \"toyBox\"", "\"name\": \"toyListener\"", "\"name\": \"toyStatus\""}) {
        expect_not_contains(read(top_facts), name);
    }
    const std::string types = read("generated/top/include/cubind/top/types.hpp");
    for (const char* text : {"#include <cubind/toy/types.hpp>\n", "using toy::toyBox;\n", "using toy::toySize;\n",
                             "using toy::toyListener;\n", "using enum toy::toyStatus;\n"}) {
        expect_contains(types, text);
    }
    expect_contains(read("generated/top/sources.cmake"), "set(CUBIND_LIBRARY_USES toy)\n");
    expect_not_contains(read("generated/toy/sources.cmake"), "CUBIND_LIBRARY_USES");
}

TEST_F(UsesTest, GeneratedCodeCompiles) {
    add_top();
    for (const char* file : {"entry_points", "loading", "reflection", "strings", "top_functions"}) {
        EXPECT_EQ(compile_errors(read(std::string("generated/top/src/") + file + ".cpp"), includes()), "") << file;
    }
    const std::string program =
        "#include <cubind/top.hpp>\n#include <cubind/toy.hpp>\n"
        "static_assert(__is_same(cubind::top::toySize, cubind::toy::toySize));\n"
        "static_assert(__is_same(cubind::top::toyStatus, cubind::toy::toyStatus));\n"
        "static_assert(cubind::top::TOY_NO_LIBRARY == cubind::toy::TOY_NO_LIBRARY);\n"
        "const char* name(cubind::toy::toyBox box) { return to_string(cubind::top::topTurn({}, box).status); }\n";
    EXPECT_EQ(compile_errors(program, includes()), "");
    for (const char* order : {"#include <top.h>\n#include <cubind/top/vendor_layout.hpp>\n",
                              "#include <cubind/top/vendor_layout.hpp>\n#include <top.h>\n"}) {
        EXPECT_EQ(compile_errors(order + std::string("::toySize size = to_vendor(cubind::top::toySize{});\n"
                                                     "::topSpin spin = to_vendor(cubind::top::topSpin{});\n"),
                                 includes(), {below("include")}),
                  "");
    }
}

TEST_F(UsesTest, AppliesAnnotationsOfEnumsToTheLibrariesThatUseThem) {
    add_top();
    expect_not_contains(read("generated/top/src/reflection.cpp"), ".is_bit_set = true");
    expect_not_contains(read("generated/top/src/reflection.cpp"), ".is_open = true");
    replace(overrides, "{", R"({"bit_sets": ["toyStatus"], "open_enums": ["toyStatus"], )");
    emit();
    expect_contains(read("generated/top/src/reflection.cpp"), ".is_bit_set = true");
    expect_contains(read("generated/top/src/reflection.cpp"), ".is_open = true");
}

TEST_F(UsesTest, OneUpdateReadsTheUsedLibraryFirst) {
    add_top();
    change_header("13050", "");
    replace(header, "    int height;\n", "    int height;\n    int depth;\n");
    const std::string output = expect_updated();
    expect_contains(output, "toy: CUDA 13.5 is new\ntop: CUDA 13.5 is new\n");
    expect_contains(read("generated/toy/include/cubind/toy/types.hpp"), "int depth");
    expect_contains(read("generated/top/include/cubind/top/types.hpp"), "/// 16 bytes, 12 before 13.5;");
}

TEST_F(UsesTest, OneExtractReadsTheUsedLibraryFirst) {
    add_top();
    const std::string text = read(top_facts);
    fs::remove(below(top_facts));
    fs::remove(below(facts));
    const Outcome extracted = run("extract top toy --include project/include");  // "top" is before "toy" in the alphabet
    EXPECT_EQ(extracted.status, 0) << extracted.error;
    EXPECT_EQ(read(top_facts), text);
}

TEST_F(UsesTest, RejectsALayoutThatOnlyTheUsedLibraryHas) {
    add_top();
    change_header("13050", "");
    replace(header, "    int height;\n", "    int height;\n    int depth;\n");
    EXPECT_EQ(run("extract toy --include project/include").status, 0);
    expect_rejected("emit", "project/api-specs/top/api.json: ");
    expect_rejected("emit", "holds toySize of toy, whose layout changed in CUDA 13.5, but the newest release here is 13.4");
    expect_rejected("emit", "update top");
}

TEST_F(UsesTest, RejectsATypeThatTheHeadersDeclareOtherwise) {
    add_top();
    replace(facts, "{\"name\": \"TOY_NO_LIBRARY\", \"value\": 1}", "{\"name\": \"TOY_NO_LIBRARY\", \"value\": 7}");
    const std::string message =
        "top uses toy, but the headers declare toyStatus otherwise: TOY_NO_LIBRARY = 1 in 13.4 of top, "
        "TOY_NO_LIBRARY = 7 in 13.4 of toy";
    expect_rejected("extract top --include project/include", message);
}

TEST_F(UsesTest, RejectsATypeOfTheUsedLibraryInTheFacts) {
    replace(top_library, "  \"uses\": [\"toy\"],\n", "");
    EXPECT_EQ(run("extract top --include project/include").status, 0);
    replace(top_library, "  \"release\"", "  \"uses\": [\"toy\"],\n  \"release\"");
    expect_rejected("emit", "is a type of toy, which the library uses; run cubind-gen extract top");
    add_top();
}

TEST_F(UsesTest, RejectsWrongNames) {
    add_top();
    const auto expect_wrong = [&](const std::string& uses, const std::string& part) {
        const std::string before = read(top_library);
        replace(top_library, "[\"toy\"]", uses);
        expect_rejected("emit", part);
        write(top_library, before);
    };
    expect_wrong("[\"toys\"]",
                 "project/api-specs/top/library.json: uses names toys, which is no library. The libraries are top, toy");
    expect_wrong("[\"toy\", \"toy\"]", "\"uses\" names toy twice");
    expect_wrong("[\"top\"]", "uses: top uses top");
    replace("api-specs/toy/library.json", "\"headers\"", "\"uses\": [\"top\"],\n  \"headers\"");
    expect_rejected("emit", " uses ");
    expect_rejected("emit", "libraries must not use each other");
}

TEST_F(UsesTest, RejectsALibraryThatSuppliesNoType) {
    add_top();
    replace("api-specs/toy/library.json", "\"headers\"", "\"uses\": [\"far\"],\n  \"headers\"");
    fs::copy(below("api-specs/top"), below("api-specs/far"));
    replace("api-specs/far/library.json", "\"library\": \"top\"", "\"library\": \"far\"");
    replace("api-specs/far/library.json", "  \"uses\": [\"toy\"],\n", "");
    replace("api-specs/far/api.json", "\"library\": \"top\"", "\"library\": \"far\"");
    expect_rejected("emit toy", "project/api-specs/toy/library.json: uses names far, but the library mentions no type of it");
}

TEST_F(UsesTest, RejectsDescriptionsOfAnotherLibrarysStatus) {
    add_top();
    write("api-specs/top/overrides.json",
          R"({"descriptions": {"TOY_OK": "Text."}, "functions": {"topOpen": {"spin": "out value", "state": "in opaque"}}})");
    expect_rejected("emit", "project/api-specs/top/overrides.json: descriptions: toyStatus is a type of toy");
}

}  // namespace
}  // namespace cubind::testing
