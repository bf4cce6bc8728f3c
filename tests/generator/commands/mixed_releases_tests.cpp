// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

/// Headers of several releases that are passed as those of one.
class MixedReleasesTest : public GeneratorTest {
protected:
    static constexpr const char* extract_command = "extract toy --include project/include";

    /// Adds a header with types, of which 13.5 has more than 13.4, and extracts both releases.
    void extract_two_releases() const {
        replace(library, "[\"toy.h\"],", "[\"toy.h\"], \"type_headers\": [\"toy_types.h\"],");
        replace("include/toy.h", "#include <stddef.h>", "#include <stddef.h>\n#include \"toy_types.h\"");
        write("include/toy_types.h", "typedef struct toyPoint { int x; } toyPoint;\n");
        extract();
        replace("include/toy.h", "13040", "13050");
        write("include/toy_types.h", "typedef struct toyPoint { int x; int y; } toyPoint;\n");
        extract();
    }
};

TEST_F(MixedReleasesTest, RejectsAHeaderOfAnotherKnownRelease) {
    extract_two_releases();
    replace("include/toy.h", "13050", "13040");
    expect_rejected(extract_command,
                    "project/include/toy_types.h has the declarations of CUDA 13.5, but project/include/toy.h "
                    "states CUDA 13.4");
}

TEST_F(MixedReleasesTest, AcceptsChangedDeclarationsOfNoOtherRelease) {
    extract_two_releases();
    write("include/toy_types.h", "typedef struct toyPoint { int x; int y; int z; } toyPoint;\n");
    extract();
    expect_contains(read(facts), "\"z\"");
}

TEST_F(MixedReleasesTest, RejectsDifferentHeadersOfOneName) {
    write("other/toy.h", read("include/toy.h") + "\n");
    expect_rejected(std::string(extract_command) + " project/other",
                    "two different headers toy.h: project/include/toy.h and project/other/toy.h");
    write("other/toy.h", read("include/toy.h"));
    EXPECT_EQ(run(std::string(extract_command) + " project/other").status, 0);
}

TEST_F(MixedReleasesTest, RejectsTheReleaseOfAnotherLibrarysHeader) {
    write("api-specs/box/library.json", read(library));
    replace("api-specs/box/library.json", "\"library\": \"toy\"", "\"library\": \"box\"");
    replace("api-specs/box/library.json", "\"header\": \"toy.h\"", "\"header\": \"box.h\"");
    write("include/box.h", "#define TOY_VERSION 13050\n");
    expect_rejected(extract_command, "headers of CUDA 13.4 (project/include/toy.h) and CUDA 13.5 (project/include/box.h)");
}

TEST_F(MixedReleasesTest, RejectsALibraryVersionOfAnotherRelease) {
    replace(library, "\"release\"",
            R"("version": {"product": "toy", "header": "toy.h", "macros": ["TOY_MAJOR", "TOY_MINOR", "TOY_PATCH"]}, "release")");
    std::filesystem::remove(below(facts));
    replace("include/toy.h", "#define TOY_VERSION",
            "#define TOY_MAJOR 2\n#define TOY_MINOR 0\n#define TOY_PATCH 1\n#define TOY_VERSION");
    extract();
    replace("include/toy.h", "13040", "13050");
    replace("include/toy.h", "TOY_MAJOR 2", "TOY_MAJOR 1");
    expect_rejected(extract_command, "states toy 1.0.1, which does not fit 2.0.1 of CUDA 13.4");
}

}  // namespace
}  // namespace cubind::testing
