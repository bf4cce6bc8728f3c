// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "extract/header_release.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::extract::find_release;
using gen::extract::find_releases;
using gen::extract::find_version;
using gen::extract::release_of;

class HeaderReleaseTest : public ::testing::Test {
protected:
    std::string of(const std::string& text) const { return release_of(folder.write("toy.h", text), "TOY_VERSION"); }
    void expect_rejected(const std::string& text) const {
        const std::string message = input_error_of([&] { of(text); });
        EXPECT_TRUE(message.starts_with(folder.below("toy.h").string() + ": ")) << message;
        expect_contains(message, "TOY_VERSION");
        expect_contains(message, "1000 * major + 10 * minor");
    }
    static gen::spec::LibraryConfig config(const std::string& header, const std::string& macro) {
        gen::spec::LibraryConfig made;
        made.release = {header, macro};
        return made;
    }
    /// Writes a header of that release to a folder and returns the folder.
    std::filesystem::path include(const std::string& name, const std::string& header, const std::string& number) const {
        folder.write(name + "/" + header, "#define TOY_VERSION " + number + "\n");
        return folder.below(name);
    }

    const ScratchFolder folder;
};

TEST_F(HeaderReleaseTest, IsReadFromTheMacro) {
    EXPECT_EQ(of("#define TOY_VERSION 13040\n"), "13.4");
    EXPECT_EQ(of("#define TOY_VERSION 9020"), "9.2");
    EXPECT_EQ(of("/* toy */\n#define TOY_H\n\n  #\tdefine \t TOY_VERSION\t12100 /* twelve */\n"), "12.10");
}

TEST_F(HeaderReleaseTest, IgnoresOtherMentionsOfTheMacro) {
    EXPECT_EQ(of("// TOY_VERSION tells the release\n#if TOY_VERSION > 5000\n#endif\n#define TOY_VERSION 13000\n"), "13.0");
    EXPECT_EQ(of("#define TOY_VERSION_MAJOR 99\n#define TOY_VERSION 13000\n"), "13.0");
    EXPECT_EQ(of("#define MY_TOY_VERSION 12000\n#define TOY_VERSION 13000\n"), "13.0");
    EXPECT_EQ(of("//#define TOY_VERSION 12000\n#define TOY_VERSION 13000\n"), "13.0");
}

TEST_F(HeaderReleaseTest, IsRequiredInTheHeader) {
    expect_rejected("");
    expect_rejected("#define TOY_H\n");
    expect_rejected("#define TOY_VERSION\n");
    expect_rejected("#define TOY_VERSION 134\n");
    expect_rejected("#define TOY_VERSION 0999\n");
    expect_rejected("#define TOY_VERSION OTHER_VERSION\n");
    expect_rejected("#define TOY_VERSION 1000000\n");
    expect_rejected("#define TOY_VERSION 99999999999999999999\n");
    expect_rejected("#defineTOY_VERSION 13000\n");
    EXPECT_NE(input_error_of([&] { release_of(folder.below("none.h"), "TOY_VERSION"); }), "");
}

TEST_F(HeaderReleaseTest, IsFoundAfterAnyNumberOfBlanks) {
    const std::string blanks(1000000, ' ');
    EXPECT_EQ(of(blanks + "#define" + blanks + "TOY_VERSION" + blanks + "13040"), "13.4");
}

TEST_F(HeaderReleaseTest, MayBeTheSameInSeveralFolders) {
    const auto configs = {config("toy.h", "TOY_VERSION"), config("top.h", "TOY_VERSION")};
    EXPECT_EQ(
        find_release(configs, {include("a", "toy.h", "13040"), include("b", "toy.h", "13040"), include("c", "top.h", "13040")}),
        "13.4");
    EXPECT_EQ(find_release(configs, {folder.path(), folder.below("c")}), "13.4") << "the header of one library is sufficient";
}

TEST_F(HeaderReleaseTest, IsRequiredInOneFolder) {
    const auto configs = {config("toy.h", "TOY_VERSION"), config("toy.h", "TOY_VERSION"), config("top.h", "TOY_VERSION")};
    const std::string message = input_error_of([&] { find_release(configs, {folder.path()}); });
    EXPECT_TRUE(message.starts_with("toy.h or top.h: not ")) << message;
    expect_contains(message, "--include");
}

TEST_F(HeaderReleaseTest, RejectsFoldersOfTwoReleases) {
    const auto configs = {config("toy.h", "TOY_VERSION"), config("top.h", "TOY_VERSION")};
    const auto twelve = include("a", "toy.h", "12080");
    const auto expect_mixed = [&](const std::filesystem::path& other, const std::string& header) {
        const std::string message = input_error_of([&] { find_release(configs, {twelve, other}); });
        expect_contains(message, "CUDA 12.8 (" + (twelve / "toy.h").string() + ")");
        expect_contains(message, "and CUDA 13.4 (" + (other / header).string() + ")");
        expect_contains(message, "of one release");
    };
    expect_mixed(include("b", "toy.h", "13040"), "toy.h");
    expect_mixed(include("c", "top.h", "13040"), "top.h");
}

TEST_F(HeaderReleaseTest, RejectsTwoReleasesInOneFolder) {
    const auto configs = {config("toy.h", "TOY_VERSION"), config("top.h", "TOY_VERSION")};
    include("a", "toy.h", "12080");
    expect_contains(input_error_of([&] { find_release(configs, {include("a", "top.h", "13040")}); }), "CUDA 12.8");
}

/// Versions of a library, stated by the macros of toy.h.
class HeaderVersionTest : public ::testing::Test {
protected:
    static gen::spec::LibraryConfig config(const std::vector<std::string>& macros,
                                           const std::vector<std::int64_t>& weights = {}) {
        gen::spec::LibraryConfig made;
        made.library = "toy";
        made.version = {"Toy", "toy.h", macros, weights};
        return made;
    }
    std::string of(const std::string& text, const gen::spec::LibraryConfig& library) const {
        folder.write("toy.h", text);
        return find_version(library, {folder.path()});
    }

    const ScratchFolder folder;
    const gen::spec::LibraryConfig three_macros = config({"TOY_MAJOR", "TOY_MINOR", "TOY_PATCH"});
};

TEST_F(HeaderVersionTest, IsReadFromOneMacroForEachPart) {
    EXPECT_EQ(of("#define TOY_MAJOR 2\n#define TOY_MINOR 19\n#define TOY_PATCH 3\n", three_macros), "2.19.3");
    EXPECT_EQ(of("#define TOY_MAJOR 0\n#define TOY_MINOR ( 10 )\n#define TOY_PATCH 0\n", three_macros), "0.10.0");
    EXPECT_EQ(of("#define TOY_MAJOR 2\n#define TOY_MINOR 19\n", config({"TOY_MAJOR", "TOY_MINOR"})), "2.19.0");
}

TEST_F(HeaderVersionTest, IsReadFromOneMacroWithWeights) {
    EXPECT_EQ(of("#define TOY_CODE 12514\n", config({"TOY_CODE"}, {1000, 100, 1})), "12.5.14");
    EXPECT_EQ(of("#define TOY_CODE 23203\n", config({"TOY_CODE"}, {10000, 100, 1})), "2.32.3");
    EXPECT_EQ(of("#define TOY_CODE 13040\n", config({"TOY_CODE"}, {1000, 10})), "13.4.0");
}

TEST_F(HeaderVersionTest, IsRejectedIfItsPartsAreNoVersion) {
    const auto message = [&](const std::string& text) { return input_error_of([&] { of(text, three_macros); }); };
    expect_contains(message("#define TOY_MAJOR 2\n#define TOY_MINOR 19\n"), "TOY_PATCH");
    expect_contains(message("#define TOY_MAJOR A\n#define TOY_MINOR 1\n#define TOY_PATCH 1\n"), "TOY_MAJOR");
    expect_contains(message("#define TOY_MAJOR 0\n#define TOY_MINOR 0\n#define TOY_PATCH 0\n"), "0.0.0");
    expect_contains(message("#define TOY_MAJOR 1\n#define TOY_MINOR 1000\n#define TOY_PATCH 0\n"), "1.1000.0");
}

TEST_F(HeaderVersionTest, IsRequiredInOneFolderOnly) {
    expect_contains(input_error_of([&] { find_version(three_macros, {folder.path()}); }), "toy.h: not found in ");
    const auto macros = config({"TOY_CODE"}, {1000, 100, 1});
    folder.write("a/toy.h", "#define TOY_CODE 12514\n");
    folder.write("b/toy.h", "#define TOY_CODE 12515\n");
    const std::string message = input_error_of([&] { find_version(macros, {folder.below("a"), folder.below("b")}); });
    expect_contains(message, "Toy 12.5.14 (" + folder.below("a/toy.h").string() + ")");
    expect_contains(message, "12.5.15 (" + folder.below("b/toy.h").string() + ")");
}

TEST_F(HeaderVersionTest, IsTheReleaseOfALibraryWithVersionsOfItsOwn) {
    folder.write("cuda/top.h", "#define TOP_VERSION 13040\n");
    folder.write("toy/toy.h", "#define TOY_CODE 23203\n");
    gen::spec::LibraryConfig top;
    top.library = "top";
    top.release = {"top.h", "TOP_VERSION"};
    const auto releases =
        find_releases({config({"TOY_CODE"}, {10000, 100, 1}), top}, {folder.below("cuda"), folder.below("toy")});
    EXPECT_EQ(releases, (std::map<std::string, std::string>{{"top", "13.4"}, {"toy", "2.32.3"}}));
}

}  // namespace
}  // namespace cubind::testing
