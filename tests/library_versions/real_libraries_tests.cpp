// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs on the vendor's NVRTC and nvJitLink of the release CUBIND_TEST_RELEASE, which environment variables name.
#include <cubind/failure.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdlib.h>
#include <string>
#include <vector>

#include "compiling.hpp"
#include "wrapper_list.hpp"

namespace cubind::testing {
namespace {

using namespace cubind;
using namespace cubind::nvrtc;
using namespace cubind::nvjitlink;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* elf_magic = "\177ELF";

constexpr const char* twice = R"(extern "C" __device__ int twice(int x) { return 2 * x; })";
constexpr const char* caller = R"(
    extern "C" __device__ int twice(int x);
    extern "C" __global__ void kernel(int* out, int x) { *out = twice(x); })";
constexpr const char* whole = R"(
    __device__ int one() { int forgotten; return 1; }  // causes a warning in the log
    extern "C" __global__ void kernel(int* out, int x) { *out = 2 * x; })";

int release() {
    return release_number(tested_release());
}

TEST(NvrtcTest, IsTheTestedLibraryAndReportsItsVersion) {
    ASSERT_TRUE(load(nvrtc::library())) << last_failure().detail;
    EXPECT_STREQ(library_path(nvrtc::library()), getenv("CUBIND_NVRTC_LIBRARY"));
    EXPECT_GE(release(), 12000);
    EXPECT_EQ(version(nvrtc::library()), release());
    auto [status, major, minor] = nvrtcVersion();
    EXPECT_EQ(status, NVRTC_SUCCESS);
    EXPECT_EQ(1000 * major + 10 * minor, release());
}

TEST(NvrtcTest, HasTheFunctionsOfItsRelease) {
    EXPECT_EQ(nvrtc::has(nvrtcSetFlowCallback), release() >= 12080);
    EXPECT_EQ(nvrtc::has(nvrtcGetNVVM), release() < 13000);
}

TEST(NvrtcTest, ReportsTheToolkitThatAMissingFunctionRequires) {
    if (release() < 13020) {
        EXPECT_EQ(nvrtcGetTileIRSize(nullptr).status, NVRTC_ERROR_INTERNAL_ERROR);
        EXPECT_THAT(last_failure().detail, AllOf(HasSubstr("toolkit"), HasSubstr("13.2")));
    } else {
        EXPECT_EQ(nvrtcGetNVVMSize(nullptr).status, NVRTC_ERROR_INTERNAL_ERROR);
        EXPECT_THAT(last_failure().detail, AllOf(HasSubstr("toolkit"), HasSubstr("12.0"), HasSubstr("13.0")));
    }
}

TEST(NvrtcTest, CompilesToPtxAndCubin) {
    const Compiled compiled = compile(whole, {"-arch=sm_80"});
    EXPECT_EQ(compiled.status, NVRTC_SUCCESS) << compiled.log;
    EXPECT_THAT(compiled.log, HasSubstr("forgotten"));
    EXPECT_THAT(compiled.ptx, AllOf(HasSubstr(".target sm_80"), HasSubstr(".entry kernel")));
    EXPECT_THAT(compiled.cubin, StartsWith(elf_magic));
}

TEST(NvrtcTest, ReturnsTheStatusAndTheLogOfAnInvalidSource) {
    const Compiled compiled = compile("__global__ void kernel() { undeclared = 1; }", {"-arch=sm_80"});
    EXPECT_EQ(compiled.status, NVRTC_ERROR_COMPILATION);
    EXPECT_THAT(compiled.log, HasSubstr("test.cu(1): error: identifier \"undeclared\" is undefined"));
    EXPECT_STREQ(nvrtcGetErrorString(compiled.status), "NVRTC_ERROR_COMPILATION");
    EXPECT_EQ(last_failure().reason, FailureReason::status);
    EXPECT_STREQ(last_failure().function, "nvrtcCompileProgram");
    EXPECT_EQ(last_failure().status, static_cast<int>(NVRTC_ERROR_COMPILATION));
}

TEST(NvJitLinkTest, IsTheTestedLibraryAndReportsItsVersionSince12_3) {
    ASSERT_TRUE(load(nvjitlink::library())) << last_failure().detail;
    EXPECT_STREQ(library_path(nvjitlink::library()), getenv("CUBIND_NVJITLINK_LIBRARY"));
    EXPECT_EQ(version(nvjitlink::library()), release() >= 12030 ? release() : 0);
}

TEST(NvJitLinkTest, HasTheFunctionsOfItsRelease) {
    EXPECT_TRUE(nvjitlink::has(nvJitLinkCreate));
    EXPECT_EQ(nvjitlink::has(nvJitLinkGetLinkedLTOIR), release() >= 13030);
}

TEST(NvJitLinkTest, ReportsBothNamesOfAMissingFunctionIfTheVersionIsUnknown) {
    if (release() >= 13030) return;
    EXPECT_EQ(nvJitLinkGetLinkedLTOIRSize(nullptr).status, NVJITLINK_ERROR_INTERNAL);
    const bool is_unknown = release() < 12030;
    const std::string other_name = is_unknown ? "__nvJitLinkGetLinkedLTOIRSize_12_0" : "nvJitLinkGetLinkedLTOIRSize";
    EXPECT_THAT(last_failure().detail, AllOf(HasSubstr(other_name), HasSubstr("toolkit"), HasSubstr("13.3")));
}

TEST(NvJitLinkTest, LinksPtxToACubin) {
    const Linked linked = link({{NVJITLINK_INPUT_PTX, compile(whole, {"-arch=sm_80"}).ptx}}, {"-arch=sm_80", "-verbose"});
    EXPECT_EQ(linked.status, NVJITLINK_SUCCESS) << linked.errors;
    EXPECT_THAT(linked.cubin, StartsWith(elf_magic));
    EXPECT_THAT(linked.cubin, HasSubstr("kernel"));
    EXPECT_THAT(linked.info, HasSubstr("sm_80"));
}

TEST(NvJitLinkTest, LinksTheLtoIrOfTwoSources) {
    const Compiled first = compile(caller, {"-arch=sm_80", "-dlto"});
    const Compiled second = compile(twice, {"-arch=sm_80", "-dlto"});
    ASSERT_EQ(first.status, NVRTC_SUCCESS) << first.log;
    ASSERT_FALSE(first.lto_ir.empty());
    const Inputs inputs = {{NVJITLINK_INPUT_LTOIR, first.lto_ir}, {NVJITLINK_INPUT_LTOIR, second.lto_ir}};
    const Linked linked = link(inputs, {"-arch=sm_80", "-lto"});
    EXPECT_EQ(linked.status, NVJITLINK_SUCCESS) << linked.errors;
    EXPECT_THAT(linked.cubin, StartsWith(elf_magic));
    EXPECT_THAT(linked.cubin, HasSubstr("kernel"));
}

TEST(NvJitLinkTest, ReturnsTheStatusAndTheLogOfAMissingDefinition) {
    const Compiled first = compile(caller, {"-arch=sm_80", "-dlto"});
    const Linked linked = link({{NVJITLINK_INPUT_LTOIR, first.lto_ir}}, {"-arch=sm_80", "-lto"});
    EXPECT_NE(linked.status, NVJITLINK_SUCCESS);
    EXPECT_THAT(linked.errors, HasSubstr("twice"));
    EXPECT_TRUE(linked.cubin.empty());
    EXPECT_EQ(last_failure().reason, FailureReason::status);
    EXPECT_STREQ(last_failure().function, "nvJitLinkComplete");
    EXPECT_EQ(last_failure().status, static_cast<int>(linked.status));
}

}  // namespace
}  // namespace cubind::testing
