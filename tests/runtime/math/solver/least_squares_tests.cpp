// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "solver_test.hpp"

namespace cubind::testing {
namespace {

class LeastSquaresTest : public SolverTest {};

TEST_F(LeastSquaresTest, FactorsACopy) {
    const StridedView a = matrix(4, 2, rows_first);
    math::Qr factors(stream_, a);
    EXPECT_EQ(latest().text, "Xgeqrf m=4 n=2 A=1 lda=4 tau=1 compute=1");
    EXPECT_THAT(elements(latest().addresses[0], 8), ElementsAre(0, 10, 20, 30, 1, 11, 21, 31));
    const StridedView columns = matrix(4, 2, columns_first, 3);
    math::Qr in_place(stream_, columns, {.overwrite_a = true});
    EXPECT_EQ(latest().text, "Xgeqrf m=4 n=2 A=1 lda=7 tau=1 compute=1");
    EXPECT_EQ(latest().addresses[0], columns.data());
}

TEST_F(LeastSquaresTest, WritesThinAndCompleteQ) {
    math::Qr factors(stream_, matrix(4, 2));
    const void* const tau = latest().addresses[1];
    const StridedView thin = matrix(4, 2, columns_first, 1);
    factors.q(stream_, thin);
    EXPECT_EQ(latest().text, "q m=4 n=2 k=2 lda=5 work=77 size=8");
    EXPECT_EQ(latest().addresses[0], thin.data());
    EXPECT_EQ(latest().addresses[1], tau);
    EXPECT_EQ(elements(thin), elements_of_matrix(4, 2));  // the factors, which the stand-in does not change
    const StridedView complete = matrix(4, 4, rows_first);
    factors.q(stream_, complete);
    EXPECT_EQ(latest().text, "q m=4 n=4 k=2 lda=4 work=77 size=8");
    EXPECT_NE(latest().addresses[0], complete.data());
    EXPECT_EQ(elements(complete.slice(1, 0, 2)), elements_of_matrix(4, 2));
}

TEST_F(LeastSquaresTest, WritesRWithZeros) {
    math::Qr tall(stream_, matrix(3, 2));
    math::Qr wide(stream_, matrix(2, 4));
    for (const MemoryOrder order : {rows_first, columns_first}) {
        const StridedView square = matrix(2, 2, order, 1);
        tall.r(stream_, square);
        EXPECT_THAT(elements(square), ElementsAre(0, 1, 0, 11));
        const StridedView trapezoid = matrix(2, 4, order, 1);
        wide.r(stream_, trapezoid);
        EXPECT_THAT(elements(trapezoid), ElementsAre(0, 1, 2, 3, 0, 11, 12, 13));
    }
}

TEST_F(LeastSquaresTest, MultipliesByQ) {
    math::Qr factors(stream_, matrix(4, 2));
    const StridedView c = matrix(4, 3, rows_first);
    factors.multiply_by_q(stream_, c);
    EXPECT_EQ(latest().text, "multiply side=0 trans=0 m=4 n=3 k=2 lda=4 ldc=4 work=88 size=8");
    EXPECT_EQ(elements(c), elements_of_matrix(4, 3));
    factors.multiply_by_adjoint_q(stream_, vector(4));
    EXPECT_EQ(latest().text, "multiply side=0 trans=1 m=4 n=1 k=2 lda=4 ldc=4 work=88 size=8");
    math::Qr complex(stream_, matrix<std::complex<float>>(4, 2));
    complex.multiply_by_adjoint_q(stream_, vector<std::complex<float>>(4));
    EXPECT_EQ(latest().text, "multiply side=0 trans=2 m=4 n=1 k=2 lda=4 ldc=4 work=88 size=8");
}

TEST_F(LeastSquaresTest, SolvesWithTheTriangle) {
    const StridedView a = matrix(4, 2), b = matrix(4, 3, rows_first), x = matrix(2, 3, rows_first);
    stand_in().info = {0};
    (void)math::least_squares(stream_, a, b, x);
    EXPECT_THAT(taken_calls(), ElementsAre("Xgeqrf m=4 n=2 A=1 lda=4 tau=1 compute=1",
                                           "multiply side=0 trans=1 m=4 n=3 k=2 lda=4 ldc=4 work=88 size=8",
                                           "trsm side=0 uplo=1 trans=0 diag=0 m=2 n=3 lda=4 ldb=4 size=8"));
    EXPECT_EQ(elements(x), elements_of_matrix(2, 3));  // the first rows of the right-hand sides
    EXPECT_EQ(elements(b), elements_of_matrix(4, 3));
    (void)math::least_squares(stream_, matrix<std::complex<double>>(4, 2), vector<std::complex<double>>(4),
                              vector<std::complex<double>>(2));
    EXPECT_EQ(latest().text, "trsm side=0 uplo=1 trans=0 diag=0 m=2 n=1 lda=4 ldb=4 size=16");
}

TEST_F(LeastSquaresTest, FindsDependentColumns) {
    math::Qr factors(stream_, matrix(3, 3));  // the diagonal is 0, 11, 22
    const auto failure = factors.failure(stream_);
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(failure->kind, math::NumericalFailure::Kind::rank_deficient);
    EXPECT_EQ(failure->index, 0);
    EXPECT_THAT(message_of<math::NumericalError>([&] { factors.check(stream_); }),
                AllOf(HasSubstr("column 0"), HasSubstr("math::Svd")));
    math::Qr others(stream_, matrix(3, 3).slice(0, 1, 3).slice(1, 1, 3));  // 11, 22
    others.check(stream_);
    math::Qr complex(stream_, matrix<std::complex<float>>(2, 2));
    EXPECT_EQ(complex.failure(stream_)->index, 0);
}

TEST_F(LeastSquaresTest, DecomposesOnce) {
    (void)math::qr(stream_, matrix(4, 2), matrix(4, 2), matrix(2, 2));
    EXPECT_THAT(taken_calls(), ElementsAre("Xgeqrf m=4 n=2 A=1 lda=4 tau=1 compute=1", "q m=4 n=2 k=2 lda=4 work=77 size=8",
                                           "pack uplo=1 n=2 lda=4", "unpack uplo=1 n=2 lda=2"));
    (void)math::qr(stream_, matrix(0, 2), matrix(0, 0), matrix(0, 2));
    EXPECT_TRUE(stand_in().calls.empty());
}

TEST_F(LeastSquaresTest, IsCaptured) {
    const StridedView a = matrix(4, 2), b = vector(4), x = vector(2), q = matrix(4, 2), r = matrix(2, 2);
    math::Qr factors(stream_, a);
    factors.solve(stream_, b, x);
    GraphBuilder builder(stream_);
    builder.begin_building();
    factors.factorize(builder, a);
    factors.solve(builder, b, x);
    factors.q(builder, q);
    factors.r(builder, r);
    builder.end_building();
    builder.complete().launch(stream_);
    stream_.synchronize();
}

}  // namespace
}  // namespace cubind::testing
