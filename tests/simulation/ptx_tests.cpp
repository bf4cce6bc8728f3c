// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "ptx/text/reader.hpp"
#include "ptx/text/target.hpp"

namespace cubind::testing {
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

ptx::ModuleInterface read(const std::string& rest) {
    const ptx::ReadResult reading = ptx::read(with_header(rest), newest);
    EXPECT_EQ(reading.status, CUDA_SUCCESS) << reading.problem;
    return reading.image;
}

std::string problem_of(const std::string& rest) {
    const ptx::ReadResult reading = ptx::read(with_header(rest), newest);
    EXPECT_EQ(reading.status, CUDA_ERROR_INVALID_PTX) << rest;
    return reading.problem;
}

// Matches a message that contains each of the parts.
template <class... Parts>
auto mentions(const Parts&... parts) {
    return ::testing::AllOf(::testing::HasSubstr(parts)...);
}

template <class Value>
Value first_value(const ptx::Variable& variable) {
    Value value{};
    EXPECT_GE(variable.initial.size(), sizeof value);
    std::memcpy(&value, variable.initial.data(), sizeof value);
    return value;
}

TEST(PtxReaderTest, ComputesTheLayoutOfParameters) {
    const ptx::ModuleInterface image = read(R"(
        .visible .entry k(.param .u8 c, .param .align 8 .b8 s[24], .param .u16 h,
                          .param .u64 .ptr .global .align 128 p, .param .v2 .f32 v) { ret; }
        .entry none { ret; })");
    ASSERT_EQ(image.kernels.size(), 2u);
    EXPECT_EQ(image.kernels[0].parameters, (std::vector<Place>{{0, 1}, {8, 24}, {32, 2}, {40, 8}, {48, 8}}));
    EXPECT_EQ(image.kernels[0].parameter_bytes, 56u);
    EXPECT_TRUE(image.kernels[1].parameters.empty());
}

TEST(PtxReaderTest, ReadsTheLimitsOfKernels) {
    const ptx::ModuleInterface image = read(R"(
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

TEST(PtxReaderTest, CountsTheSharedAndLocalMemoryOfBodies) {
    const ptx::ModuleInterface image = read(R"(
        .shared .align 8 .b8 common[100];
        .extern .shared .b8 dynamic[];
        .entry a() { .shared .b8 x[3]; .shared .align 8 .b8 y[8]; .local .b32 z[10]; { .shared .b16 t; } ret; }
        .entry b() { ld.shared.u8 %r1, [common]; st.shared.u8 [common], %r1; mov.u32 %r1, dynamic; ret; }
        .entry c() { /* .shared .b8 no[9]; */ ld.shared.b8 %r1, [%r2]; ret; })");
    ASSERT_EQ(image.kernels.size(), 3u);
    EXPECT_EQ(image.kernels[0].shared_bytes, 18u);
    EXPECT_EQ(image.kernels[0].local_bytes, 40u);
    EXPECT_EQ(image.kernels[1].shared_bytes, 100u) << "counted once although the body uses it twice";
    EXPECT_EQ(image.kernels[2].shared_bytes, 0u);
}

TEST(PtxReaderTest, ReadsVariablesAndInitialValues) {
    const ptx::ModuleInterface image = read(R"(
        .visible .global .align 4 .u32 a = 7;
        .const .s16 b[2][3] = {{1, 2, 3}, {-4, 5, 6}};
        .global .f32 c = 0f3F800000;
        .global .f64 d[] = {1.5, -2};
        .global .b8 e[8] = {0x10, 010, 0b11, 255U};
        .global .u64 f[2] = {generic(a), a+4};
        .weak .global .attribute(.managed) .v4 .f32 g;
        .extern .global .u32 h;)");
    ASSERT_EQ(image.variables.size(), 8u);
    EXPECT_EQ(first_value<std::uint32_t>(image.variables[0]), 7u);
    EXPECT_EQ(image.variables[1].size, 12u);
    EXPECT_EQ(image.variables[1].space, ptx::Space::constant);
    EXPECT_EQ((first_value<std::array<std::int16_t, 6>>(image.variables[1])), (std::array<std::int16_t, 6>{1, 2, 3, -4, 5, 6}));
    EXPECT_EQ(first_value<float>(image.variables[2]), 1.0f);
    EXPECT_EQ(image.variables[3].size, 16u);
    EXPECT_EQ((first_value<std::array<double, 2>>(image.variables[3])), (std::array<double, 2>{1.5, -2.0}));
    EXPECT_EQ((first_value<std::array<std::uint8_t, 4>>(image.variables[4])), (std::array<std::uint8_t, 4>{16, 8, 3, 255}));
    ASSERT_EQ(image.variables[5].relocations.size(), 2u);
    EXPECT_EQ(image.variables[5].relocations[1].offset, 8u);
    EXPECT_EQ(image.variables[5].relocations[1].symbol, "a");
    EXPECT_EQ(image.variables[5].relocations[1].addend, 4);
    EXPECT_TRUE(image.variables[6].is_managed);
    EXPECT_EQ(image.variables[6].alignment, 16u);
    EXPECT_TRUE(image.variables[7].is_extern);
}

TEST(PtxReaderTest, SkipsDirectivesWithoutEffect) {
    const ptx::ModuleInterface image = read(R"(
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

TEST(PtxReaderTest, ReportsTheLineAndTheProblem) {
    EXPECT_THAT(problem_of("\n.entry unclosed() {"), mentions("line 5", "'}'", "unclosed"));
    EXPECT_THAT(problem_of(".entry k(.param .u33 a) { }"), mentions("line 4", "type", "'.u33'"));
    EXPECT_THAT(problem_of(".entry same() { }\n.entry same() { }"), mentions("line 5", "same", "twice"));
    EXPECT_THAT(problem_of("/* never"), mentions("line 4", "comment"));
    EXPECT_THAT(problem_of(".pragma \"never"), mentions("line 4", "string"));
    EXPECT_THAT(problem_of("\x01"), mentions("line 4", "character"));
    EXPECT_THAT(problem_of(".nonsense"), mentions("line 4", "directive", "'.nonsense'"));
    EXPECT_THAT(problem_of(".global .align 3 .u8 a;"), mentions("line 4", "alignment"));
    EXPECT_THAT(problem_of(".global .b8 a[18446744073709551615][2];"), mentions("line 4", "array", "large"));
    EXPECT_THAT(problem_of(".global .u8 a[2] = {1, 2, 3};"), mentions("line 4", "many", "initial"));
    EXPECT_THAT(problem_of(".global .u8 a[2][2] = {{1}, {2, 3}};"), mentions("line 4", "row", "initial"));
    EXPECT_THAT(problem_of(".entry wide(.param .b8 a[40000]) { }"), mentions("line 4", "parameters", "wide"));
    EXPECT_THAT(problem_of(".entry k() .maxntid 0 { }"), mentions("line 4", "threads", "range"));
    EXPECT_THAT(ptx::read(".version 8.0\n.target banana", newest).problem, mentions("line 2", "target", "'banana'", "sm_90"));
    EXPECT_THAT(ptx::read(".version 8.0\n.entry", newest).problem, mentions("line 2", "'.target'", "'.entry'"));
    EXPECT_THAT(ptx::read(".version eight", newest).problem, mentions("line 1", "version", "8.0", "'eight'"));
    EXPECT_THAT(ptx::read(".version 8.0 .target sm_90 .address_size 32", newest).problem, mentions("line 1", "address", "64"));
}

TEST(PtxReaderTest, ReadsOrRejectsEveryPrefix) {
    const std::string text = with_header(
        ".const .s16 b[2][3] = {{1, 2, 3}, {-4, 5, 6}};\n"
        ".visible .entry k(.param .align 8 .b8 s[24]) .maxntid 1, 2 { .shared .b8 x[3]; \"a\"; }");
    for (std::size_t length = 0; length < text.size(); ++length) {
        const std::string prefix = text.substr(0, length);
        const ptx::ReadResult reading = ptx::read(prefix, newest);
        EXPECT_EQ(reading.status == CUDA_SUCCESS, reading.problem.empty());
    }
}

TEST(PtxReaderTest, AcceptsTheVersionsOfTheRelease) {
    const auto status = [](const char* version) {
        return ptx::read(std::string(".version ") + version + "\n.target sm_90\n.new syntax", 8050).status;
    };
    EXPECT_EQ(status("8.6"), CUDA_ERROR_UNSUPPORTED_PTX_VERSION) << "the version is checked before newer syntax";
    EXPECT_EQ(status("8.5"), CUDA_ERROR_INVALID_PTX);
}

TEST(PtxTargetTest, SelectsTheDevicesThatRunIt) {
    const auto runs = [](int target, char variant, int capability) {
        ptx::ModuleInterface image;
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

TEST(PtxTargetTest, IsRejectedIfItsPtxVersionLacksIt) {
    const auto problem = [](int version, int target, char variant) {
        ptx::ModuleInterface image;
        image.version = version;
        image.target = target;
        image.variant = variant;
        return ptx::find_target_problem(image, 200);
    };
    EXPECT_THAT(problem(7000, 90, 0), mentions("7.0", "sm_90"));
    EXPECT_EQ(problem(7080, 90, 0), "");
    EXPECT_THAT(problem(9040, 81, 0), mentions("9.4", "sm_81"));
    EXPECT_THAT(problem(9040, 80, 'a'), mentions("9.4", "sm_80a"));
    EXPECT_THAT(problem(8060, 100, 'f'), mentions("8.6", "sm_100f"));
}

}  // namespace
}  // namespace cubind::testing
