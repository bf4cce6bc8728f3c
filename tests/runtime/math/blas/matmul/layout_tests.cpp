// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Layouts that cuBLASLt is told about, from the strides of operands.
#include <cubind/math/matmul.hpp>

#include <complex>
#include <cstdint>
#include <string>

#include "matmul_test.hpp"

namespace cubind::testing {
namespace {

using namespace cublaslt;
using ::testing::AllOf;
using ::testing::HasSubstr;

class MatmulLayoutTest : public MatmulTest {
protected:
    /// Returns "TN 80x64 ld 80, 80x48 ld 80, 64x48 ld 64", as cuBLASLt got it.
    std::string layouts(const math::Operand& a, const math::Operand& b, const math::Output& d,
                        const math::MatmulArguments& arguments = {}) {
        math::matmul(stream_, a, b, d, arguments);
        const auto letter = [](std::int64_t operation) { return std::string(operation == cublas::CUBLAS_OP_T ? "T" : "N"); };
        return letter(attribute(CUBLASLT_MATMUL_DESC_TRANSA)) + letter(attribute(CUBLASLT_MATMUL_DESC_TRANSB)) + " " +
               latest().a.text() + ", " + latest().b.text() + ", " + latest().d.text();
    }
};

TEST_F(MatmulLayoutTest, ComputesRowMajorResultsAsTheirTransposes) {
    EXPECT_EQ(layouts(a_, b_, d_), "NN 48x80 ld 48, 80x64 ld 80, 48x64 ld 48");
    EXPECT_EQ(latest().a_data, b_.data());
    EXPECT_EQ(latest().b_data, a_.data());
    EXPECT_EQ(latest().d_data, d_.data());
    EXPECT_EQ(latest().c_data, d_.data());
    EXPECT_EQ(latest().stream, stream_.native_handle());
    EXPECT_EQ(layouts(columns(64, 80), b_, d_), "NT 48x80 ld 48, 64x80 ld 64, 48x64 ld 48");
    EXPECT_EQ(layouts(a_, columns(80, 48), d_), "TN 80x48 ld 80, 80x64 ld 80, 48x64 ld 48");
}

TEST_F(MatmulLayoutTest, ComputesColumnMajorResultsAsTheyAre) {
    const StridedView d = columns(64, 48);
    EXPECT_EQ(layouts(columns(64, 80), columns(80, 48), d), "NN 64x80 ld 64, 80x48 ld 80, 64x48 ld 64");
    EXPECT_EQ(layouts(a_, b_, d), "TT 80x64 ld 80, 48x80 ld 48, 64x48 ld 64");
    EXPECT_EQ(latest().a_data, a_.data());
}

TEST_F(MatmulLayoutTest, UsesLeadingDimensions) {
    const StridedView a = matrix({64, 80}, data_type<float>, {100, 1}), d = matrix({64, 48}, data_type<float>, {50, 1});
    EXPECT_EQ(layouts(a, b_, d), "NN 48x80 ld 48, 80x64 ld 100, 48x64 ld 50");
    // Strides of dimensions of one element mean nothing.
    EXPECT_EQ(layouts(matrix({1, 80}, data_type<float>, {7, 1}), b_, matrix({1, 48}, data_type<float>, {-3, 1})),
              "NN 48x80 ld 48, 80x1 ld 80, 48x1 ld 48");
    EXPECT_EQ(layouts(a_, matrix({80, 1}, data_type<float>, {3, 9}), matrix({64, 1}, data_type<float>, {5, 1})),
              "NN 1x80 ld 3, 80x64 ld 80, 1x64 ld 5");
}

TEST_F(MatmulLayoutTest, TakesBatches) {
    const StridedView a = matrix({3, 64, 80}), b = matrix({3, 80, 48}), d = matrix({3, 64, 48});
    EXPECT_EQ(layouts(a, b, d), "NN 48x80 ld 48 x3 +3840, 80x64 ld 80 x3 +5120, 48x64 ld 48 x3 +3072");
    EXPECT_EQ(layouts(a_, b, d), "NN 48x80 ld 48 x3 +3840, 80x64 ld 80 x3 +0, 48x64 ld 48 x3 +3072");
    EXPECT_EQ(layouts(a, b_.unsqueeze(0).broadcast_to({3, 80, 48}), d),
              "NN 48x80 ld 48 x3 +0, 80x64 ld 80 x3 +5120, 48x64 ld 48 x3 +3072");
    EXPECT_EQ(layouts(a, b_.unsqueeze(0), d), "NN 48x80 ld 48 x3 +0, 80x64 ld 80 x3 +5120, 48x64 ld 48 x3 +3072");
    EXPECT_EQ(layouts(a, b, matrix({3, 64, 48}, data_type<float>, {64 * 48, 1, 64})),
              "TT 80x64 ld 80 x3 +5120, 48x80 ld 48 x3 +3840, 64x48 ld 64 x3 +3072");
}

TEST_F(MatmulLayoutTest, AddsC) {
    const StridedView c = matrix({64, 48}, data_type<float>, {60, 1});
    layouts(a_, b_, d_, {.alpha = 2, .beta = 0.5, .c = c});
    EXPECT_EQ(latest().c.text(), "48x64 ld 60");
    EXPECT_EQ(latest().c_data, c.data());
    EXPECT_EQ(latest().alpha, 2);
    EXPECT_EQ(latest().beta, 0.5);
    layouts(a_, b_, d_, {.beta = 1, .c = d_});
    EXPECT_EQ(latest().c_data, d_.data());
    layouts(a_, b_, d_, {.beta = 1});
    EXPECT_EQ(latest().c_data, d_.data());
    EXPECT_THAT(message([&] { math::matmul(stream_, a_, b_, d_, {.c = columns(64, 48)}); }),
                AllOf(HasSubstr("d is float32 (64, 48)"), HasSubstr("(1, 64)"), HasSubstr("order")));
    EXPECT_THAT(message([&] {
                    math::matmul(stream_, a_, b_, d_, {.c = matrix({64, 47})});
                }),
                AllOf(HasSubstr("(64, 47)"), HasSubstr("(64, 48)")));
}

TEST_F(MatmulLayoutTest, ChoosesTheTypeOfTheSums) {
    struct Case {
        DataType input, output;
        int compute, scale;
        math::ComputePrecision precision = math::ComputePrecision::automatic;
    };
    const DataType f16 = DataType::float16(), bf16 = DataType::bfloat16(), f32 = data_type<float>, f64 = data_type<double>;
    const DataType c64 = data_type<std::complex<float>>, c128 = data_type<std::complex<double>>;
    const DataType i8 = data_type<std::int8_t>, i32 = data_type<std::int32_t>;
    for (const Case& each :
         {Case{f32, f32, CUBLAS_COMPUTE_32F, CUDA_R_32F}, Case{f64, f64, CUBLAS_COMPUTE_64F, CUDA_R_64F},
          Case{f16, f16, CUBLAS_COMPUTE_32F, CUDA_R_32F}, Case{f16, f32, CUBLAS_COMPUTE_32F, CUDA_R_32F},
          Case{bf16, bf16, CUBLAS_COMPUTE_32F, CUDA_R_32F}, Case{c64, c64, CUBLAS_COMPUTE_32F, CUDA_C_32F},
          Case{c128, c128, CUBLAS_COMPUTE_64F, CUDA_C_64F}, Case{i8, i32, CUBLAS_COMPUTE_32I, CUDA_R_32I},
          Case{i8, i8, CUBLAS_COMPUTE_32I, CUDA_R_32F},
          Case{f16, f16, CUBLAS_COMPUTE_16F, CUDA_R_16F, math::ComputePrecision::float16},
          Case{f32, f32, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, math::ComputePrecision::tf32},
          Case{f32, f32, CUBLAS_COMPUTE_32F_FAST_16BF, CUDA_R_32F, math::ComputePrecision::bfloat16},
          Case{f32, f32, CUBLAS_COMPUTE_32F_EMULATED_16BFX9, CUDA_R_32F, math::ComputePrecision::bfloat16x9},
          Case{f64, f64, CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT, CUDA_R_64F, math::ComputePrecision::emulated_float64}}) {
        SCOPED_TRACE(to_string(each.input) + " to " + to_string(each.output));
        math::matmul(stream_, matrix({64, 80}, each.input), columns(80, 48, each.input), matrix({64, 48}, each.output),
                     math::MatmulOptions{.compute = each.precision});
        EXPECT_EQ(latest().compute, each.compute);
        EXPECT_EQ(latest().scale, each.scale);
        EXPECT_EQ(latest().alpha, 1);
        EXPECT_EQ(latest().beta, 0);
    }
    EXPECT_THAT(message([&] { math::matmul(stream_, a_, b_, d_, {.compute = math::ComputePrecision::float64}); }),
                AllOf(HasSubstr("float32"), HasSubstr("float64")));
    EXPECT_THAT(message([&] { math::matmul(stream_, a_, b_, d_, {.compute = math::ComputePrecision(77)}); }), HasSubstr("77"));
    EXPECT_THAT(message([&] {
                    math::matmul(stream_, a_, matrix({80, 48}, f16), d_);
                }),
                AllOf(HasSubstr("float16"), HasSubstr("float32")));
}

TEST_F(MatmulLayoutTest, RefusesShapesWithBothSides) {
    EXPECT_THAT(message([&] {
                    math::matmul(stream_, a_, matrix({81, 48}), d_);
                }),
                AllOf(HasSubstr("80 columns"), HasSubstr("81 rows"), HasSubstr("(64, 80)"), HasSubstr("(81, 48)")));
    EXPECT_THAT(message([&] { math::matmul(stream_, a_, b_, matrix({63, 48})); }), AllOf(HasSubstr("64 rows"), HasSubstr("63")));
    EXPECT_THAT(message([&] {
                    math::matmul(stream_, a_, b_, matrix({64, 49}));
                }),
                AllOf(HasSubstr("48 columns"), HasSubstr("49")));
    EXPECT_THAT(message([&] {
                    math::matmul(stream_, matrix({2, 64, 80}), b_, matrix({3, 64, 48}));
                }),
                AllOf(HasSubstr("(2, 64, 80)"), HasSubstr("(3, 64, 48)")));
    EXPECT_THAT(message([&] { math::matmul(stream_, matrix({2, 64, 80}), b_, d_); }), HasSubstr("batches"));
    EXPECT_THAT(message([&] { math::matmul(stream_, a_.flatten(), b_, d_); }),
                AllOf(HasSubstr("1 dimensions"), HasSubstr("2 to 3")));
}

TEST_F(MatmulLayoutTest, RefusesStridesThatTheLibraryDoesNotHave) {
    const auto refused = [&](const StridedView& a) { return message([&] { math::matmul(stream_, a, b_, d_); }); };
    EXPECT_THAT(refused(matrix({64, 80}, data_type<float>, {200, 2})), AllOf(HasSubstr("(200, 2)"), HasSubstr("contiguous")));
    EXPECT_THAT(refused(matrix({64, 80}, data_type<float>, {40, 1})), HasSubstr("(40, 1)"));
    EXPECT_THAT(refused(a_.reverse(1)), HasSubstr("(80, -1)"));
    EXPECT_THAT(refused(a_.reverse(0)), HasSubstr("(-80, 1)"));
    EXPECT_THAT(refused(matrix({1, 80}).broadcast_to({64, 80})), HasSubstr("(0, 1)"));
    EXPECT_THAT(message([&] { math::matmul(stream_, a_, b_, matrix({64, 48}, data_type<float>, {1, 1})); }), HasSubstr("(1, 1)"));
    EXPECT_THAT(refused(matrix({64, 80}, DataType{DataTypeKind::floating_point, 32, 2})), HasSubstr("lane"));
    EXPECT_THAT(message([&] {
                    math::matmul(stream_, matrix({2, 64, 80}).reverse(0), b_, matrix({2, 64, 48}));
                }),
                HasSubstr("negative"));
}

TEST_F(MatmulLayoutTest, RefusesMemoryThatDoesNotFit) {
    EXPECT_THAT(message([&] {
                    math::matmul(stream_, a_, b_, StridedView::view_of(static_cast<float*>(a_.data()), {64, 48}));
                }),
                HasSubstr("overlap"));
    EXPECT_THAT(message([&] { math::matmul(stream_, a_, b_, d_.as_readonly()); }), HasSubstr("read-only"));
    EXPECT_THAT(message([&] {
                    math::matmul(stream_, a_, b_, d_.select(0, 0).unsqueeze(0).broadcast_to({64, 48}));
                }),
                HasSubstr("contiguous"));
    EXPECT_THAT(message([&] { math::matmul(Stream(Device(1)), a_, b_, d_); }),
                AllOf(HasSubstr("device 0"), HasSubstr("device 1")));
    EXPECT_THAT(message([&] {
                    math::matmul(stream_, a_, b_, matrix({3, 64, 48}, data_type<float>, {0, 48, 1}));
                }),
                HasSubstr("distinct"));
    EXPECT_TRUE(stand_in().products.empty());
}

TEST_F(MatmulLayoutTest, DoesNothingForEmptyResults) {
    math::matmul(stream_, matrix({0, 80}), b_, matrix({0, 48}));
    math::matmul(stream_, a_, matrix({80, 0}), matrix({64, 0}));
    math::matmul(stream_, matrix({0, 64, 80}), b_, matrix({0, 64, 48}));
    math::Matmul product(stream_, matrix({0, 80}), b_, matrix({0, 48}));
    EXPECT_TRUE(product.heuristics().empty());
    EXPECT_TRUE(product.autotune(stream_, matrix({0, 80}), b_, matrix({0, 48})).empty());
    EXPECT_THAT(message([&] { (void)product.algorithm(); }), HasSubstr("empty"));
    EXPECT_EQ(stand_in().handles, 0);
    EXPECT_THAT(message([&] { math::matmul(stream_, matrix({64, 0}), matrix({0, 48}), d_); }), HasSubstr("k is 0"));
}

}  // namespace
}  // namespace cubind::testing
