// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "log/log_lines.hpp"

namespace cubind::testing {
namespace {

constexpr detail::ThreadNumbers me{140275358384128, 25642};

std::string own(const std::string& text) {
    return "[17:16:16.637][140275358384128][CUDA][E] " + text + '\n';
}
std::string other(const std::string& text) {
    return "[17:16:16.637][140275358384999][CUDA][E] " + text + '\n';
}
std::string without_newline(std::string text) {
    text.pop_back();
    return text;
}

const std::string failed_allocation = "Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuMemAlloc_v2";

TEST(LogLinesTest, ReturnsTheLinesOfTheCall) {
    const std::string lines = own("no bytes") + own(failed_allocation);
    EXPECT_EQ(detail::lines_of_call(lines, me, 1, "cuMemAlloc_v2"), without_newline(lines));
    EXPECT_EQ(detail::lines_of_call(lines, me, 1, ""), without_newline(lines)) << "any function";
    EXPECT_EQ(detail::lines_of_call("", me, 1, "cuMemAlloc_v2"), "");
}

TEST(LogLinesTest, LeavesOutOtherThreads) {
    const std::string log = other("first") + own("second") + other(failed_allocation) + own(failed_allocation) + other("last");
    EXPECT_EQ(detail::lines_of_call(log, me, 1, "cuMemAlloc_v2"), without_newline(own("second") + own(failed_allocation)));
    const std::string by_number = "[22:21:32.099][25642][CUDA][E] Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuMemAlloc_v2";
    EXPECT_EQ(detail::lines_of_call(by_number, me, 1, "cuMemAlloc_v2"), by_number) << "the number that gettid() returns";
    EXPECT_EQ(detail::lines_of_call(other("first") + other(failed_allocation), me, 1, "cuMemAlloc_v2"), "");
}

TEST(LogLinesTest, LeavesOutOtherCalls) {
    const std::string ignored = own("ignored") + own(failed_allocation);
    EXPECT_EQ(detail::lines_of_call(ignored, me, 1, "cuMemFree_v2"), "") << "another function";
    EXPECT_EQ(detail::lines_of_call(ignored, me, 2, "cuMemAlloc_v2"), "") << "another status";
    EXPECT_EQ(detail::lines_of_call(ignored + own("new") + own(failed_allocation), me, 1, "cuMemAlloc_v2"),
              without_newline(own("new") + own(failed_allocation)))
        << "the latest call";
    const std::string later = own("later") + own("Returning 2 (CUDA_ERROR_OUT_OF_MEMORY) from cuMemCreate");
    EXPECT_EQ(detail::lines_of_call(ignored + later, me, 1, "cuMemAlloc_v2"), without_newline(ignored)) << "of a stored result";
    EXPECT_EQ(detail::lines_of_call(ignored + later, me, 1, ""), "") << "the latest call has another status";
    EXPECT_EQ(detail::lines_of_call(ignored + later, me, 2, ""), without_newline(later));
    EXPECT_EQ(detail::lines_of_call(ignored + own("a warning of a successful call"), me, 1, "cuMemAlloc_v2"),
              without_newline(ignored));
}

TEST(LogLinesTest, TreatsVersionsOfAFunctionAlike) {
    for (const char* const name : {"cuMemcpyAsync", "cuMemcpyAsync_ptsz", "cuMemcpyAsync_v2", "cuMemcpyAsync_v2_ptsz"}) {
        const std::string line = own(std::string("Returning 1 (CUDA_ERROR_INVALID_VALUE) from ") + name);
        EXPECT_EQ(detail::lines_of_call(line, me, 1, "cuMemcpyAsync_v2"), without_newline(line));
        EXPECT_EQ(detail::lines_of_call(line, me, 1, "cuMemcpy2DAsync_v2"), "");
    }
    const std::string line = own("Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuLaunchKernel.");
    EXPECT_EQ(detail::lines_of_call(line, me, 1, "cuLaunchKernel"), without_newline(line))
        << "a full stop is no part of the name";
}

TEST(LogLinesTest, ReadsFunctionsInTheFifthBracket) {
    const std::string begin = "[22:21:32.099][25642][CUDA][E]";
    const std::string log = begin + "[cuMemFree_v2] old\n" + begin + "[cuMemAlloc_v2] one\n" + begin + "[cuMemAlloc_v2] two\n";
    EXPECT_EQ(detail::lines_of_call(log, me, 1, "cuMemAlloc_v2"),
              begin + "[cuMemAlloc_v2] one\n" + begin + "[cuMemAlloc_v2] two");
    EXPECT_EQ(detail::lines_of_call(log, me, 1, "cuMemFree_v2"), begin + "[cuMemFree_v2] old");
    EXPECT_EQ(detail::lines_of_call(log, me, 1, "cuMemCreate"), "");
}

TEST(LogLinesTest, ReturnsAllLinesOfTheThreadIfNoneNamesAFunction) {
    EXPECT_EQ(detail::lines_of_call(own("one") + other("two") + own("three"), me, 1, "cuMemAlloc_v2"),
              without_newline(own("one") + own("three")));
}

TEST(LogLinesTest, ReadsMessagesOfSeveralLinesAndNotices) {
    const std::string lines = own("first\nsecond [with brackets]") + own(failed_allocation);
    EXPECT_EQ(detail::lines_of_call("Older lines were lost.\n" + lines, me, 1, "cuMemAlloc_v2"), without_newline(lines));
    EXPECT_EQ(detail::lines_of_call(other("first\nsecond") + own(failed_allocation), me, 1, "cuMemAlloc_v2"),
              without_newline(own(failed_allocation)));
}

TEST(LogLinesTest, ReturnsNothingForAnotherFormat) {
    for (const char* const log : {"E cuMemAlloc_v2: no bytes", "[", "[]", "[][]", "[17:16:16.637", "[a][b][c] d", "[1][-1] x",
                                  "\n\n", "[17:16:16.637][99999999999999999999999999][CUDA][E] x"}) {
        EXPECT_EQ(detail::lines_of_call(log, me, 1, "cuMemAlloc_v2"), "") << log;
    }
    for (const char* const message : {"Returning", "Returning ", "Returning x from y", "Returning 1", "Returning 1 from "}) {
        EXPECT_EQ(detail::lines_of_call(own(message), me, 1, "cuMemAlloc_v2"), without_newline(own(message))) << "no status";
    }
}

}  // namespace
}  // namespace cubind::testing
