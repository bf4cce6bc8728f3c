// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/header_release.hpp"

#include "support/scratch_folder.hpp"

#include <gtest/gtest.h>

namespace cubind::testing {
namespace {

using gen::extract::find_release;
using gen::extract::release_of;

class HeaderRelease : public ::testing::Test {
protected:
    std::string of(const std::string& text) const { return release_of(folder.write("toy.h", text), "TOY_VERSION"); }
    void expect_none(const std::string& text) const {
        EXPECT_EQ(input_error_of([&] { of(text); }),
                  folder.below("toy.h").string() +
                      ": defines no usable TOY_VERSION (1000 * major + 10 * minor), so the release is unknown; "
                      "is this NVIDIA's header?");
    }
    static gen::spec::LibraryConfig config(const std::string& header, const std::string& macro) {
        gen::spec::LibraryConfig made;
        made.release = {header, macro};
        return made;
    }
    /// A folder with a header of that release.
    std::filesystem::path include(const std::string& name, const std::string& header, const std::string& number) const {
        folder.write(name + "/" + header, "#define TOY_VERSION " + number + "\n");
        return folder.below(name);
    }

    const ScratchFolder folder;
};

TEST_F(HeaderRelease, is_read_from_the_macro) {
    EXPECT_EQ(of("#define TOY_VERSION 13040\n"), "13.4");
    EXPECT_EQ(of("#define TOY_VERSION 9020"), "9.2");
    EXPECT_EQ(of("/* toy */\n#define TOY_H\n\n  #\tdefine \t TOY_VERSION\t12100 /* twelve */\n"), "12.10");
}

TEST_F(HeaderRelease, overlooks_other_mentions_of_the_macro) {
    EXPECT_EQ(of("// TOY_VERSION tells the release\n#if TOY_VERSION > 5000\n#endif\n#define TOY_VERSION 13000\n"), "13.0");
    EXPECT_EQ(of("#define TOY_VERSION_MAJOR 99\n#define TOY_VERSION 13000\n"), "13.0");
    EXPECT_EQ(of("#define MY_TOY_VERSION 12000\n#define TOY_VERSION 13000\n"), "13.0");
    EXPECT_EQ(of("//#define TOY_VERSION 12000\n#define TOY_VERSION 13000\n"), "13.0");
}

TEST_F(HeaderRelease, is_needed) {
    expect_none("");
    expect_none("#define TOY_H\n");
    expect_none("#define TOY_VERSION\n");
    expect_none("#define TOY_VERSION 134\n");
    expect_none("#define TOY_VERSION 0999\n");
    expect_none("#define TOY_VERSION OTHER_VERSION\n");
    expect_none("#define TOY_VERSION 1000000\n");
    expect_none("#define TOY_VERSION 99999999999999999999\n");
    expect_none("#defineTOY_VERSION 13000\n");
    EXPECT_NE(input_error_of([&] { release_of(folder.below("none.h"), "TOY_VERSION"); }), "");
}

TEST_F(HeaderRelease, is_found_behind_any_number_of_blanks) {
    const std::string blanks(1000000, ' ');
    EXPECT_EQ(of(blanks + "#define" + blanks + "TOY_VERSION" + blanks + "13040"), "13.4");
}

TEST_F(HeaderRelease, may_be_the_same_in_several_folders) {
    const auto configs = {config("toy.h", "TOY_VERSION"), config("top.h", "TOY_VERSION")};
    EXPECT_EQ(
        find_release(configs, {include("a", "toy.h", "13040"), include("b", "toy.h", "13040"), include("c", "top.h", "13040")}),
        "13.4");
    EXPECT_EQ(find_release(configs, {folder.path(), folder.below("c")}), "13.4") << "any library's header tells it";
}

TEST_F(HeaderRelease, is_needed_in_some_folder) {
    const auto configs = {config("toy.h", "TOY_VERSION"), config("toy.h", "TOY_VERSION"), config("top.h", "TOY_VERSION")};
    const std::string message = input_error_of([&] { find_release(configs, {folder.path()}); });
    EXPECT_TRUE(message.starts_with("toy.h or top.h: not ")) << message;
    expect_contains(message, "so the release is unknown; give --include the folder that holds it");
}

TEST_F(HeaderRelease, may_not_be_mixed) {
    const auto configs = {config("toy.h", "TOY_VERSION"), config("top.h", "TOY_VERSION")};
    const auto twelve = include("a", "toy.h", "12080");
    const auto expect_mixed = [&](const std::filesystem::path& other, const std::string& header) {
        const std::string message = input_error_of([&] { find_release(configs, {twelve, other}); });
        expect_contains(message, "the include folders mix CUDA 12.8 (" + (twelve / "toy.h").string() + ")");
        expect_contains(message, "and CUDA 13.4 (" + (other / header).string() + ")");
        expect_contains(message, "give the folders of one release");
    };
    expect_mixed(include("b", "toy.h", "13040"), "toy.h");
    expect_mixed(include("c", "top.h", "13040"), "top.h");
}

TEST_F(HeaderRelease, of_one_folder_may_not_be_two) {
    const auto configs = {config("toy.h", "TOY_VERSION"), config("top.h", "TOY_VERSION")};
    include("a", "toy.h", "12080");
    expect_contains(input_error_of([&] { find_release(configs, {include("a", "top.h", "13040")}); }), "mix CUDA 12.8");
}

}  // namespace
}  // namespace cubind::testing
