// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "kernels/kernel_case.hpp"

namespace cubind::testing {
namespace {

std::vector<std::string> comments_of(const std::string& text) {
    std::vector<std::string> found;
    for (const auto& kernel : read_text(text).kernels) found.push_back(kernel.comment);
    return found;
}

TEST(KernelCommentTest, RemovesTheMarkers) {
    const KernelCase file("comments.cu");
    std::map<std::string, std::string> comments;
    for (const auto& kernel : gen::kernels::read_kernel_file(file.file(), file.options()).kernels)
        comments[kernel.name] = kernel.comment;
    EXPECT_EQ(comments["slashes"], "Clears.\nWith a second line.");
    EXPECT_EQ(comments["block"], "Fills the data.\n\nSlowly.");
    EXPECT_EQ(comments["marked"], "Marked for a tool.");
    EXPECT_EQ(comments["one_line"], "One line.");
    EXPECT_EQ(comments["apart"], "");
    EXPECT_EQ(comments["without"], "");
    EXPECT_EQ(comments["after"], "");
}

TEST(KernelCommentTest, CannotContinueALineOfTheGeneratedCode) {
    EXPECT_EQ(comments_of("/* ends with \\ */\n__global__ void k(int) {}").at(0), "ends with");
    EXPECT_EQ(comments_of("/* tab\tand\fpage */\n__global__ void k(int) {}").at(0), "tab and page");
    EXPECT_EQ(comments_of("/*! note */\r\n__global__ void k(int) {}").at(0), "note");
}

TEST(KernelCommentTest, ReadsCommentsAboveExternC) {
    EXPECT_EQ(comments_of("// Runs.\nextern \"C\" __global__ void k(int) {}").at(0), "Runs.");
    EXPECT_EQ(comments_of("// Runs.\nextern \"C\" __global__ void __launch_bounds__(32)\nk(int) {}").at(0), "Runs.");
    EXPECT_EQ(comments_of("// At the declaration.\n__global__ void k(int);\n\n__global__ void k(int) {}").at(0),
              "At the declaration.");
}

}  // namespace
}  // namespace cubind::testing
