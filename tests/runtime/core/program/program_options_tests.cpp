// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/linker_options.hpp>
#include <cubind/core/program/program_options.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "program/link/linker_flags.hpp"
#include "program/program_flags.hpp"
#include "program_option_cases.hpp"

namespace cubind::testing {
namespace {

using cubind::LinkerOptions;
using cubind::OfastCompile;
using cubind::ProgramOptions;
using cubind::detail::nvjitlink_flags;
using cubind::detail::nvrtc_flags;
using cubind::detail::nvvm_flags;
using cubind::detail::option_that_names_a_file;
using cubind::detail::writes_files;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

TEST(ProgramOptionsTest, HasNoFlagsByDefault) {
    const ProgramOptions options;
    EXPECT_EQ(options.name, "default_program");
    EXPECT_THAT(nvrtc_flags(options), IsEmpty());
    EXPECT_EQ(to_string(options), "");
}

TEST(ProgramOptionsTest, TranslatesEachOptionToItsFlags) {
    for (const OptionCase& tried : option_cases()) EXPECT_EQ(nvrtc_flags(tried.options), tried.flags) << tried.option;
}

// After a member is added, this test does not compile until the member is counted, and fails until the member has a case.
TEST(ProgramOptionsTest, HasACaseForEachMemberWithAFlagOfNvrtc) {
    const ProgramOptions options;
    const auto& [a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, c1, c2, c3, c4, c5, c6, c7, c8,
                 c9, c10, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, e1, e2, e3, e4, e5, e6, e7, e8, e9, e10, f1, f2, f3, f4, f5,
                 f6, f7] = options;
    static_cast<void>(f7);
    constexpr std::size_t members = 57;
    constexpr std::size_t others = 3;  // the name, and two options that apply to NVVM IR only
    std::set<std::string> tried;
    for (const OptionCase& each : option_cases()) tried.insert(each.option);
    EXPECT_EQ(tried.size(), members - others);
}

TEST(ProgramOptionsTest, OrdersFlagsAsTheMembers) {
    const ProgramOptions options = {.arch = "sm_90",
                                    .std = "c++20",
                                    .lineinfo = true,
                                    .ptxas_options = {"-v"},
                                    .fma = false,
                                    .define_macro = {{"A", "1"}},
                                    .include_path = {"folder"},
                                    .diag_suppress = {177},
                                    .no_cache = true};
    EXPECT_THAT(nvrtc_flags(options),
                ElementsAre("--gpu-architecture=sm_90", "--std=c++20", "--generate-line-info", "--ptxas-options=-v",
                            "--fmad=false", "--define-macro=A=1", "--include-path=folder", "--diag-suppress=177", "--no-cache"));
}

TEST(ProgramOptionsTest, TranslatesOptionsToFlagsOfLibNvvm) {
    EXPECT_THAT(nvvm_flags({}), IsEmpty());
    EXPECT_THAT(nvvm_flags({.arch = "sm_90a", .lineinfo = true, .ftz = true, .prec_sqrt = false, .prec_div = true, .fma = false}),
                ElementsAre("-arch=compute_90a", "-generate-line-info", "-ftz=1", "-prec-sqrt=0", "-prec-div=1", "-fma=0"));
    EXPECT_THAT(nvvm_flags({.arch = "compute_80", .link_time_optimization = true, .debug = true}),
                ElementsAre("-arch=compute_80", "-gen-lto", "-g", "-opt=0"));
    EXPECT_THAT(nvvm_flags({.device_code_optimize = true}), ElementsAre("-opt=3"));
    EXPECT_THAT(nvvm_flags({.debug = true, .device_code_optimize = true, .numba_debug = true}),
                ElementsAre("-g", "-opt=3", "-numba-debug"));
    EXPECT_THAT(nvvm_flags({.fma = true, .extra_options = {"-opt=0"}}), ElementsAre("-fma=1", "-opt=0"));
    EXPECT_THAT([] { static_cast<void>(nvvm_flags({.max_register_count = 32})); },
                ThrowsMessage<std::invalid_argument>(
                    AllOf(HasSubstr("ProgramOptions::max_register_count"), HasSubstr("32"), HasSubstr("NVVM IR"))));
}

TEST(ProgramOptionsTest, NamesOptionsThatAnOlderNvrtcLacks) {
    for (const OptionCase& tried : option_cases()) {
        SCOPED_TRACE(tried.flags.front());
        EXPECT_EQ(nvrtc_flags(tried.options, tried.since), tried.flags);
        if (tried.since == 12000) continue;
        const std::string release = std::to_string(tried.since / 1000) + "." + std::to_string(tried.since % 1000 / 10);
        EXPECT_THAT([&] { static_cast<void>(nvrtc_flags(tried.options, tried.since - 10)); },
                    ThrowsMessage<std::invalid_argument>(
                        AllOf(HasSubstr("ProgramOptions::" + std::string(tried.option) + " (" + tried.flags.back() + ")"),
                              HasSubstr("needs NVRTC of CUDA " + release + " or newer"))));
    }
}

TEST(ProgramOptionsTest, QuotesFlagsWithSpacesOrQuotes) {
    EXPECT_EQ(to_string(ProgramOptions{.arch = "sm_90", .ftz = true}), "--gpu-architecture=sm_90 --ftz=true");
    EXPECT_EQ(to_string(ProgramOptions{.define_macro = {{"SUM", "1 + 2"}}}), R"("--define-macro=SUM=1 + 2")");
    EXPECT_EQ(to_string(ProgramOptions{.define_macro = {{"TEXT", R"("a\n")"}}}), R"("--define-macro=TEXT=\"a\\n\"")");
}

TEST(ProgramOptionsTest, HasDifferentLinesForDifferentFlags) {
    const ProgramOptions one = {.define_macro = {{"A", "1 --define-macro=B"}}};
    const ProgramOptions two = {.define_macro = {{"A", "1"}, {"B"}}};
    const ProgramOptions quotes = {.define_macro = {{"A", "1\" \"--define-macro=B"}}};
    EXPECT_EQ((std::set<std::string>{to_string(one), to_string(two), to_string(quotes)}.size()), 3u);
}

TEST(ProgramOptionsTest, HasALineForBadValues) {
    EXPECT_EQ(to_string(ProgramOptions{.max_register_count = 0}), "--maxrregcount=0");
}

TEST(ProgramOptionsTest, DeterminesWhetherFilesAreReadAndWritten) {
    const std::set<std::string> naming = {"use_pch", "extra_options"};
    const std::set<std::string> writing = {"time", "fdevice_time_trace", "use_bundled_headers", "pch", "create_pch"};
    for (const OptionCase& tried : option_cases()) {
        EXPECT_EQ(option_that_names_a_file(tried.options), naming.contains(tried.option) ? tried.option : "") << tried.option;
        EXPECT_EQ(writes_files(tried.options), writing.contains(tried.option) && tried.options.time != "-") << tried.option;
    }
    EXPECT_EQ(option_that_names_a_file({.ptxas_options = {"--options-file=x"}}), "ptxas_options");
}

TEST(ProgramOptionsTest, TranslatesOptionsForPtxToThoseOfTheLinker) {
    const ProgramOptions options = {.name = "saxpy",
                                    .arch = "sm_90",
                                    .debug = true,
                                    .lineinfo = true,
                                    .ptxas_options = {"-v", "-O1"},
                                    .max_register_count = 32,
                                    .split_compile = 2,
                                    .time = "-",
                                    .no_cache = true};
    const LinkerOptions linker = options.linker_options();
    EXPECT_EQ(linker.name, "saxpy");
    EXPECT_THAT(nvjitlink_flags(linker), ElementsAre("-arch=sm_90", "-maxrregcount=32", "-time", "-g", "-lineinfo", "-Xptxas=-v",
                                                     "-Xptxas=-O1", "-split-compile=2", "-no-cache"));
    EXPECT_EQ(nvjitlink_flags(ProgramOptions{}.linker_options()), std::vector<std::string>());
}

TEST(ProgramOptionsTest, NamesOptionsThatDoNotApplyToPtx) {
    const std::set<std::string> supported = {"arch",          "debug",   "lineinfo", "ptxas_options", "max_register_count",
                                             "split_compile", "no_cache"};
    for (const OptionCase& tried : option_cases()) {
        SCOPED_TRACE(tried.option);
        const auto translate = [&] { static_cast<void>(tried.options.linker_options()); };
        if (supported.contains(tried.option) || tried.options.time == "-") {
            EXPECT_NO_THROW(translate());
        } else {
            EXPECT_THAT(translate,
                        ThrowsMessage<std::invalid_argument>(AllOf(
                            HasSubstr("ProgramOptions::" + std::string(tried.option) + " is --"), HasSubstr("for PTX, name,"))));
        }
    }
}

}  // namespace
}  // namespace cubind::testing
