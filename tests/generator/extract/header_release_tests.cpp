// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "extract/header_release.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::extract::find_release;
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

}  // namespace
}  // namespace cubind::testing
