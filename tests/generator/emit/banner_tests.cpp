// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "emit/banner.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::emit::Banner;
using gen::emit::check_banner;
using gen::emit::with_banner;

TEST(BannerTest, IsACommentOnTheFirstLine) {
    const std::string text = with_banner("toy/include/box.hpp", "int x;\n");
    EXPECT_EQ(text.substr(0, 3), "// ");
    EXPECT_EQ(text.substr(text.find('\n') + 1), "int x;\n");
    expect_contains(text.substr(0, text.find('\n')), "never edit");
    EXPECT_EQ(with_banner("toy/sources.cmake", "set(x)\n").substr(0, 2), "# ");
}

TEST(BannerTest, IsIntactAfterWriting) {
    EXPECT_EQ(check_banner(with_banner("a.hpp", "int x;\n")), Banner::intact);
    EXPECT_EQ(check_banner(with_banner("a.cmake", "set(x)\n")), Banner::intact);
    EXPECT_EQ(check_banner(with_banner("a.hpp", "")), Banner::intact);
}

TEST(BannerTest, DetectsAnEditedText) {
    const std::string text = with_banner("a.hpp", "int x;\nint y;\n");
    EXPECT_EQ(check_banner(text + " "), Banner::tampered);
    EXPECT_EQ(check_banner(text.substr(0, text.size() - 1)), Banner::tampered);
    std::string changed = text;
    changed[changed.size() - 3] = 'z';
    EXPECT_EQ(check_banner(changed), Banner::tampered);
}

TEST(BannerTest, DetectsAnEditedBanner) {
    std::string text = with_banner("a.hpp", "int x;\n");
    char& digit = text[text.find('\n') - 1];
    digit = digit == '0' ? '1' : '0';
    EXPECT_EQ(check_banner(text), Banner::tampered);
}

TEST(BannerTest, IsAbsentFromOtherFiles) {
    EXPECT_EQ(check_banner(""), Banner::absent);
    EXPECT_EQ(check_banner("int x;\n"), Banner::absent);
    EXPECT_EQ(check_banner("// one line without an end"), Banner::absent);
    EXPECT_EQ(check_banner("int x;\n" + with_banner("a.hpp", "int y;\n")), Banner::absent)
        << "a banner on another line does not count";
}

TEST(BannerTest, DependsOnTheText) {
    const auto first_line = [](const std::string& text) { return text.substr(0, text.find('\n')); };
    EXPECT_NE(first_line(with_banner("a.hpp", "int x;\n")), first_line(with_banner("a.hpp", "int y;\n")));
    EXPECT_EQ(first_line(with_banner("a.hpp", "int x;\n")), first_line(with_banner("b.hpp", "int x;\n")));
}

}  // namespace
}  // namespace cubind::testing
