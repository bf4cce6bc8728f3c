// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// The layouts that cuFFT receives for views, and those that it cannot express.
#include <string>

#include "fft_test.hpp"

namespace cubind::testing {
namespace {

class FftLayoutTest : public FftTest {
protected:
    static StridedView in(DataType type, const Dimensions& shape, const Dimensions& strides = {}) {
        return view_at(0x100000, type, shape, strides);
    }
    static StridedView out(DataType type, const Dimensions& shape, const Dimensions& strides = {}) {
        return view_at(0x900000, type, shape, strides);
    }
};

TEST_F(FftLayoutTest, TransformsAllDimensionsByDefault) {
    EXPECT_EQ(plan_of(in(c64, {8}), out(c64, {8})), "cufftXtMakePlanMany (8) batch 1 in (8) 1 8 out (8) 1 8 types 4 4 4");
    EXPECT_EQ(plan_of(in(c128, {4, 6}), out(c128, {4, 6})),
              "cufftXtMakePlanMany (4, 6) batch 1 in (4, 6) 1 24 out (4, 6) 1 24 types 5 5 5");
    EXPECT_EQ(plan_of(in(c32, {4, 8, 16}), out(c32, {4, 8, 16})),
              "cufftXtMakePlanMany (4, 8, 16) batch 1 in (4, 8, 16) 1 512 out (4, 8, 16) 1 512 types 6 6 6");
}

TEST_F(FftLayoutTest, HalvesTheLastAxisOfRealTransforms) {
    EXPECT_EQ(plan_of(in(f32, {3, 10}), out(c64, {3, 6}), {.axes = {1}}),
              "cufftXtMakePlanMany (10) batch 3 in (10) 1 10 out (6) 1 6 types 0 4 4");
    EXPECT_EQ(plan_of(in(c64, {3, 6}), out(f32, {3, 11}), {.axes = {1}}),
              "cufftXtMakePlanMany (11) batch 3 in (6) 1 6 out (11) 1 11 types 4 0 4");
    EXPECT_EQ(plan_of(in(f64, {4, 5, 6}), out(c128, {4, 5, 4})),
              "cufftXtMakePlanMany (4, 5, 6) batch 1 in (4, 5, 6) 1 120 out (4, 5, 4) 1 80 types 1 5 5");
    EXPECT_EQ(plan_of(in(f16, {16}), out(c32, {9})), "cufftXtMakePlanMany (16) batch 1 in (16) 1 16 out (9) 1 9 types 2 6 6");
    // The last axis of the list is halved, which has the smallest stride in these views.
    EXPECT_EQ(plan_of(in(f32, {8, 4}, {1, 8}), out(c64, {5, 4}, {1, 5}), {.axes = {1, 0}}),
              "cufftXtMakePlanMany (4, 8) batch 1 in (4, 8) 1 32 out (4, 5) 1 20 types 0 4 4");
}

TEST_F(FftLayoutTest, ExpressesStridesAndBatches) {
    // Columns: the batch is the inner dimension.
    EXPECT_EQ(plan_of(in(c64, {8, 5}), out(c64, {8, 5}), {.axes = {0}}),
              "cufftXtMakePlanMany (8) batch 5 in (8) 5 1 out (8) 5 1 types 4 4 4");
    // Every second element of rows in larger arrays, and two dimensions as one batch.
    EXPECT_EQ(plan_of(in(c64, {2, 3, 8}, {96, 32, 2}), out(c64, {2, 3, 8}), {.axes = {2}}),
              "cufftXtMakePlanMany (8) batch 6 in (8) 2 32 out (8) 1 8 types 4 4 4");
    // A part of a larger image.
    EXPECT_EQ(plan_of(in(c64, {4, 8}, {100, 1}), out(c64, {4, 8})),
              "cufftXtMakePlanMany (4, 8) batch 1 in (4, 100) 1 400 out (4, 8) 1 32 types 4 4 4");
    // The batch between the axes.
    EXPECT_EQ(plan_of(in(c64, {4, 3, 8}), out(c64, {4, 3, 8}), {.axes = {0, 2}}),
              "cufftXtMakePlanMany (4, 8) batch 3 in (4, 24) 1 8 out (4, 24) 1 8 types 4 4 4");
    // Axes in the order of memory, whatever their order in the view.
    EXPECT_EQ(plan_of(in(c64, {8, 4}, {1, 8}), out(c64, {8, 4}, {1, 8})),
              "cufftXtMakePlanMany (4, 8) batch 1 in (4, 8) 1 32 out (4, 8) 1 32 types 4 4 4");
}

TEST_F(FftLayoutTest, IgnoresTheStridesOfDimensionsOfOneElement) {
    EXPECT_EQ(plan_of(in(c64, {1, 8}, {3, 1}), out(c64, {1, 8})),
              "cufftXtMakePlanMany (8) batch 1 in (8) 1 8 out (8) 1 8 types 4 4 4");
    EXPECT_EQ(plan_of(in(c64, {8, 1}, {2, 77}), out(c64, {8, 1})),
              "cufftXtMakePlanMany (8) batch 1 in (8) 2 16 out (8) 1 8 types 4 4 4");
    EXPECT_EQ(plan_of(in(c64, {1, 1}, {5, 5}), out(c64, {1, 1})),
              "cufftXtMakePlanMany (1) batch 1 in (1) 1 1 out (1) 1 1 types 4 4 4");
    EXPECT_EQ(plan_of(in(f32, {4, 1}, {3, 9}), out(c64, {4, 1}, {1, 5})),
              "cufftXtMakePlanMany (4, 1) batch 1 in (4, 3) 1 12 out (4, 1) 1 4 types 0 4 4");
    EXPECT_EQ(plan_of(in(c64, {1, 3, 8}, {7, 8, 1}), out(c64, {1, 3, 8}), {.axes = {2}}),
              "cufftXtMakePlanMany (8) batch 3 in (8) 1 8 out (8) 1 8 types 4 4 4");
}

TEST_F(FftLayoutTest, RefusesTypesThatNoTransformHas) {
    EXPECT_THAT(refused(in(f32, {8}), out(f32, {8})), AllOf(HasSubstr("float32"), HasSubstr("complex64")));
    EXPECT_THAT(refused(in(f64, {8}), out(c64, {5})), AllOf(HasSubstr("float64"), HasSubstr("complex64")));
    EXPECT_THAT(refused(in(c64, {8}), out(c128, {8})), AllOf(HasSubstr("complex64"), HasSubstr("complex128")));
    EXPECT_THAT(refused(in(data_type<int>, {8}), out(c64, {5})), HasSubstr("int32"));
}

TEST_F(FftLayoutTest, RefusesAxesThatDoNotExist) {
    const auto stack = in(c64, {2, 2, 2, 2});
    EXPECT_THAT(refused(stack, out(c64, {2, 2, 2, 2})), AllOf(HasSubstr("(0, 1, 2, 3)"), HasSubstr("FftOptions::axes")));
    EXPECT_THAT(refused(stack, out(c64, {2, 2, 2, 2}), {.axes = {4}}), AllOf(HasSubstr("(4)"), HasSubstr("0 to 3")));
    EXPECT_THAT(refused(stack, out(c64, {2, 2, 2, 2}), {.axes = {-1}}), HasSubstr("(-1)"));
    EXPECT_THAT(refused(stack, out(c64, {2, 2, 2, 2}), {.axes = {1, 1}}), HasSubstr("(1, 1)"));
    EXPECT_THAT(refused(in(c64, {}), out(c64, {})), HasSubstr("1 to 3 dimensions"));
}

TEST_F(FftLayoutTest, RefusesShapesThatDoNotBelongTogether) {
    EXPECT_THAT(refused(in(c64, {4, 8}), out(c64, {4, 9})),
                AllOf(HasSubstr("(4, 8)"), HasSubstr("(4, 9)"), HasSubstr("dimension 1")));
    EXPECT_THAT(refused(in(c64, {8}), out(c64, {1, 8})), HasSubstr("output"));
    EXPECT_THAT(refused(in(f32, {8}), out(c64, {8})), AllOf(HasSubstr("n / 2 + 1"), HasSubstr("float32 (8)")));
    EXPECT_THAT(refused(in(c64, {5}), out(f32, {10})), HasSubstr("n / 2 + 1"));
    EXPECT_THAT(refused(in(f32, {4, 8}), out(c64, {3, 5})), HasSubstr("dimension 0"));
}

TEST_F(FftLayoutTest, RefusesWhatCufftCannotExpress) {
    // The outer stride is no multiple of the inner one.
    EXPECT_THAT(refused(in(c64, {4, 8}, {33, 2}), out(c64, {4, 8})),
                AllOf(HasSubstr("layout of the input"), HasSubstr("33"), HasSubstr("(33, 2)"), HasSubstr("allocate_like")));
    // Three dimensions, of which the outer ones leave gaps.
    EXPECT_THAT(refused(in(c64, {2, 3, 8}, {100, 16, 1}), out(c64, {2, 3, 8}), {.axes = {2}}),
                AllOf(HasSubstr("no single stride"), HasSubstr("16"), HasSubstr("100")));
    EXPECT_THAT(refused(in(c64, {2, 3, 8}), out(c64, {2, 3, 8}, {8, 16, 1}), {.axes = {2}}), HasSubstr("layout of the output"));
    // Negative and zero strides.
    EXPECT_THAT(refused(in(c64, {8}, {-1}), out(c64, {8})), AllOf(HasSubstr("not positive"), HasSubstr("(-1)")));
    EXPECT_THAT(refused(in(c64, {8}, {0}), out(c64, {8})), HasSubstr("not positive"));
    EXPECT_THAT(refused(in(c64, {3, 8}, {0, 1}), out(c64, {3, 8}), {.axes = {1}}), HasSubstr("not positive"));
    EXPECT_THAT(refused(in(c64, {4, 8}, {-8, 1}), out(c64, {4, 8})), HasSubstr("not positive"));
    // The halved axis has the larger stride, and the axes have other orders in input and output.
    EXPECT_THAT(refused(in(f32, {4, 8}), out(c64, {3, 8}), {.axes = {1, 0}}), HasSubstr("no multiple"));
    EXPECT_THAT(refused(in(c64, {4, 8}), out(c64, {4, 8}, {1, 4})), HasSubstr("layout of the output"));
}

TEST_F(FftLayoutTest, StatesTheLimitsOfHalfPrecision) {
    EXPECT_THAT(refused(in(c32, {3, 12}), out(c32, {3, 12}), {.axes = {1}}), AllOf(HasSubstr("12"), HasSubstr("powers of two")));
    EXPECT_THAT(refused(in(f16, {8}, {2}), out(c32, {5})), AllOf(HasSubstr("input"), HasSubstr("adjacent")));
    EXPECT_THAT(refused(in(c32, {5}), out(f16, {8}, {2})), AllOf(HasSubstr("output"), HasSubstr("adjacent")));
    EXPECT_THAT(refused(in(c32, {8}), out(c32, {8}), {.scale = 0.125}), HasSubstr("half precision"));
}

}  // namespace
}  // namespace cubind::testing
