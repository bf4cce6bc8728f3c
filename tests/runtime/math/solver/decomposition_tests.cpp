// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "solver_test.hpp"

namespace cubind::testing {
namespace {

class DecompositionTest : public SolverTest {
protected:
    /// Returns begin + 10 i + j, as the stand-in writes it.
    static std::vector<double> pattern(double begin, int rows, int columns, bool is_transposed = false) {
        std::vector<double> values;
        for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j) values.push_back(begin + (is_transposed ? 10 * j + i : 10 * i + j));
        return values;
    }
};

TEST_F(DecompositionTest, FindsEigenvectorsInTheOutput) {
    const StridedView a = matrix(3, 3, rows_first), w = vector(3);
    for (const MemoryOrder order : {rows_first, columns_first}) {
        const StridedView v = matrix(3, 3, order, 1);
        math::eigh(stream_, a, w, v).check(stream_);
        const bool is_direct = order == columns_first;
        EXPECT_EQ(latest().text, std::string("Xsyevd job=1 uplo=0 n=3 A=1 lda=") + (is_direct ? "4" : "3") + " W=1 compute=1");
        EXPECT_EQ(latest().addresses[0] == v.data(), is_direct);
        EXPECT_EQ(elements(v), elements_of_matrix(3, 3));
        EXPECT_THAT(elements(w), ElementsAre(1, 2, 3));
        EXPECT_EQ(elements(a), elements_of_matrix(3, 3));
    }
    const StridedView columns = matrix(3, 3);
    math::eigh(stream_, columns, w, columns, {.triangle = math::MatrixTriangle::upper}).check(stream_);
    EXPECT_EQ(latest().text, "Xsyevd job=1 uplo=1 n=3 A=1 lda=3 W=1 compute=1");
    EXPECT_EQ(latest().addresses[0], columns.data());
}

TEST_F(DecompositionTest, FindsEigenvaluesOnly) {
    const StridedView a = matrix(3, 3), w = matrix(3, 2, rows_first).select(1, 1);
    math::Eigh plan(stream_, a, w);
    EXPECT_TRUE(stand_in().calls.empty());
    plan.check(stream_);  // nothing was computed
    plan(stream_, a, w);
    EXPECT_EQ(latest().text, "Xsyevd job=0 uplo=0 n=3 A=1 lda=3 W=1 compute=1");
    EXPECT_NE(latest().addresses[0], a.data());
    EXPECT_THAT(elements(w), ElementsAre(1, 2, 3));
    math::eigh(stream_, matrix<std::complex<float>>(2, 2), vector<float>(2)).check(stream_);
    EXPECT_EQ(latest().text, "Xsyevd job=0 uplo=0 n=2 A=4 lda=2 W=0 compute=4");
}

TEST_F(DecompositionTest, FindsEigenvaluesOfABatch) {
    const StridedView a(device_.allocate<double>(stream_, 18), {2, 3, 3});
    const StridedView v = a.allocate_like(stream_, device_), w(device_.allocate<double>(stream_, 6), {2, 3});
    stand_in().info = {0, 2};
    const auto failure = math::eigh(stream_, a, w, v).failure(stream_);
    EXPECT_EQ(latest().text, "XsyevBatched job=1 uplo=0 n=3 A=1 lda=3 W=1 compute=1 batch=2");
    EXPECT_THAT(elements(w), ElementsAre(1, 2, 3, 11, 12, 13));
    ASSERT_TRUE(failure.has_value());
    EXPECT_EQ(failure->matrix, 1);
    EXPECT_EQ(failure->index, 1);
    EXPECT_EQ(failure->kind, math::NumericalFailure::Kind::not_converged);
    EXPECT_THAT(math::to_string(*failure), AllOf(HasSubstr("Matrix 1"), HasSubstr("2 of")));
    stand_in().missing = {"cusolverDnXsyevBatched_bufferSize"};
}

TEST_F(DecompositionTest, WritesSingularVectorsInAnyLayout) {
    for (const math::SvdMethod method : {math::SvdMethod::qr, math::SvdMethod::polar}) {
        const bool is_qr = method == math::SvdMethod::qr;
        for (const MemoryOrder order : {rows_first, columns_first}) {
            const StridedView s = vector(2);
            const StridedView u = matrix(4, 2, order, 1), vh = matrix(2, 2, order, 1);
            math::svd(stream_, matrix(4, 2, order), u, s, vh, {.method = method}).check(stream_);
            EXPECT_EQ(elements(u), pattern(1000, 4, 2));
            EXPECT_EQ(elements(vh), pattern(2000, 2, 2, !is_qr));  // the polar method has vectors as columns
            // The transpose exchanges both sides.
            const StridedView wide_u = matrix(2, 2, order, 1), wide_vh = matrix(2, 4, order, 1);
            math::svd(stream_, matrix(2, 4, order), wide_u, s, wide_vh, {.method = method}).check(stream_);
            EXPECT_EQ(elements(wide_vh), pattern(1000, 2, 4, true));
            EXPECT_EQ(elements(wide_u), pattern(2000, 2, 2, is_qr));
        }
    }
}

TEST_F(DecompositionTest, DecomposesThinAndFull) {
    const StridedView a = matrix(4, 2), s = vector(2);
    math::svd(stream_, a, matrix(4, 2), s, matrix(2, 2)).check(stream_);
    EXPECT_EQ(latest().text, "Xgesvd u=83 v=83 m=4 n=2 A=1 lda=4 S=1 ldu=4 ldvt=2 compute=1");
    EXPECT_NE(latest().addresses[0], a.data());
    math::svd(stream_, a, matrix(4, 4), s, matrix(2, 2)).check(stream_);
    EXPECT_EQ(latest().text, "Xgesvd u=65 v=65 m=4 n=2 A=1 lda=4 S=1 ldu=4 ldvt=2 compute=1");
    math::svd(stream_, matrix(2, 4), matrix(2, 2), s, matrix(4, 4)).check(stream_);
    EXPECT_EQ(latest().text, "Xgesvd u=65 v=65 m=4 n=2 A=1 lda=4 S=1 ldu=4 ldvt=2 compute=1");
    math::svd(stream_, a, s).check(stream_);
    EXPECT_EQ(latest().text, "Xgesvd u=78 v=78 m=4 n=2 A=1 lda=4 S=1 ldu=4 ldvt=2 compute=1");
    math::svd(stream_, a, matrix(4, 4), s, matrix(2, 2), {.method = math::SvdMethod::polar}).check(stream_);
    EXPECT_EQ(latest().text, "Xgesvdp job=1 econ=0 m=4 n=2 A=1 lda=4 S=1 ldu=4 ldv=2 compute=1");
    math::svd(stream_, a, s, {.method = math::SvdMethod::polar}).check(stream_);
    EXPECT_EQ(latest().text, "Xgesvd u=78 v=78 m=4 n=2 A=1 lda=4 S=1 ldu=4 ldvt=2 compute=1")
        << "cuSOLVER writes vectors otherwise";
}

TEST_F(DecompositionTest, ConjugatesComplexRightVectors) {
    using Complex = std::complex<double>;
    const StridedView vh = matrix<Complex>(2, 2, columns_first, 1);
    math::svd(stream_, matrix<Complex>(4, 2), matrix<Complex>(4, 2), vector(2), vh, {.method = math::SvdMethod::polar})
        .check(stream_);
    EXPECT_EQ(latest().text, "geam ta=2 tb=0 m=2 n=2 alpha=1 lda=2 beta=0 ldb=3 ldc=3");
    EXPECT_EQ(latest().addresses[0], stand_in().calls[0].addresses[3]);
    EXPECT_EQ(latest().addresses[2], vh.data());
}

TEST_F(DecompositionTest, ReportsWhatDoesNotConverge) {
    stand_in().info = {2};
    const auto failure = math::svd(stream_, matrix(3, 3), vector(3)).failure(stream_);
    EXPECT_EQ(failure->kind, math::NumericalFailure::Kind::not_converged);
    EXPECT_EQ(failure->index, 1);
}

TEST_F(DecompositionTest, DoesNothingForZeroSizes) {
    math::svd(stream_, matrix(0, 2), vector(1).slice(0, 0, 0)).check(stream_);
    math::eigh(stream_, matrix(0, 0), vector(1).slice(0, 0, 0)).check(stream_);
    EXPECT_TRUE(stand_in().calls.empty());
}

TEST_F(DecompositionTest, RefusesCaptures) {
    const StridedView a = matrix(3, 3), w = vector(3);
    math::Eigh eigh(stream_, a, w);
    math::Svd svd(stream_, a, w);
    GraphBuilder builder(stream_);
    builder.begin_building();
    EXPECT_THAT(message_of<std::invalid_argument>([&] { eigh(builder, a, w); }), HasSubstr("waits for results"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { svd(builder, a, w); }), HasSubstr("waits for results"));
    builder.end_building();
    EXPECT_TRUE(stand_in().calls.empty());
}

}  // namespace
}  // namespace cubind::testing
