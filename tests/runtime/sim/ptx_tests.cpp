// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include <gtest/gtest.h>

#include "ptx/isa.hpp"
#include "ptx/reader.hpp"
#include "ptx/target.hpp"
#include "support/ptx_isa.hpp"

namespace {

namespace ptx = cubind::sim::ptx;
using cubind::driver::CUDA_ERROR_INVALID_PTX;
using cubind::driver::CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
using cubind::driver::CUDA_SUCCESS;
using Place = cubind::sim::detail::ParameterLayout;

constexpr int newest = 9040;

std::string with_header(const std::string& rest) {
    return ".version 8.0\n.target sm_90\n.address_size 64\n" + rest;
}

ptx::Image read(const std::string& rest) {
    const ptx::ReadResult reading = ptx::read(with_header(rest), newest);
    EXPECT_EQ(reading.status, CUDA_SUCCESS) << reading.problem;
    return reading.image;
}

std::string problem_of(const std::string& rest) {
    const ptx::ReadResult reading = ptx::read(with_header(rest), newest);
    EXPECT_EQ(reading.status, CUDA_ERROR_INVALID_PTX) << rest;
    return reading.problem;
}

template <class Value>
Value first(const ptx::Variable& variable) {
    Value value{};
    EXPECT_GE(variable.initial.size(), sizeof value);
    std::memcpy(&value, variable.initial.data(), sizeof value);
    return value;
}

TEST(PtxReader, LaysParametersOut) {
    const ptx::Image image = read(R"(
        .visible .entry k(.param .u8 c, .param .align 8 .b8 s[24], .param .u16 h,
                          .param .u64 .ptr .global .align 128 p, .param .v2 .f32 v) { ret; }
        .entry none { ret; })");
    ASSERT_EQ(image.kernels.size(), 2u);
    EXPECT_EQ(image.kernels[0].parameters, (std::vector<Place>{{0, 1}, {8, 24}, {32, 2}, {40, 8}, {48, 8}}));
    EXPECT_EQ(image.kernels[0].parameter_bytes, 56u);
    EXPECT_TRUE(image.kernels[1].parameters.empty());
}

TEST(PtxReader, ReadsLimitsOfKernels) {
    const ptx::Image image = read(R"(
        .entry a() .maxntid 16, 8 .minnctapersm 2 .maxnreg 40 .pragma "any"; { ret; }
        .entry b() .reqntid 64 .explicitcluster .reqnctapercluster 2, 1, 1 { ret; }
        .entry c() .maxclusterrank 4 .noreturn { ret; })");
    ASSERT_EQ(image.kernels.size(), 3u);
    EXPECT_EQ(image.kernels[0].max_threads(), 128u);
    EXPECT_EQ(image.kernels[0].max_registers, 40u);
    EXPECT_FALSE(image.kernels[0].is_block_required);
    EXPECT_TRUE(image.kernels[1].is_block_required);
    EXPECT_EQ(image.kernels[1].cluster.x, 2u);
    EXPECT_TRUE(image.kernels[1].must_have_cluster);
    EXPECT_EQ(image.kernels[2].max_cluster_blocks, 4u);
}

TEST(PtxReader, CountsSharedAndLocalMemoryOfBodies) {
    const ptx::Image image = read(R"(
        .shared .align 8 .b8 common[100];
        .extern .shared .b8 dynamic[];
        .entry a() { .shared .b8 x[3]; .shared .align 8 .b8 y[8]; .local .b32 z[10]; { .shared .b16 t; } ret; }
        .entry b() { ld.shared.u8 %r1, [common]; st.shared.u8 [common], %r1; mov.u32 %r1, dynamic; ret; }
        .entry c() { /* .shared .b8 no[9]; */ ld.shared.b8 %r1, [%r2]; ret; })");
    ASSERT_EQ(image.kernels.size(), 3u);
    EXPECT_EQ(image.kernels[0].shared_bytes, 18u);
    EXPECT_EQ(image.kernels[0].local_bytes, 40u);
    EXPECT_EQ(image.kernels[1].shared_bytes, 100u) << "once, though it is named twice";
    EXPECT_EQ(image.kernels[2].shared_bytes, 0u);
}

TEST(PtxReader, ReadsVariablesAndTheirValues) {
    const ptx::Image image = read(R"(
        .visible .global .align 4 .u32 a = 7;
        .const .s16 b[2][3] = {{1, 2, 3}, {-4, 5, 6}};
        .global .f32 c = 0f3F800000;
        .global .f64 d[] = {1.5, -2};
        .global .b8 e[8] = {0x10, 010, 0b11, 255U};
        .global .u64 f[2] = {generic(a), a+4};
        .weak .global .attribute(.managed) .v4 .f32 g;
        .extern .global .u32 h;)");
    ASSERT_EQ(image.variables.size(), 8u);
    EXPECT_EQ(first<std::uint32_t>(image.variables[0]), 7u);
    EXPECT_EQ(image.variables[1].size, 12u);
    EXPECT_EQ(image.variables[1].space, ptx::Space::constant);
    EXPECT_EQ((first<std::array<std::int16_t, 6>>(image.variables[1])), (std::array<std::int16_t, 6>{1, 2, 3, -4, 5, 6}));
    EXPECT_EQ(first<float>(image.variables[2]), 1.0f);
    EXPECT_EQ(image.variables[3].size, 16u);
    EXPECT_EQ((first<std::array<double, 2>>(image.variables[3])), (std::array<double, 2>{1.5, -2.0}));
    EXPECT_EQ((first<std::array<std::uint8_t, 4>>(image.variables[4])), (std::array<std::uint8_t, 4>{16, 8, 3, 255}));
    ASSERT_EQ(image.variables[5].relocations.size(), 2u);
    EXPECT_EQ(image.variables[5].relocations[1].offset, 8u);
    EXPECT_EQ(image.variables[5].relocations[1].symbol, "a");
    EXPECT_EQ(image.variables[5].relocations[1].addend, 4);
    EXPECT_TRUE(image.variables[6].is_managed);
    EXPECT_EQ(image.variables[6].alignment, 16u);
    EXPECT_TRUE(image.variables[7].is_extern);
}

TEST(PtxReader, PassesOverWhatDoesNotShow) {
    const ptx::Image image = read(R"(
        .file 1 "a.cu", 17, 42
        .func (.param .b32 r) f(.param .b32 x) { { ret; } }
        .func g;
        .alias f, g;
        .pragma "nounroll";
        .section .debug_str { .b8 1, 2 }
        .entry declared(.param .u32 a);
        .entry k() { .loc 1 5 3
            $l: @%p1 bra $l; // }
            ret; }
        // the end)");
    ASSERT_EQ(image.kernels.size(), 1u);
    EXPECT_EQ(image.kernels[0].name, "k");
}

TEST(PtxReader, SaysWhereAndWhatIsWrong) {
    EXPECT_EQ(problem_of("\n.entry k() {"), "line 5: expected '}' at the end of k, found the end");
    EXPECT_EQ(problem_of(".entry k(.param .u33 a) { }"), "line 4: expected a type, found '.u33'");
    EXPECT_EQ(problem_of(".entry k() { }\n.entry k() { }"), "line 5: kernel k is defined twice");
    EXPECT_EQ(problem_of("/* never"), "line 4: a comment does not end");
    EXPECT_EQ(problem_of(".pragma \"never"), "line 4: a string does not end");
    EXPECT_EQ(problem_of("\x01"), "line 4: a character that is not valid in PTX");
    EXPECT_EQ(problem_of(".nonsense"), "line 4: expected a directive, found '.nonsense'");
    EXPECT_EQ(problem_of(".global .align 3 .u8 a;"), "line 4: an alignment is not a power of two");
    EXPECT_EQ(problem_of(".global .b8 a[18446744073709551615][2];"), "line 4: an array is too large");
    EXPECT_EQ(problem_of(".global .u8 a[2] = {1, 2, 3};"), "line 4: too many initial values");
    EXPECT_EQ(problem_of(".global .u8 a[2][2] = {{1}, {2, 3}};"), "line 4: a row of initial values in braces is not complete");
    EXPECT_EQ(problem_of(".entry k(.param .b8 a[40000]) { }"), "line 4: the parameters of k are too large");
    EXPECT_EQ(problem_of(".entry k() .maxntid 0 { }"), "line 4: a number of threads or blocks is out of range");
    EXPECT_EQ(ptx::read(".version 8.0\n.target banana", newest).problem, "line 2: 'banana' is no target such as sm_90");
    EXPECT_EQ(ptx::read(".version 8.0\n.entry", newest).problem, "line 2: expected '.target', found '.entry'");
    EXPECT_EQ(ptx::read(".version eight", newest).problem, "line 1: expected a version such as 8.0, found 'eight'");
    EXPECT_EQ(ptx::read(".version 8.0 .target sm_90 .address_size 32", newest).problem, "line 1: addresses must have 64 bits");
}

TEST(PtxReader, EveryPrefixIsReadOrRefused) {
    const std::string text = with_header(".const .s16 b[2][3] = {{1, 2, 3}, {-4, 5, 6}};\n"
                                         ".visible .entry k(.param .align 8 .b8 s[24]) .maxntid 1, 2 { .shared .b8 x[3]; \"a\"; }");
    for (std::size_t length = 0; length < text.size(); ++length) {
        const std::string prefix = text.substr(0, length);
        const ptx::ReadResult reading = ptx::read(prefix, newest);
        EXPECT_EQ(reading.status == CUDA_SUCCESS, reading.problem.empty());
    }
}

TEST(PtxReader, DriverTakesTheVersionsOfItsRelease) {
    const auto status = [](const char* version) {
        return ptx::read(std::string(".version ") + version + "\n.target sm_90\n.new syntax", 8050).status;
    };
    EXPECT_EQ(status("8.6"), CUDA_ERROR_UNSUPPORTED_PTX_VERSION) << "before anything that is new in it is looked at";
    EXPECT_EQ(status("8.5"), CUDA_ERROR_INVALID_PTX);
    for (const auto& row : cubind::detail::ptx_isa_of_releases) {
        EXPECT_EQ(ptx::newest_version(row.release), row.ptx_isa) << row.release;
    }
}

TEST(PtxTarget, DecidesWhichDevicesRunIt) {
    const auto runs = [](int target, char variant, int capability) {
        ptx::Image image;
        image.version = newest;
        image.target = target;
        image.variant = variant;
        return ptx::find_target_problem(image, capability).empty();
    };
    EXPECT_TRUE(runs(80, 0, 90));
    EXPECT_FALSE(runs(100, 0, 90));
    EXPECT_TRUE(runs(90, 'a', 90));
    EXPECT_FALSE(runs(90, 'a', 100));
    EXPECT_TRUE(runs(100, 'f', 103));
    EXPECT_FALSE(runs(100, 'f', 120));
}

TEST(PtxTarget, MustBeOneOfItsVersion) {
    const auto problem = [](int version, int target, char variant) {
        ptx::Image image;
        image.version = version;
        image.target = target;
        image.variant = variant;
        return ptx::find_target_problem(image, 200);
    };
    EXPECT_EQ(problem(7000, 90, 0), "PTX 7.0 has no target sm_90");
    EXPECT_EQ(problem(7080, 90, 0), "");
    EXPECT_EQ(problem(9040, 81, 0), "PTX 9.4 has no target sm_81");
    EXPECT_EQ(problem(9040, 80, 'a'), "PTX 9.4 has no target sm_80a");
    EXPECT_EQ(problem(8060, 100, 'f'), "PTX 8.6 has no target sm_100f");
}

}  // namespace
