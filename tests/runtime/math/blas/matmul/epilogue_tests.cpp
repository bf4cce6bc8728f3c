// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Epilogues, scales, and what small types need.
#include <cubind/math/matmul.hpp>

#include <cstddef>
#include <cstdint>

#include "matmul_test.hpp"

namespace cubind::testing {
namespace {

using namespace cublaslt;
using math::Epilogue;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr DataType e4m3{DataTypeKind::float8_e4m3fn, 8, 1};
constexpr DataType e5m2{DataTypeKind::float8_e5m2, 8, 1};
constexpr DataType e8m0{DataTypeKind::float8_e8m0fnu, 8, 1};
constexpr DataType fp4{DataTypeKind::float4_e2m1fn, 4, 2};

class MatmulEpilogueTest : public MatmulTest {
protected:
    static std::int64_t address(const StridedView& view) { return reinterpret_cast<std::intptr_t>(view.data()); }
    std::int64_t epilogue(const math::MatmulArguments& arguments, Epilogue applied) {
        math::matmul(stream_, a_, b_, d_, arguments, {.epilogue = applied});
        return attribute(CUBLASLT_MATMUL_DESC_EPILOGUE);
    }
    StridedView bias_ = matrix({48}), mask_ = matrix({64, 16}, data_type<std::uint8_t>), aux_ = matrix({64, 48});
};

TEST_F(MatmulEpilogueTest, FollowsFromTheOperands) {
    EXPECT_EQ(epilogue({}, Epilogue::none), CUBLASLT_EPILOGUE_DEFAULT);
    EXPECT_EQ(epilogue({}, Epilogue::relu), CUBLASLT_EPILOGUE_RELU);
    EXPECT_EQ(epilogue({}, Epilogue::gelu), CUBLASLT_EPILOGUE_GELU);
    EXPECT_EQ(epilogue({.bias = bias_}, Epilogue::none), CUBLASLT_EPILOGUE_BIAS);
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_BIAS_POINTER), address(bias_));
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE), -1);
    EXPECT_EQ(epilogue({.bias = matrix({48}, DataType::bfloat16())}, Epilogue::none), CUBLASLT_EPILOGUE_BIAS);
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE), CUDA_R_16BF);
    EXPECT_EQ(epilogue({.bias = bias_}, Epilogue::relu), CUBLASLT_EPILOGUE_RELU_BIAS);
    EXPECT_EQ(epilogue({.bias = bias_}, Epilogue::gelu), CUBLASLT_EPILOGUE_GELU_BIAS);
    EXPECT_EQ(epilogue({.aux_output = mask_}, Epilogue::relu), CUBLASLT_EPILOGUE_RELU_AUX);
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER), address(mask_));
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD), 128);
    EXPECT_EQ(epilogue({.bias = bias_, .aux_output = mask_}, Epilogue::relu), CUBLASLT_EPILOGUE_RELU_AUX_BIAS);
    EXPECT_EQ(epilogue({.aux_output = aux_}, Epilogue::gelu), CUBLASLT_EPILOGUE_GELU_AUX);
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD), 48);
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE), -1);
    EXPECT_EQ(epilogue({.bias = bias_, .aux_output = aux_}, Epilogue::gelu), CUBLASLT_EPILOGUE_GELU_AUX_BIAS);
    EXPECT_EQ(epilogue({.aux_input = mask_}, Epilogue::relu_gradient), CUBLASLT_EPILOGUE_DRELU);
    EXPECT_EQ(epilogue({.aux_input = mask_, .bias_gradient = bias_}, Epilogue::relu_gradient), CUBLASLT_EPILOGUE_DRELU_BGRAD);
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_BIAS_POINTER), address(bias_));
    EXPECT_EQ(epilogue({.aux_input = aux_}, Epilogue::gelu_gradient), CUBLASLT_EPILOGUE_DGELU);
    EXPECT_EQ(epilogue({.aux_input = aux_, .bias_gradient = bias_}, Epilogue::gelu_gradient), CUBLASLT_EPILOGUE_DGELU_BGRAD);
    EXPECT_EQ(epilogue({.aux_output = matrix({64, 48}, DataType::float16())}, Epilogue::gelu), CUBLASLT_EPILOGUE_GELU_AUX);
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE), CUDA_R_16F);
}

TEST_F(MatmulEpilogueTest, SumsRowsAndColumnsOfTheUsersMatrices) {
    const StridedView rows = matrix({64}), sums = matrix({48});
    // A row-major d is computed as its transpose, so that the library's first matrix is b.
    EXPECT_EQ(epilogue({.a_row_sums = rows}, Epilogue::none), CUBLASLT_EPILOGUE_BGRADB);
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_BIAS_POINTER), address(rows));
    EXPECT_EQ(epilogue({.b_column_sums = sums}, Epilogue::none), CUBLASLT_EPILOGUE_BGRADA);
    d_ = columns(64, 48);
    EXPECT_EQ(epilogue({.a_row_sums = rows}, Epilogue::none), CUBLASLT_EPILOGUE_BGRADA);
    EXPECT_EQ(epilogue({.b_column_sums = sums}, Epilogue::none), CUBLASLT_EPILOGUE_BGRADB);
    EXPECT_THAT(message([&] { epilogue({.a_row_sums = sums}, Epilogue::none); }),
                AllOf(HasSubstr("(48)"), HasSubstr("64 numbers")));
    EXPECT_THAT(message([&] { epilogue({.a_row_sums = rows, .b_column_sums = sums}, Epilogue::none); }), HasSubstr("only one"));
    EXPECT_THAT(message([&] { epilogue({.a_row_sums = rows}, Epilogue::relu); }), HasSubstr("a_row_sums"));
}

TEST_F(MatmulEpilogueTest, AddsABiasInTheOrderOfTheResult) {
    EXPECT_EQ(epilogue({.bias = matrix({1, 48})}, Epilogue::none), CUBLASLT_EPILOGUE_BIAS);
    EXPECT_THAT(message([&] {
                    epilogue({.bias = matrix({64, 1})}, Epilogue::none);
                }),
                AllOf(HasSubstr("d is float32 (64, 48)"), HasSubstr("row-major"), HasSubstr("bias is float32 (64, 1)")));
    EXPECT_THAT(message([&] { epilogue({.bias = matrix({64})}, Epilogue::none); }),
                AllOf(HasSubstr("(64)"), HasSubstr("48 numbers")));
    EXPECT_THAT(message([&] { epilogue({.bias = matrix({48}, data_type<float>, {2})}, Epilogue::none); }),
                AllOf(HasSubstr("(2)"), HasSubstr("beside")));
    d_ = columns(64, 48);
    EXPECT_EQ(epilogue({.bias = matrix({64, 1})}, Epilogue::none), CUBLASLT_EPILOGUE_BIAS);
    EXPECT_THAT(message([&] { epilogue({.bias = bias_}, Epilogue::none); }), HasSubstr("column-major"));
}

TEST_F(MatmulEpilogueTest, HasABiasForEachProductOfABatch) {
    a_ = matrix({3, 64, 80});
    d_ = matrix({3, 64, 48});
    epilogue({.bias = bias_}, Epilogue::none);
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE), -1);
    epilogue({.bias = matrix({3, 1, 48})}, Epilogue::none);
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE), 48);
    EXPECT_THAT(message([&] {
                    epilogue({.bias = matrix({2, 1, 48})}, Epilogue::none);
                }),
                AllOf(HasSubstr("(2, 1, 48)"), HasSubstr("3")));
    epilogue({.aux_output = matrix({3, 64, 48})}, Epilogue::gelu);
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE), 64 * 48);
}

TEST_F(MatmulEpilogueTest, RefusesOperandsOfOtherEpilogues) {
    EXPECT_THAT(message([&] { epilogue({.aux_output = aux_}, Epilogue::none); }),
                AllOf(HasSubstr("aux_output"), HasSubstr("none")));
    EXPECT_THAT(message([&] { epilogue({.aux_input = aux_}, Epilogue::gelu); }), HasSubstr("aux_input"));
    EXPECT_THAT(message([&] { epilogue({.bias = bias_, .aux_input = aux_}, Epilogue::gelu_gradient); }), HasSubstr("bias"));
    EXPECT_THAT(message([&] { epilogue({}, Epilogue::gelu_gradient); }),
                AllOf(HasSubstr("gelu_gradient"), HasSubstr("aux_input")));
    EXPECT_THAT(message([&] { epilogue({.aux_output = aux_}, Epilogue::relu); }),
                AllOf(HasSubstr("float32"), HasSubstr("uint8")));
    EXPECT_THAT(message([&] {
                    epilogue({.aux_output = matrix({64, 6}, data_type<std::uint8_t>)}, Epilogue::relu);
                }),
                AllOf(HasSubstr("(64, 6)"), HasSubstr("16 bytes")));
    EXPECT_THAT(message([&] {
                    epilogue({.aux_output = matrix({64, 48}, data_type<float>, {52, 1})}, Epilogue::gelu);
                }),
                AllOf(HasSubstr("(52, 1)"), HasSubstr("multiple of 8")));
    EXPECT_THAT(message([&] { epilogue({}, Epilogue(9)); }), HasSubstr("9"));
    EXPECT_EQ(math::relu_mask_size(1), 16);
    EXPECT_EQ(math::relu_mask_size(128), 16);
    EXPECT_EQ(math::relu_mask_size(129), 32);
}

TEST_F(MatmulEpilogueTest, ScalesSmallNumbers) {
    a_ = matrix({64, 80}, e4m3);
    b_ = columns(80, 48, e5m2);
    d_ = matrix({64, 48}, e4m3);
    const StridedView a_scale = matrix({1}), b_scale = matrix({48}), d_scale = matrix({1}), amax = matrix({1});
    math::matmul(stream_, a_, b_, d_, {.a_scale = a_scale, .b_scale = b_scale, .d_scale = d_scale, .d_amax = amax},
                 {.fast_accumulation = true});
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER), address(a_scale));  // a row-major d is computed as its transpose
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_B_SCALE_MODE), -1);
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER), address(b_scale));
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_A_SCALE_MODE), CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F);
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER), address(d_scale));
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER), address(amax));
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_FAST_ACCUM), 1);
    EXPECT_EQ(latest().c.type, CUDA_R_16BF);
    EXPECT_EQ(latest().c_data, nullptr);
    EXPECT_EQ(latest().d.type, CUDA_R_8F_E4M3);
    math::matmul(stream_, a_, b_, d_, {.bias = matrix({48}, DataType::float16())});
    EXPECT_EQ(latest().c.type, CUDA_R_16F);
    EXPECT_THAT(message([&] { math::matmul(stream_, a_, b_, d_, {.beta = 1}); }), HasSubstr("c"));
    EXPECT_THAT(message([&] { math::matmul(stream_, a_, b_, d_, {.a_scale = matrix({2})}); }),
                AllOf(HasSubstr("(2)"), HasSubstr("64")));
    EXPECT_THAT(message([&] { math::matmul(stream_, a_, b_, d_, {.a_scale = matrix({1}, data_type<double>)}); }),
                HasSubstr("float64"));
}

TEST_F(MatmulEpilogueTest, ScalesBlocks) {
    const StridedView a = matrix({64, 256}, e4m3), b = columns(256, 48, e4m3), d = matrix({64, 48}, DataType::bfloat16());
    const StridedView factors = matrix({math::block_scale_count(64, 8)}, e8m0);
    math::matmul(stream_, a, b, d, {.a_scale = factors, .b_scale = matrix({math::block_scale_count(48, 8)}, e8m0)});
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_A_SCALE_MODE), CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0);
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_B_SCALE_MODE), CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0);
    const StridedView a4 = matrix({64, 128}, fp4), b4 = columns(128, 48, fp4),
                      factors4 = matrix({math::block_scale_count(64, 16)}, e4m3);
    math::matmul(stream_, a4, b4, d, {.a_scale = factors4, .b_scale = matrix({math::block_scale_count(48, 16)}, e4m3)});
    EXPECT_EQ(attribute(CUBLASLT_MATMUL_DESC_A_SCALE_MODE), CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3);
    EXPECT_EQ(latest().a.text(), "256x48 ld 256");
    EXPECT_EQ(latest().b.text(), "256x64 ld 256");
    EXPECT_EQ(latest().a.type, CUDA_R_4F_E2M1);
    EXPECT_THAT(message([&] { math::matmul(stream_, a, b, d, {.a_scale = matrix({512}, e8m0)}); }),
                AllOf(HasSubstr("(512)"), HasSubstr("1024")));
    EXPECT_THAT(message([&] { math::matmul(stream_, matrix({128, 64}, fp4, {1, 128}), b4, d); }), HasSubstr("along k"));
}

TEST(BlockScaleTest, CountsAndNumbersTheFactorsOfTiles) {
    EXPECT_EQ(math::block_scale_count(1, 1), 512);
    EXPECT_EQ(math::block_scale_count(129, 5), 256 * 8);
    EXPECT_EQ(math::block_scale_index(0, 3, 8), 3);
    EXPECT_EQ(math::block_scale_index(1, 0, 8), 16);
    EXPECT_EQ(math::block_scale_index(32, 0, 8), 4);
    EXPECT_EQ(math::block_scale_index(0, 4, 8), 512);
    EXPECT_EQ(math::block_scale_index(128, 0, 8), 1024);
    std::vector<int> used(static_cast<std::size_t>(math::block_scale_count(200, 7)));
    for (std::int64_t i = 0; i < 256; ++i) {
        for (std::int64_t j = 0; j < 8; ++j) ++used.at(static_cast<std::size_t>(math::block_scale_index(i, j, 7)));
    }
    EXPECT_THAT(used, ::testing::Each(1));
}

TEST_F(MatmulEpilogueTest, StatesWhatSmallTypesNeed) {
    const StridedView d = matrix({64, 48}, DataType::bfloat16());
    EXPECT_THAT(message([&] {
                    math::matmul(stream_, matrix({64, 72}, e4m3), columns(72, 48, e4m3), d);
                }),
                AllOf(HasSubstr("72 bytes"), HasSubstr("multiple of 16")));
    EXPECT_THAT(message([&] {
                    math::matmul(
                        stream_, matrix({65, 80}, e4m3).slice(0, 0, 64), columns(80, 48, e4m3),
                        StridedView(matrix({64 * 48 + 4}, DataType::bfloat16()).slice(0, 4, 64 * 48 + 4)).reshape({64, 48}));
                }),
                AllOf(HasSubstr("multiple of 16")));
    EXPECT_THAT(message([&] {
                    math::matmul(stream_, matrix({64, 70}, data_type<std::int8_t>), columns(70, 48, data_type<std::int8_t>),
                                 matrix({64, 48}, data_type<std::int32_t>));
                }),
                AllOf(HasSubstr("70 bytes"), HasSubstr("multiple of 4")));
    stand_in().status_of_search = CUBLAS_STATUS_NOT_SUPPORTED;
    const std::string failure = message_of<Error>([&] {
        math::matmul(stream_, matrix({64, 80}, e4m3), columns(80, 48, e4m3), d);
    });
    EXPECT_THAT(failure,
                AllOf(HasSubstr("CUBLAS_STATUS_NOT_SUPPORTED"), HasSubstr("float8_e4m3fn (64, 80)"), HasSubstr("16 bytes"),
                      HasSubstr("8.9"), HasSubstr("33554432 bytes"), HasSubstr("bfloat16 (64, 48)")));
}

}  // namespace
}  // namespace cubind::testing
