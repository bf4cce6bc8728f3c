// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/program/linker_options.hpp>
#include <cubind/core/program/program_options.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "program/program_flags.hpp"

namespace cubind::testing {
namespace {

using cubind::ProgramOptions;
using cubind::detail::nvrtc_flags;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using namespace std::string_literals;

// Expects each function that checks options to refuse `options` with a message that begins with
// "ProgramOptions::option is value: ".
void expect_refused(const ProgramOptions& options, const std::string& option_is_value, const std::string& allowed) {
    const auto message = ThrowsMessage<std::invalid_argument>(
        ::testing::AllOf(::testing::StartsWith("ProgramOptions::" + option_is_value + ": "), HasSubstr(allowed)));
    EXPECT_THAT([&] { options.check(); }, message);
    EXPECT_THAT([&] { static_cast<void>(nvrtc_flags(options)); }, message);
    EXPECT_THAT([&] { static_cast<void>(options.linker_options()); }, message);
}

TEST(ProgramOptionChecksTest, RefusesOtherNamesOfArchitectures) {
    for (const char* good : {"", "sm_75", "sm_90a", "sm_100f", "sm_121", "compute_90", "compute_100f"}) {
        EXPECT_NO_THROW(ProgramOptions{.arch = good}.check()) << good;
    }
    for (const std::string bad : {"90", "sm_", "sm_9", "sm_1000", "sm_090", "sm_90b", "sm_90aa", "sm_a", "compute_9x", "lto_90",
                                  "SM_90", "sm_90 ", " sm_90", "sm_-9", "sm90", "compute_", "sm_compute_90"}) {
        expect_refused({.arch = bad}, "arch is \"" + bad + "\"", "e.g. sm_90, sm_90a or compute_100f");
    }
    expect_refused({.arch = "sm_90\0"s}, R"(arch is "sm_90\0")", "e.g. sm_90");
}

TEST(ProgramOptionChecksTest, RefusesOtherLanguageStandards) {
    for (const char* bad : {"17", "c++98", "gnu++17", "C++17", "c++26", " "}) {
        expect_refused({.std = bad}, "std is \"" + std::string(bad) + "\"", "c++17, c++20 and c++23");
    }
}

TEST(ProgramOptionChecksTest, RefusesNumbersThatAreTooSmall) {
    EXPECT_NO_THROW((ProgramOptions{.max_register_count = 1, .split_compile = 0, .diag_error = {1}}.check()));
    expect_refused({.max_register_count = 0}, "max_register_count is 0", "1 and larger");
    expect_refused({.max_register_count = -8}, "max_register_count is -8", "1 and larger");
    expect_refused({.split_compile = -1}, "split_compile is -1", "0 and larger");
    expect_refused({.diag_error = {177, 0}}, "diag_error is 0", "1 and larger");
    expect_refused({.diag_suppress = {-1}}, "diag_suppress is -1", "1 and larger");
    expect_refused({.diag_warn = {-2}}, "diag_warn is -2", "1 and larger");
}

TEST(ProgramOptionChecksTest, RefusesOtherNamesOfMacros) {
    for (const char* good : {"A", "_a1", "A(x)", "A()", "A(x,y)", "A(...)"})
        EXPECT_NO_THROW((ProgramOptions{.define_macro = {{good}}}.check()));
    for (const std::string bad : {"", "A=1", "A B", " A", "1A", "A-B", "A(x", "A(x, y)", "(x)", "A(x)=x", "A(x)y"}) {
        expect_refused({.define_macro = {{"GOOD"}, {bad}}}, "define_macro is \"" + bad + "\"", "the value is the other member");
    }
    expect_refused({.define_macro = {{"A\0B"s}}}, R"(define_macro is "A\0B")", "letters, digits and _");
    for (const std::string bad : {"", "A=1", "A B", "1A", "A(x)"}) {
        expect_refused({.undefine_macro = {bad}}, "undefine_macro is \"" + bad + "\"", "letters, digits and _");
    }
}

TEST(ProgramOptionChecksTest, RefusesTextWithNul) {
    const std::string bad = "a\0b"s;
    const std::string allowed = "text without NUL";
    expect_refused({.name = bad}, R"(name is "a\0b")", allowed);
    expect_refused({.ptxas_options = {bad}}, R"(ptxas_options is "a\0b")", allowed);
    expect_refused({.frandom_seed = bad}, R"(frandom_seed is "a\0b")", allowed);
    expect_refused({.define_macro = {{"A", bad}}}, R"(define_macro is "a\0b")", allowed);
    expect_refused({.include_path = {"good", bad}}, R"(include_path is "a\0b")", allowed);
    expect_refused({.pre_include = {bad}}, R"(pre_include is "a\0b")", allowed);
    expect_refused({.use_bundled_headers = bad}, R"(use_bundled_headers is "a\0b")", allowed);
    expect_refused({.time = bad}, R"(time is "a\0b")", allowed);
    expect_refused({.fdevice_time_trace = bad}, R"(fdevice_time_trace is "a\0b")", allowed);
    expect_refused({.create_pch = bad}, R"(create_pch is "a\0b")", allowed);
    expect_refused({.use_pch = bad}, R"(use_pch is "a\0b")", allowed);
    expect_refused({.pch_dir = bad}, R"(pch_dir is "a\0b")", allowed);
    expect_refused({.extra_options = {bad}}, R"(extra_options is "a\0b")", allowed);
}

TEST(ProgramOptionChecksTest, RefusesEmptyTextInLists) {
    expect_refused({.ptxas_options = {"-v", ""}}, R"(ptxas_options is "" in one element)", "not empty");
    expect_refused({.include_path = {""}}, R"(include_path is "" in one element)", "not empty");
    expect_refused({.pre_include = {""}}, R"(pre_include is "" in one element)", "not empty");
    expect_refused({.extra_options = {"-a", ""}}, R"(extra_options is "" in one element)", "not empty");
}

TEST(ProgramOptionChecksTest, RefusesContradictions) {
    expect_refused({.relocatable_device_code = false, .link_time_optimization = true}, "relocatable_device_code is false",
                   "link_time_optimization");
    expect_refused({.relocatable_device_code = true, .extensible_whole_program = true}, "relocatable_device_code is true",
                   "extensible_whole_program");
    expect_refused({.numba_debug = true}, "numba_debug is true", "with debug = true");
    expect_refused({.pch = true, .create_pch = "a.pch"}, R"(create_pch is "a.pch")", "one of pch, create_pch and use_pch");
    expect_refused({.pch = true, .use_pch = "a.pch"}, R"(use_pch is "a.pch")", "one of pch, create_pch and use_pch");
    expect_refused({.create_pch = "a.pch", .use_pch = "b.pch"}, R"(use_pch is "b.pch")", "one of pch, create_pch and use_pch");
    EXPECT_NO_THROW((ProgramOptions{.relocatable_device_code = true, .link_time_optimization = true}.check()));
    EXPECT_NO_THROW((ProgramOptions{.relocatable_device_code = false, .extensible_whole_program = true}.check()));
}

}  // namespace
}  // namespace cubind::testing
