// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/linker_options.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "linker_option_cases.hpp"
#include "program/link/linker_flags.hpp"

namespace cubind::testing {
namespace {

using cubind::LinkerOptions;
using cubind::detail::driver_options;
using cubind::detail::nvjitlink_flags;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::ThrowsMessage;
using namespace std::string_literals;

TEST(LinkerOptionsTest, HasNoFlagsByDefault) {
    const LinkerOptions options;
    EXPECT_EQ(options.name, "<default linker>");
    EXPECT_THAT(nvjitlink_flags(options), IsEmpty());
    EXPECT_EQ(to_string(options), "");
}

TEST(LinkerOptionsTest, TranslatesEachOptionToItsFlags) {
    for (const OptionCase& tried : option_cases()) EXPECT_EQ(nvjitlink_flags(tried.options), tried.flags) << tried.option;
}

// After a member is added, this test does not compile until the member is counted, and fails until the member has a case.
TEST(LinkerOptionsTest, HasACaseForEachMemberButTheName) {
    const LinkerOptions options;
    const auto& [a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, c1] = options;
    static_cast<void>(c1);
    constexpr std::size_t members = 21;
    std::set<std::string> tried;
    for (const OptionCase& each : option_cases()) tried.insert(each.option);
    EXPECT_EQ(tried.size(), members - 1);
}

TEST(LinkerOptionsTest, OrdersFlagsAsTheMembers) {
    const LinkerOptions options = {
        .arch = "sm_90", .link_time_optimization = true, .fma = false, .kernels_used = {"saxpy"}, .no_cache = true};
    EXPECT_THAT(nvjitlink_flags(options), ElementsAre("-arch=sm_90", "-lto", "-fma=0", "-kernels-used=saxpy", "-no-cache"));
    EXPECT_EQ(to_string(options), "-arch=sm_90 -lto -fma=0 -kernels-used=saxpy -no-cache");
    EXPECT_EQ(to_string(LinkerOptions{.kernels_used = {"a b"}}), R"("-kernels-used=a b")");
}

TEST(LinkerOptionsTest, NamesOptionsThatAnOlderNvJitLinkLacks) {
    for (const OptionCase& tried : option_cases()) {
        SCOPED_TRACE(tried.flags.front());
        EXPECT_EQ(nvjitlink_flags(tried.options, tried.since), tried.flags);
        if (tried.since == 12000) continue;
        EXPECT_THAT([&] { static_cast<void>(nvjitlink_flags(tried.options, tried.since - 10)); },
                    ThrowsMessage<std::invalid_argument>(
                        AllOf(StartsWith("LinkerOptions::" + std::string(tried.option) + " (" + tried.flags.back()),
                              HasSubstr("needs nvJitLink of CUDA 12."), HasSubstr(" or newer"))));
    }
}

// Expects both linkers to refuse the options with a message that begins with "LinkerOptions::option is value: ".
void expect_refused(const LinkerOptions& options, const std::string& option_is_value, const std::string& allowed) {
    const auto message =
        ThrowsMessage<std::invalid_argument>(AllOf(StartsWith("LinkerOptions::" + option_is_value + ": "), HasSubstr(allowed)));
    EXPECT_THAT([&] { options.check(); }, message);
    EXPECT_THAT([&] { static_cast<void>(nvjitlink_flags(options)); }, message);
    EXPECT_THAT([&] { static_cast<void>(driver_options(options)); }, message);
}

TEST(LinkerOptionsTest, NamesBadValues) {
    expect_refused({.arch = "90"}, R"(arch is "90")", "e.g. sm_90");
    expect_refused({.arch = "compute_90"}, R"(arch is "compute_90")", "a real architecture, e.g. sm_90");
    expect_refused({.max_register_count = 0}, "max_register_count is 0", "1 and larger");
    expect_refused({.optimization_level = -1}, "optimization_level is -1", "0 and 3 are allowed");
    expect_refused({.optimization_level = 5}, "optimization_level is 5", "0 and 3 are allowed");
    expect_refused({.split_compile = -1}, "split_compile is -1", "0 and larger");
    expect_refused({.split_compile_extended = -2}, "split_compile_extended is -2", "0 and larger");
    expect_refused({.ptx = true}, "ptx is true", "link_time_optimization = true");
    expect_refused({.name = "a\0b"s}, R"(name is "a\0b")", "without NUL");
    expect_refused({.kernels_used = {"good", "a\0b"s}}, R"(kernels_used is "a\0b")", "without NUL");
    expect_refused({.variables_used = {"a\0b"s}}, R"(variables_used is "a\0b")", "without NUL");
    expect_refused({.ptxas_options = {"a\0b"s}}, R"(ptxas_options is "a\0b")", "without NUL");
    expect_refused({.kernels_used = {""}}, R"(kernels_used is "" in one element)", "not empty");
    expect_refused({.variables_used = {""}}, R"(variables_used is "" in one element)", "not empty");
    expect_refused({.ptxas_options = {""}}, R"(ptxas_options is "" in one element)", "not empty");
}

TEST(LinkerOptionsTest, RefusesOtherOptimizationLevelsForNvJitLink) {
    for (const int level : {1, 2, 4}) {
        EXPECT_THAT([&] { static_cast<void>(nvjitlink_flags(LinkerOptions{.optimization_level = level})); },
                    ThrowsMessage<std::invalid_argument>(AllOf(
                        StartsWith("LinkerOptions::optimization_level is " + std::to_string(level)), HasSubstr("0 and 3"))));
    }
}

}  // namespace
}  // namespace cubind::testing
