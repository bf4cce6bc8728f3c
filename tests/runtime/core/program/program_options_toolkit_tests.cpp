// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the flags through the vendor's NVRTC of one release, which the environment variables name.
#include <cubind/core/program/program_options.hpp>
#include <cubind/failure.hpp>
#include <cubind/nvrtc.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <stdlib.h>
#include <string>

#include "program/program_flags.hpp"
#include "program_option_cases.hpp"

namespace cubind::testing {
namespace {

using cubind::detail::nvrtc_flags;
using cubind::detail::writes_files;
using namespace cubind::nvrtc;
using cubind::ProgramOptions;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct Compiled {
    nvrtcResult status;
    std::string log;
    std::string ptx;
};

constexpr const char* kernel = R"(extern "C" __global__ void kernel(float* x) { *x = x[1] / x[2] + x[3] * x[4]; })";

// Works in a separate folder, which is removed at the end.
class ProgramOptionsToolkitTest : public ::testing::Test {
protected:
    void SetUp() override {
        std::string name = ::testing::TempDir() + "cubind-options-XXXXXX";
        ASSERT_NE(mkdtemp(name.data()), nullptr);
        folder_ = name;
        std::filesystem::current_path(folder_);
        release_ = cubind::version(cubind::nvrtc::library());
        ASSERT_GE(release_, 12000) << cubind::last_failure().detail;
    }
    void TearDown() override {
        std::filesystem::current_path("/");
        std::filesystem::remove_all(folder_);
    }

    static void write(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

    static std::set<std::string> files() {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(".")) names.insert(entry.path().filename());
        return names;
    }

    static Compiled compile(const char* source, const std::vector<std::string>& flags) {
        std::vector<const char*> texts;
        for (const std::string& flag : flags) texts.push_back(flag.c_str());
        auto [created, program] = nvrtcCreateProgram(source, "program", 0, nullptr, nullptr);
        EXPECT_EQ(created, NVRTC_SUCCESS);
        Compiled compiled{
            .status = nvrtcCompileProgram(program, static_cast<int>(texts.size()), texts.data()).status, .log = {}, .ptx = {}};
        compiled.log.resize(nvrtcGetProgramLogSize(program).value);
        EXPECT_TRUE(nvrtcGetProgramLog(program, compiled.log.data()).ok());
        compiled.ptx.resize(nvrtcGetPTXSize(program).value);
        EXPECT_TRUE(compiled.ptx.empty() || nvrtcGetPTX(program, compiled.ptx.data()).ok());
        EXPECT_TRUE(nvrtcDestroyProgram(program).ok());
        return compiled;
    }
    // Compiles for sm_90 unless the options name an architecture: without one NVRTC generates no cubin and does not run ptxas.
    static Compiled compile(const char* source, ProgramOptions options) {
        if (options.arch.empty()) options.arch = "sm_90";
        return compile(source, nvrtc_flags(options));
    }

    int release_ = 0;

private:
    std::filesystem::path folder_;
};

TEST_F(ProgramOptionsToolkitTest, AcceptsEachOptionSinceItsReleaseAndWritesOnlyExpectedFiles) {
    write("first.h", "");
    write("second.h", "");
    std::filesystem::create_directory("folder");
    for (const OptionCase& tried : option_cases()) {
        SCOPED_TRACE(tried.flags.back());
        const std::set<std::string> before = files();
        const Compiled compiled = compile(kernel, tried.options);
        EXPECT_EQ(compiled.status == NVRTC_SUCCESS, release_ >= tried.since) << compiled.log;
        // NVRTC 13 stores the precompiled headers that it creates automatically in another folder.
        if (release_ < tried.since || tried.options.pch) continue;
        EXPECT_EQ(files() != before, writes_files(tried.options));
    }
}

TEST_F(ProgramOptionsToolkitTest, RefusesContradictionsAsTheOptionsDo) {
    if (release_ >= 13020) {
        EXPECT_EQ(compile(kernel, std::vector<std::string>{"--numba-debug"}).status, NVRTC_ERROR_INVALID_OPTION);
    }
    const char* const pairs[][2] = {{"--dlink-time-opt", "--relocatable-device-code=false"},
                                    {"--extensible-whole-program", "--relocatable-device-code=true"},
                                    {"--pch", "--create-pch=a.pch"},
                                    {"--pch", "--use-pch=a.pch"},
                                    {"--create-pch=a.pch", "--use-pch=b.pch"}};
    for (const auto& [one, other] : pairs) {
        const std::vector<std::string> flags = {one, other};
        EXPECT_EQ(compile(kernel, flags).status, NVRTC_ERROR_INVALID_OPTION) << one << " " << other;
    }
}

TEST_F(ProgramOptionsToolkitTest, AppliesMacrosAndStandard) {
    constexpr const char* source = R"(
        #if defined(GONE) || !defined(NOTHING)
        #error macros
        #endif
        static_assert(PLAIN == 1 && SUM == 3 && TWICE(2) == 4 NOTHING, "");
        static_assert(TEXT[1] == ' ' && sizeof(TEXT) == 4, "");
        static_assert(__cplusplus == 202002L, "");)";
    const ProgramOptions options = {
        .std = "c++20",
        .define_macro = {{"PLAIN"}, {"SUM", "1 + 2"}, {"NOTHING", ""}, {"TWICE(x)", "(2 * (x))"}, {"TEXT", R"("a b")"}, {"GONE"}},
        .undefine_macro = {"GONE"}};
    const Compiled compiled = compile(source, options);
    EXPECT_EQ(compiled.status, NVRTC_SUCCESS) << compiled.log;
    EXPECT_NE(compile(source, ProgramOptions{.std = "c++20"}).status, NVRTC_SUCCESS);
}

TEST_F(ProgramOptionsToolkitTest, FindsHeadersInTheFoldersOfTheOptions) {
    std::filesystem::create_directory("a folder");
    write("a folder/included.h", "constexpr int included = pre_included;");
    write("pre.h", "constexpr int pre_included = 7;");
    write("beside.h", "constexpr int beside = 1;");
    constexpr const char* source = "#include <included.h>\nstatic_assert(included == 7, \"\");";
    const Compiled compiled = compile(source, ProgramOptions{.include_path = {"a folder"}, .pre_include = {"./pre.h"}});
    EXPECT_EQ(compiled.status, NVRTC_SUCCESS) << compiled.log;
    constexpr const char* beside = "#include \"beside.h\"\nstatic_assert(beside == 1, \"\");";
    EXPECT_EQ(compile(beside, ProgramOptions{}).status, NVRTC_SUCCESS);
    EXPECT_EQ(compile(beside, ProgramOptions{.no_source_include = true}).status, NVRTC_ERROR_COMPILATION);
}

TEST_F(ProgramOptionsToolkitTest, AppliesArithmeticOptions) {
    EXPECT_THAT(compile(kernel, ProgramOptions{}).ptx, AllOf(HasSubstr("div.rn.f32"), HasSubstr("fma.rn.f32")));
    EXPECT_THAT(compile(kernel, ProgramOptions{.prec_div = false}).ptx, HasSubstr("div.full.f32"));
    EXPECT_THAT(compile(kernel, ProgramOptions{.ftz = true}).ptx, HasSubstr("div.rn.ftz.f32"));
    EXPECT_THAT(compile(kernel, ProgramOptions{.fma = false}).ptx, Not(HasSubstr("fma.rn")));
    EXPECT_THAT(compile(kernel, ProgramOptions{.use_fast_math = true}).ptx, HasSubstr("div.approx.ftz.f32"));
    EXPECT_THAT(compile(kernel, ProgramOptions{.ftz = false, .use_fast_math = true}).ptx, HasSubstr("div.approx.f32"));
}

TEST_F(ProgramOptionsToolkitTest, AppliesDebuggingAndLogOptions) {
    EXPECT_THAT(compile(kernel, ProgramOptions{.lineinfo = true}).ptx, HasSubstr(".loc"));
    const std::string with_debug = compile(kernel, ProgramOptions{.debug = true}).ptx;
    EXPECT_THAT(with_debug, HasSubstr(", debug"));
    if (release_ >= 13020) {
        EXPECT_NE(compile(kernel, ProgramOptions{.debug = true, .numba_debug = true}).ptx, with_debug);
    }
    EXPECT_THAT(compile(kernel, ProgramOptions{.ptxas_options = {"-v"}}).log, HasSubstr("registers"));
    constexpr const char* warning = "__device__ int one() { int forgotten; return 1; }";
    EXPECT_THAT(compile(warning, ProgramOptions{}).log, HasSubstr("#177"));
    EXPECT_THAT(compile(warning, ProgramOptions{.no_display_error_number = true}).log,
                AllOf(HasSubstr("forgotten"), Not(HasSubstr("#177"))));
    EXPECT_THAT(compile(warning, ProgramOptions{.diag_suppress = {177}}).log, Not(HasSubstr("forgotten")));
    EXPECT_EQ(compile(warning, ProgramOptions{.diag_error = {177}}).status, NVRTC_ERROR_COMPILATION);
    if (release_ < 12010) return;
    EXPECT_THAT(compile(kernel, ProgramOptions{.time = "-"}).log, HasSubstr("Frontend"));
}

}  // namespace
}  // namespace cubind::testing
