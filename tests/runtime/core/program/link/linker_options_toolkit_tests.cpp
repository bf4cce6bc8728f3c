// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the flags through the vendor's nvJitLink of one release, which the environment variables name.
#include <cubind/core/program/linker_options.hpp>
#include <cubind/core/program/program_options.hpp>
#include <cubind/failure.hpp>
#include <cubind/nvjitlink.hpp>
#include <cubind/nvrtc.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "linker_option_cases.hpp"
#include "program/link/linker_flags.hpp"
#include "program/program_flags.hpp"

namespace cubind::testing {
namespace {

using cubind::detail::nvjitlink_flags;
using cubind::detail::nvrtc_flags;
using namespace cubind::nvjitlink;
using namespace cubind::nvrtc;
using cubind::LinkerOptions;
using cubind::ProgramOptions;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* source = R"(
    __device__ int one = 1, two = 2;
    extern "C" __global__ void used(float* x) { *x = x[1] / x[2] + x[3] * x[4]; }
    extern "C" __global__ void other(float* x) { *x = 2; })";

std::vector<const char*> texts_of(const std::vector<std::string>& flags) {
    std::vector<const char*> texts;
    for (const std::string& flag : flags) texts.push_back(flag.c_str());
    return texts;
}

// Compiles the source to LTO-IR if the options request it, otherwise to PTX.
std::string compile(const ProgramOptions& options) {
    const std::vector<std::string> flags = nvrtc_flags(options);
    const std::vector<const char*> texts = texts_of(flags);
    auto [created, program] = nvrtcCreateProgram(source, "program", 0, nullptr, nullptr);
    EXPECT_EQ(created, NVRTC_SUCCESS) << cubind::last_failure().detail;
    EXPECT_EQ(nvrtcCompileProgram(program, static_cast<int>(texts.size()), texts.data()).status, NVRTC_SUCCESS);
    const bool is_lto = options.link_time_optimization;
    std::string code((is_lto ? nvrtcGetLTOIRSize(program) : nvrtcGetPTXSize(program)).value, '\0');
    EXPECT_TRUE((is_lto ? nvrtcGetLTOIR(program, code.data()) : nvrtcGetPTX(program, code.data())).ok());
    EXPECT_TRUE(nvrtcDestroyProgram(program).ok());
    return code;
}

// Returns the release of nvJitLink, which is that of the NVRTC beside it. nvJitLink does not report its release before 12.3.
int release() {
    return cubind::version(cubind::nvrtc::library());
}

struct Linked {
    nvJitLinkResult status;
    std::string code;  // PTX if the options request it
};

// Links the source, as LTO-IR or PTX, with these flags.
Linked link(bool is_lto, const std::vector<std::string>& flags) {
    static const std::string lto_ir = compile({.arch = "sm_90", .link_time_optimization = true});
    static const std::string ptx = compile({.arch = "sm_90"});
    const std::string& code = is_lto ? lto_ir : ptx;
    std::vector<const char*> texts = texts_of(flags);
    auto [status, linker] = nvJitLinkCreate(static_cast<std::uint32_t>(texts.size()), texts.data());
    const nvJitLinkInputType type = is_lto ? NVJITLINK_INPUT_LTOIR : NVJITLINK_INPUT_PTX;
    if (status == NVJITLINK_SUCCESS) status = nvJitLinkAddData(linker, type, code.data(), code.size(), "input").status;
    if (status == NVJITLINK_SUCCESS) status = nvJitLinkComplete(linker).status;
    Linked linked{.status = status, .code = {}};
    if (status == NVJITLINK_SUCCESS) {
        const bool is_ptx = std::find(flags.begin(), flags.end(), "-ptx") != flags.end();
        linked.code.resize((is_ptx ? nvJitLinkGetLinkedPtxSize(linker) : nvJitLinkGetLinkedCubinSize(linker)).value);
        EXPECT_TRUE(
            (is_ptx ? nvJitLinkGetLinkedPtx(linker, linked.code.data()) : nvJitLinkGetLinkedCubin(linker, linked.code.data()))
                .ok());
    }
    // Before 12.5 nvJitLink may crash when it destroys a link that failed.
    const bool is_stuck = status != NVJITLINK_SUCCESS && release() < 12050;
    EXPECT_TRUE(linker == nullptr || is_stuck || nvJitLinkDestroy(linker).ok());
    return linked;
}

// 12.1 crashes on LTO-IR with names of used kernels or variables.
bool crashes_on(bool is_lto, const LinkerOptions& options) {
    return is_lto && release() == 12010 && !(options.kernels_used.empty() && options.variables_used.empty());
}

// Expects that nvJitLink accepts an option if nvjitlink_flags() accepts it for this release, and refuses it otherwise.
void expect_accepted_since_its_release(bool is_lto, const OptionCase& tried) {
    if (crashes_on(is_lto, tried.options)) return;
    LinkerOptions options = tried.options;
    options.link_time_optimization = is_lto;
    if (options.arch.empty()) options.arch = "sm_90";
    bool has_it = true;
    try {
        static_cast<void>(nvjitlink_flags(options, release()));
    } catch (const std::invalid_argument&) {
        has_it = false;
    }
    EXPECT_EQ(link(is_lto, nvjitlink_flags(options)).status == NVJITLINK_SUCCESS, has_it) << tried.flags.back();
}

TEST(LinkerOptionsToolkitTest, AcceptsEachOptionForLtoIrSinceItsRelease) {
    for (const OptionCase& tried : option_cases()) expect_accepted_since_its_release(true, tried);
}

TEST(LinkerOptionsToolkitTest, AcceptsOtherOptionsForPtxSinceTheirRelease) {
    for (const OptionCase& tried : option_cases()) {
        if (!tried.options.link_time_optimization) expect_accepted_since_its_release(false, tried);
    }
}

TEST(LinkerOptionsToolkitTest, RefusesValuesThatTheOptionsRefuse) {
    EXPECT_NE(link(true, {"-arch=compute_90", "-lto"}).status, NVJITLINK_SUCCESS);
    EXPECT_NE(link(false, {"-arch=sm_90", "-ptx"}).status, NVJITLINK_SUCCESS);
    if (release() < 12030) return;  // older releases crash or accept the following flags
    EXPECT_NE(link(false, {"-arch=90"}).status, NVJITLINK_SUCCESS);
    for (const char* level : {"-O1", "-O2", "-O4"})
        EXPECT_NE(link(false, {"-arch=sm_90", level}).status, NVJITLINK_SUCCESS) << level;
}

TEST(LinkerOptionsToolkitTest, AppliesArithmeticOptionsToLtoIr) {
    const auto ptx = [](LinkerOptions options) {
        options.arch = "compute_90";
        options.link_time_optimization = options.ptx = true;
        return link(true, nvjitlink_flags(options)).code;
    };
    EXPECT_THAT(ptx({}), AllOf(HasSubstr("div.rn.f32"), HasSubstr("fma.rn.f32"), HasSubstr(".entry other")));
    EXPECT_THAT(ptx({.ftz = true}), HasSubstr("div.rn.ftz.f32"));
    EXPECT_THAT(ptx({.prec_div = false}), HasSubstr("div.full.f32"));
    EXPECT_THAT(ptx({.fma = false}), Not(HasSubstr("fma.rn")));
    const LinkerOptions one_used = {.kernels_used = {"used"}};
    if (crashes_on(true, one_used)) return;
    EXPECT_THAT(ptx(one_used), AllOf(HasSubstr(".entry used"), Not(HasSubstr(".entry other"))));
}

}  // namespace
}  // namespace cubind::testing
