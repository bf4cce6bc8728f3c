// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <complex>
#include <thread>

#include "solver_test.hpp"

namespace cubind::testing {
namespace {

using math::MatrixTriangle;

class SolveTest : public SolverTest {};

TEST_F(SolveTest, FactorsACopyInColumnMajorOrder) {
    for (const MemoryOrder order : {rows_first, columns_first}) {
        const StridedView a = matrix(3, 3, order, 2);
        math::Lu factors(stream_, a);
        EXPECT_THAT(latest().text, "Xgetrf m=3 n=3 A=1 lda=3 compute=1");
        EXPECT_NE(latest().addresses[0], a.data());
        EXPECT_EQ(latest().stream, stream_.native_handle());
        EXPECT_EQ(latest().device_bytes, 1000u);
        EXPECT_NE(latest().device_memory, nullptr);
        EXPECT_EQ(latest().host_memory, nullptr);
        EXPECT_THAT(elements(latest().addresses[0], 9), ElementsAre(0, 10, 20, 1, 11, 21, 2, 12, 22));
        EXPECT_EQ(elements(a), elements_of_matrix(3, 3));
    }
}

TEST_F(SolveTest, FactorsInPlaceInColumnMajorOrder) {
    const StridedView a = matrix(4, 3, columns_first, 2);
    math::Lu factors(stream_, a, {.overwrite_a = true});
    EXPECT_THAT(latest().text, "Xgetrf m=4 n=3 A=1 lda=6 compute=1");
    EXPECT_EQ(latest().addresses[0], a.data());
    const StridedView other = matrix(4, 3, columns_first, 2);
    factors.factorize(stream_, other);
    EXPECT_EQ(latest().addresses[0], other.data());
}

TEST_F(SolveTest, SolvesForAnyLayoutOfTheRightHandSides) {
    const StridedView a = matrix(3, 3);
    math::Lu factors(stream_, a);
    const void* const lu = latest().addresses[0];
    const void* const pivots = latest().addresses[1];
    for (const MemoryOrder order_of_b : {rows_first, columns_first}) {
        for (const MemoryOrder order_of_x : {rows_first, columns_first}) {
            const StridedView b = matrix(3, 2, order_of_b);
            const StridedView x = matrix(3, 2, order_of_x, 1);
            factors.solve(stream_, b, x, math::SolveWith::transpose);
            const bool is_direct = order_of_x == columns_first;
            EXPECT_EQ(latest().text, std::string("Xgetrs trans=1 n=3 nrhs=2 A=1 lda=3 B=1 ldb=") + (is_direct ? "4" : "3"));
            EXPECT_EQ(latest().addresses[0], lu);
            EXPECT_EQ(latest().addresses[1], pivots);
            EXPECT_EQ(latest().addresses[2] == x.data(), is_direct);
            EXPECT_EQ(elements(x), elements_of_matrix(3, 2));  // the stand-in does not change them
            EXPECT_EQ(elements(b), elements_of_matrix(3, 2));
        }
    }
}

TEST_F(SolveTest, SolvesForVectorsAndInPlace) {
    math::Lu factors(stream_, matrix(3, 3));
    const StridedView b = vector(3);
    const StridedView x = vector(3);
    factors.solve(stream_, b, x);
    EXPECT_EQ(latest().text, "Xgetrs trans=0 n=3 nrhs=1 A=1 lda=3 B=1 ldb=3");
    EXPECT_EQ(latest().addresses[2], x.data());
    factors.solve(stream_, b, math::SolveWith::conjugate_transpose);
    EXPECT_EQ(latest().text, "Xgetrs trans=2 n=3 nrhs=1 A=1 lda=3 B=1 ldb=3");
    EXPECT_EQ(latest().addresses[2], b.data());
    const StridedView column = matrix(3, 4, rows_first).select(1, 2);
    factors.solve(stream_, column);
    EXPECT_NE(latest().addresses[2], column.data());
    EXPECT_THAT(elements(column), ElementsAre(2, 12, 22));
    const StridedView reversed = matrix(3, 4, rows_first).select(1, 2).reverse(0);
    factors.solve(stream_, reversed, x);
    EXPECT_THAT(elements(x), ElementsAre(22, 12, 2));
}

TEST_F(SolveTest, ComputesWithFourTypes) {
    const auto check = [&]<class Element>(Element, const char* type) {
        math::Cholesky factor(stream_, matrix<Element>(2, 2));
        EXPECT_EQ(latest().text, std::string("Xpotrf uplo=0 n=2 A=") + type + " lda=2 compute=" + type);
        factor.solve(stream_, vector<Element>(2));
        EXPECT_EQ(latest().text, std::string("Xpotrs uplo=0 n=2 nrhs=1 A=") + type + " lda=2 B=" + type + " ldb=2");
    };
    check(float(), "0");
    check(double(), "1");
    check(std::complex<float>(), "4");
    check(std::complex<double>(), "5");
}

TEST_F(SolveTest, ReadsATriangleInPlace) {
    const StridedView a = matrix(3, 3, columns_first, 1);
    math::Cholesky factor(stream_, a, {.triangle = MatrixTriangle::upper, .overwrite_a = true});
    EXPECT_EQ(latest().text, "Xpotrf uplo=1 n=3 A=1 lda=4 compute=1");
    EXPECT_EQ(latest().addresses[0], a.data());
    // In row-major order, the lower triangle is the upper one of the transpose.
    const StridedView rows = matrix(3, 3, rows_first, 1);
    math::Cholesky other(stream_, rows, {.triangle = MatrixTriangle::lower, .overwrite_a = true});
    EXPECT_EQ(latest().text, "Xpotrf uplo=1 n=3 A=1 lda=4 compute=1");
    EXPECT_EQ(latest().addresses[0], rows.data());
    const StridedView lower = matrix(3, 3, rows_first);
    other.factor(stream_, lower);
    EXPECT_THAT(elements(lower), ElementsAre(0, 0, 0, 10, 11, 0, 20, 21, 22));
}

TEST_F(SolveTest, WritesTheFactorWithZeros) {
    const StridedView a = matrix(3, 3, rows_first);
    for (const MemoryOrder order : {rows_first, columns_first}) {
        const StridedView factor = matrix(3, 3, order, 1);
        math::cholesky(stream_, a, factor).check(stream_);
        EXPECT_THAT(elements(factor), ElementsAre(0, 0, 0, 10, 11, 0, 20, 21, 22));
        math::cholesky(stream_, a, factor, MatrixTriangle::upper).check(stream_);
        EXPECT_THAT(elements(factor), ElementsAre(0, 1, 2, 0, 11, 12, 0, 0, 22));
    }
    math::cholesky(stream_, a, a).check(stream_);
    EXPECT_THAT(elements(a), ElementsAre(0, 0, 0, 10, 11, 0, 20, 21, 22));
}

TEST_F(SolveTest, SolvesOnce) {
    const StridedView x = vector(2);
    math::solve(stream_, matrix(2, 2), vector(2), x).check(stream_);
    EXPECT_THAT(taken_calls(),
                ElementsAre("Xgetrf m=2 n=2 A=1 lda=2 compute=1", "Xgetrs trans=0 n=2 nrhs=1 A=1 lda=2 B=1 ldb=2"));
    math::solve(stream_, matrix(2, 2), x, x, {.positive_definite = true, .triangle = MatrixTriangle::upper}).check(stream_);
    EXPECT_THAT(taken_calls(),
                ElementsAre("Xpotrf uplo=1 n=2 A=1 lda=2 compute=1", "Xpotrs uplo=1 n=2 nrhs=1 A=1 lda=2 B=1 ldb=2"));
}

TEST_F(SolveTest, ReportsFailuresAsValues) {
    const StridedView a = matrix(4, 4);
    const StridedView x = vector(4);
    EXPECT_FALSE(math::solve(stream_, a, x, x).failure(stream_).has_value());
    stand_in().info = {3};
    const auto singular = math::solve(stream_, a, x, x).failure(stream_);
    ASSERT_TRUE(singular.has_value());
    EXPECT_EQ(singular->kind, math::NumericalFailure::Kind::singular);
    EXPECT_EQ(singular->index, 2);
    math::Cholesky factor(stream_, a);
    EXPECT_EQ(factor.failure(stream_)->kind, math::NumericalFailure::Kind::not_positive_definite);
    try {
        factor.check(stream_);
        ADD_FAILURE() << "nothing was thrown";
    } catch (const math::NumericalError& error) {
        EXPECT_EQ(error.failure().index, 2);
        EXPECT_EQ(error.code().value(), 3);
        EXPECT_THAT(error.what(), AllOf(HasSubstr("math::Cholesky"), HasSubstr("first 3 rows"), HasSubstr("math::Lu")));
    }
    stand_in().info = {0};
    factor.factorize(stream_, a);
    factor.check(stream_);
}

TEST_F(SolveTest, OutlivesItsPlanAsResult) {
    stand_in().info = {1};
    const auto solved = [&]() -> math::SolverResult {
        math::Lu factors(stream_, matrix(2, 2));
        return factors;
    }();
    EXPECT_EQ(solved.failure(stream_)->index, 0);
}

TEST_F(SolveTest, MovesPlans) {
    math::Lu first(stream_, matrix(2, 2));
    math::Lu& empty = first;
    math::Lu second = std::move(first);
    second.solve(stream_, vector(2));
    EXPECT_EQ(stand_in().calls.size(), 2u);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { empty.solve(stream_, vector(2)); }), HasSubstr("moved from"));
}

TEST_F(SolveTest, DoesNothingForZeroSizes) {
    math::Lu factors(stream_, matrix(0, 0));
    factors.solve(stream_, matrix(0, 3));
    EXPECT_FALSE(factors.failure(stream_).has_value());
    math::Cholesky factor(stream_, matrix(0, 0));
    factor.factor(stream_, matrix(0, 0));
    EXPECT_TRUE(stand_in().calls.empty());
    math::Lu others(stream_, matrix(2, 2));
    stand_in().calls.clear();
    others.solve(stream_, matrix(2, 0));
    EXPECT_TRUE(stand_in().calls.empty());
}

TEST_F(SolveTest, IsCapturedWithTheMemoryOfThePlan) {
    const StridedView a = matrix(3, 3), x = vector(3);
    std::optional<math::Lu> factors(std::in_place, stream_, a);
    const void* const memory = latest().addresses[0];
    GraphBuilder builder(stream_);
    builder.begin_building();
    factors->factorize(builder, a);
    EXPECT_EQ(latest().addresses[0], memory);
    factors->solve(builder, x);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { (void)factors->failure(builder); }), HasSubstr("captured"));
    EXPECT_THAT(message_of<std::invalid_argument>([&] { math::Lu other(builder, a); }), HasSubstr("before the capture"));
    builder.end_building();
    Graph graph = builder.complete();
    factors.reset();  // the graph retains it
    graph.launch(stream_);
    stream_.synchronize();
    EXPECT_EQ(elements(a), elements_of_matrix(3, 3));
}

TEST_F(SolveTest, IsUsedByTwoStreamsAndTwoThreads) {
    const StridedView a = matrix(3, 3);
    math::Lu factors(stream_, a);
    const void* const memory = latest().addresses[0];
    Stream other(device_);
    factors.solve(other, vector(3));
    EXPECT_EQ(latest().stream, other.native_handle());
    EXPECT_EQ(latest().addresses[0], memory);
    stand_in().calls.clear();
    const auto call = [&](Stream& stream) {
        const StridedView x(device_.allocate<double>(stream, 6), {3, 2});
        for (int i = 0; i < 50; ++i) factors.solve(stream, x);
    };
    std::thread thread([&] { call(other); });
    call(stream_);
    thread.join();
    EXPECT_EQ(stand_in().calls.size(), 100u);
}

TEST_F(SolveTest, KeepsTheWorkspaceOfTheHostUntilWorkIsDone) {
    stand_in().host_bytes = 64;
    std::atomic<bool> may_end = false;
    const StridedView a = matrix(3, 3);
    stream_.launch_host_function([&] {
        while (!may_end) std::this_thread::yield();
    });
    {
        math::Lu factors(stream_, a);
        EXPECT_EQ(latest().host_bytes, 64u);
        EXPECT_NE(latest().host_memory, nullptr);
    }
    EXPECT_FALSE(stream_.is_done());  // the work that uses the workspace comes later than the destruction of the plan
    may_end = true;
    stream_.synchronize();
}

}  // namespace
}  // namespace cubind::testing
