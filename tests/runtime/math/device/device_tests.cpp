// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// What libmathdx receives, wrong descriptions, missing libraries, and each of its calls failing once, with a stand-in.
#include <cubind/core.hpp>
#include <cubind/math_device.hpp>
#include <cubind/mathdx/loading.hpp>
#include <cubind/mathdx/types.hpp>

#include <stdexcept>
#include <string>
#include <utility>

#include "library_file.hpp"
#include "mathdx_stand_in.hpp"

namespace cubind::testing {
namespace {

namespace device = math::device;
using math::Precision;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class MathDeviceTest : public CoreTest {
protected:
    ~MathDeviceTest() override {
        EXPECT_EQ(stand_in().descriptors, 0);
        EXPECT_EQ(stand_in().codes, 0);
    }
    static MathdxStandIn& stand_in() { return mathdx_stand_in(); }
    static std::string refused(const device::FftDescription& description) {
        return message_of<std::invalid_argument>([&] { const device::Fft fft(description); });
    }
    static std::string refused(const device::GemmDescription& description) {
        return message_of<std::invalid_argument>([&] { const device::Gemm gemm(description); });
    }
    static std::string refused(const device::SolverDescription& description) {
        return message_of<std::invalid_argument>([&] { const device::Solver solver(description); });
    }
    static std::string refused(const device::RandomDescription& description) {
        return message_of<std::invalid_argument>([&] { const device::Random random(description); });
    }

private:
    ScopedMathdxStandIn stand_in_;
};

TEST_F(MathDeviceTest, PassesTheDescriptionOfAnFft) {
    const device::Fft fft({.size = 256,
                           .precision = Precision::f64,
                           .type = device::FftType::real_to_complex,
                           .ffts_per_block = 2,
                           .elements_per_thread = 8,
                           .layout = device::ComplexLayout::packed,
                           .is_folded = true,
                           .arch = "sm_80"});
    EXPECT_THAT(stand_in().operators, ElementsAre("fft 0 = 256", "fft 1 = 0", "fft 2 = 1", "fft 3 = 6", "fft 4 = 800",
                                                  "fft 5 = 1", "fft 10 = 0", "fft 6 = 2", "fft 7 = 8", "fft 9 = 1 1"));
    EXPECT_EQ(fft.symbol(), "fft_256_f64_r2c");
    EXPECT_EQ(stand_in().names, std::vector<std::string>{fft.symbol()});
    EXPECT_EQ(fft.arch(), "sm_80");
    EXPECT_EQ(fft.traits().elements_per_thread, 16u + mathdx::CUFFTDX_TRAIT_ELEMENTS_PER_THREAD);
    EXPECT_EQ(fft.shared_memory_size(), 16u + mathdx::CUFFTDX_TRAIT_SHARED_MEMORY_SIZE);
    EXPECT_EQ(fft.block(), Dim3(32 + mathdx::CUFFTDX_TRAIT_BLOCK_DIM));
    EXPECT_THAT(fft.declaration(), HasSubstr("void fft_256_f64_r2c(double2* values, char* shared);"));
    EXPECT_EQ(stand_in().finalized, 0) << "the traits need no compilation";
    EXPECT_EQ(fft.code().size(), 1u);
    const device::Function copy = fft;
    EXPECT_EQ(copy.code().front().shared_bytes(), fft.code().front().shared_bytes());
    EXPECT_EQ(stand_in().finalized, 1) << "copies share the code";
    EXPECT_EQ(stand_in().architecture, 800);
}

TEST_F(MathDeviceTest, PassesTheDescriptionOfAGemm) {
    const device::Gemm gemm(
        {.m = 4,
         .n = 5,
         .k = 6,
         .precision = {Precision::f16, Precision::f16, Precision::f32},
         .arrangement = {math::Arrangement::row_major, math::Arrangement::column_major, math::Arrangement::row_major},
         .leading_dimension = {8, 6, 5},
         .alignment = {16, 4, 8},
         .block_size = 96,
         .arch = "90"});
    EXPECT_THAT(stand_in().operators,
                ElementsAre("gemm 0 = 0", "gemm 1 = 4 5 6", "gemm 2 = 0", "gemm 3 = 3 3 5", "gemm 4 = 900", "gemm 5 = 1",
                            "gemm 9 = 0", "gemm 10 = 1 0 1", "gemm 7 = 8 6 5", "gemm 11 = 16 4 8", "gemm 6 = 96 1 1"));
    EXPECT_EQ(gemm.symbol(), "gemm_4x5x6_f16_f16_f32_bt");
    EXPECT_THAT(gemm.declaration(),
                HasSubstr("(const float* alpha, const void* a, const void* b, const float* beta, float* c);"));
}

TEST_F(MathDeviceTest, PassesTheDescriptionOfASolver) {
    const device::Solver solver({.function = device::SolverFunction::triangular_solve,
                                 .m = 8,
                                 .right_hand_sides = 3,
                                 .domain = math::Domain::complex,
                                 .triangle = device::Triangle::upper,
                                 .transpose = device::Transpose::conjugated,
                                 .is_unit = true,
                                 .batches_per_block = 2,
                                 .arch = "sm_90"});
    EXPECT_THAT(stand_in().operators,
                ElementsAre("solver 0 = 8 3", "solver 1 = 1", "solver 2 = 5", "solver 3 = 900", "solver 4 = 1", "solver 6 = 0",
                            "solver 7 = 4", "solver 8 = 0 0", "solver 9 = 0", "solver 10 = 0", "solver 11 = 0", "solver 12 = 2",
                            "solver 14 = 2"));
    EXPECT_EQ(solver.symbol(), "triangular_solve_8x3_complex_upper_conjugated_unit");
    EXPECT_EQ(solver.traits().b_offset, 2 * 64 * 8u);
    EXPECT_EQ(solver.shared_memory_size(), 2 * 64 * 8u + 2 * 24 * 8u + 16 + mathdx::CUSOLVERDX_TRAIT_WORKSPACE_SIZE);
    EXPECT_EQ(solver.code().size(), 2u) << "LTO-IR and a fat binary";
}

TEST_F(MathDeviceTest, PassesTheDescriptionOfRandomNumbers) {
    const device::Random random({.generator = device::Generator::mrg32k3a,
                                 .distribution = device::Distribution::log_normal,
                                 .precision = Precision::f64,
                                 .values = 2,
                                 .arch = "sm_90"});
    EXPECT_THAT(stand_in().operators, ElementsAre("random 0 = 1", "random 2 = 900", "random 3 = 0", "random 4 = 3",
                                                  "random 5 = 14", "random 6 = 1", "random 7 = 1", "random 8 = 54"));
    EXPECT_THAT(random.declaration(),
                AllOf(HasSubstr("random_log_normal_f64_mrg32k3a_x2_generate("), HasSubstr("generated_symbol")));
}

TEST_F(MathDeviceTest, UsesTheArchitectureOfTheCurrentDevice) {
    EXPECT_EQ(device::Fft({.size = 8}).arch(), "sm_" + Device().arch());
}

TEST_F(MathDeviceTest, RefusesWrongTransforms) {
    EXPECT_THAT(refused(device::FftDescription{.size = 0}), HasSubstr("size is 0"));
    EXPECT_THAT(refused(device::FftDescription{.size = std::size_t{1} << 32}), HasSubstr("4294967296"));
    EXPECT_THAT(refused({.size = 8, .precision = Precision::i32}), AllOf(HasSubstr("i32"), HasSubstr("f16, f32 or f64")));
    EXPECT_THAT(refused({.size = 8, .type = device::FftType::real_to_complex, .direction = device::FftDirection::inverse}),
                AllOf(HasSubstr("real_to_complex"), HasSubstr("inverse")));
    EXPECT_THAT(refused({.size = 8, .type = device::FftType::complex_to_real, .direction = device::FftDirection::forward}),
                HasSubstr("complex_to_real"));
    EXPECT_THAT(refused({.size = 8, .execution = device::Execution::thread, .ffts_per_block = 2}),
                HasSubstr("ffts_per_block is 2"));
    EXPECT_THAT(refused({.size = 8, .execution = device::Execution::thread, .elements_per_thread = 4}),
                HasSubstr("elements_per_thread is 4"));
    EXPECT_THAT(refused({.size = 8, .ffts_per_block = 0}), HasSubstr("ffts_per_block is 0"));
    EXPECT_THAT(refused({.size = 8, .layout = device::ComplexLayout::full}), HasSubstr("layout"));
    EXPECT_THAT(refused({.size = 8, .arch = "hopper"}), HasSubstr("\"hopper\""));
    EXPECT_THAT(refused({.size = 8, .arch = "sm_90a"}), HasSubstr("\"sm_90\""));
    EXPECT_THAT(refused({.size = 8, .symbol = "8fft"}), HasSubstr("\"8fft\""));
    EXPECT_TRUE(stand_in().operators.empty()) << "libmathdx was asked";
    stand_in().is_supported = 0;
    EXPECT_THAT(refused({.size = 70001, .arch = "sm_90"}), AllOf(HasSubstr("70001"), HasSubstr("sm_90"), HasSubstr("cuFFT")));
}

TEST_F(MathDeviceTest, RefusesWrongProducts) {
    EXPECT_THAT(refused({.m = 0, .n = 1, .k = 1}), HasSubstr("m is 0"));
    EXPECT_THAT(refused({.m = 4, .n = 4, .k = 8, .leading_dimension = {7}}), AllOf(HasSubstr("7"), HasSubstr("8 elements")));
    EXPECT_THAT(refused({.m = 4, .n = 4, .k = 4, .alignment = {2}}), AllOf(HasSubstr("2 bytes"), HasSubstr("from 4")));
    EXPECT_THAT(refused({.m = 4, .n = 4, .k = 4, .alignment = {32}}), HasSubstr("32"));
    EXPECT_THAT(refused({.m = 4, .n = 4, .k = 4, .block_size = 2048}), HasSubstr("2048"));
}

TEST_F(MathDeviceTest, RefusesWrongSolvers) {
    using enum device::SolverFunction;
    EXPECT_THAT(refused({.function = cholesky, .m = 8, .n = 4}), AllOf(HasSubstr("n is 4"), HasSubstr("m is 8")));
    EXPECT_THAT(refused({.function = lu, .m = 8, .right_hand_sides = 2}), HasSubstr("right_hand_sides is 2"));
    EXPECT_THAT(refused({.function = qr, .m = 8, .triangle = device::Triangle::upper}), HasSubstr("triangle"));
    EXPECT_THAT(refused({.function = cholesky, .m = 8, .transpose = device::Transpose::transposed}), HasSubstr("transpose"));
    EXPECT_THAT(refused({.function = cholesky, .m = 8, .is_unit = true}), HasSubstr("is_unit"));
    EXPECT_THAT(refused({.function = cholesky, .m = 8, .precision = Precision::f16}), HasSubstr("f16"));
    EXPECT_THAT(refused({.function = static_cast<device::SolverFunction>(99), .m = 8}), HasSubstr("99"));
}

TEST_F(MathDeviceTest, RefusesWrongRandomNumbers) {
    EXPECT_THAT(refused({.distribution = device::Distribution::bits, .precision = Precision::f32}), HasSubstr("u32"));
    EXPECT_THAT(refused({.distribution = device::Distribution::normal, .precision = Precision::u32}), HasSubstr("f64"));
    EXPECT_THAT(refused({.generator = device::Generator::xorwow, .values = 4}), AllOf(HasSubstr("4"), HasSubstr("xorwow")));
    EXPECT_THAT(refused({.generator = device::Generator::philox, .values = 3}), HasSubstr("3"));
    EXPECT_THAT(refused({.generator = device::Generator::pcg, .values = 2}), HasSubstr("has 1 of"));
    EXPECT_THAT(refused({.distribution = device::Distribution::poisson, .precision = Precision::u32}), HasSubstr("philox"));
    EXPECT_THAT(refused({.distribution = device::Distribution::bits, .precision = Precision::u64}), HasSubstr("use u32"));
}

TEST_F(MathDeviceTest, RefusesToLinkWhatDoesNotFit) {
    const ObjectCode caller = ObjectCode::from_bytes(CodeType::lto_ir, "caller");
    const device::Fft first({.size = 8, .arch = "sm_80"}), second({.size = 8, .arch = "sm_80"}),
        third({.size = 16, .arch = "sm_90"});
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)device::link({caller}, {first, second}); }), HasSubstr("fft_8"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] {
                    (void)device::link({caller}, {first, third});
                }),
                AllOf(HasSubstr("sm_80"), HasSubstr("sm_90")));
    device::Fft moved = first;
    const device::Fft target = std::move(moved);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)moved.symbol(); }), HasSubstr("moved"));
}

TEST_F(MathDeviceTest, ReportsTheLogOfTheCompiler) {
    stand_in().finalize_status = mathdx::COMMONDX_COMPILATION_ERROR;
    const device::Fft fft({.size = 8});
    EXPECT_THAT(message_of<CompileError>([&] { (void)fft.code(); }),
                AllOf(HasSubstr("cufftdxFinalizeCode"), HasSubstr("FFT of 8 elements"), HasSubstr("the log of the stand-in")));
    stand_in().log = "cannot open source file \"cccl/header.h\"";
    EXPECT_THAT(message_of<CompileError>([&] { (void)fft.code(); }), HasSubstr("LIBMATHDX_NVRTC_NO_BUNDLED_HEADERS=1"));
    stand_in().finalize_status = 0;
    EXPECT_EQ(fft.code().size(), 1u) << "a later call tries again";
    stand_in().trait_status = mathdx::COMMONDX_INVALID_VALUE;
    EXPECT_THAT(message_of<Error>([] { const device::Solver solver({.m = 9}); }),
                AllOf(HasSubstr("COMMONDX_INVALID_VALUE"), HasSubstr("9 x 9"), HasSubstr("change the description")));
}

TEST_F(MathDeviceTest, SurvivesEachFailureOfALibrary) {
    EXPECT_GT(sweep([] { (void)device::Fft({.size = 8}).code(); }), 20u);
    EXPECT_GT(sweep([] { (void)device::Gemm({.m = 8, .n = 8, .k = 8}).code(); }), 20u);
    EXPECT_GT(sweep([] { (void)device::Solver({.m = 8}).code(); }), 20u);
    EXPECT_GT(sweep([] { (void)device::Random({}).code(); }), 20u);
}

/// The library itself, which an environment variable names.
class MathLibraryTest : public CoreTest {
protected:
    static std::string message_with(const char* file) {
        return message_with_file(mathdx::library(), mathdx::all_entry_points(), "CUBIND_MATHDX_LIBRARY", file,
                                 [] { const device::Fft fft({.size = 8}); });
    }
};

TEST_F(MathLibraryTest, NamesTheMissingLibraryAndItsPackage) {
    EXPECT_THAT(
        message_with("/nonexistent/libmathdx.so.0"),
        AllOf(HasSubstr("/nonexistent/libmathdx.so.0"), HasSubstr("nvidia-libmathdx-cu13"), HasSubstr("FFT of 8 elements")));
}

TEST_F(MathLibraryTest, RefusesAnotherMinorVersion) {
    EXPECT_THAT(message_with(CUBIND_TEST_NEXT_MINOR), AllOf(HasSubstr("libmathdx 0.5.0"), HasSubstr("before libmathdx 0.5.0")));
}

}  // namespace
}  // namespace cubind::testing
