// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// What cuSPARSE receives for triangular systems.
#include <stdexcept>

#include "sparse_test.hpp"

namespace cubind::testing {
namespace {

using math::SparseTriangle;
using math::SparseTriangularSolver;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class SparseTriangularTest : public SparseTest {
protected:
    template <class Call>
    static void rejects(Call call, const auto& matcher) {
        EXPECT_THAT(message_of<std::invalid_argument>(call), matcher);
    }

    TypedBuffer<float> b_ = array<float>("b", 12);
    TypedBuffer<float> x_ = array<float>("x", 12);
    StridedView b_vector_{StridedView(b_, {12}).slice(0, 0, 3)};
    StridedView x_vector_{StridedView(x_, {12}).slice(0, 0, 3)};
};

TEST_F(SparseTriangularTest, AnalyzesOnceAndSolvesVectors) {
    SparseTriangularSolver solver(stream_, square(), b_vector_, x_vector_);
    EXPECT_THAT(calls(), Contains("SpMatSetAttribute(0, 0)"));  // lower
    EXPECT_THAT(calls(), Contains("SpMatSetAttribute(1, 0)"));  // a diagonal that is read
    const std::string operands = "csr(3, 3, 5, offsets, columns, values, 2, 2, 0, 0), vector(3, b, 0), vector(3, x, 0), 0, 0";
    EXPECT_EQ(record().latest("SpSV_analysis("), "SpSV_analysis(0, 1, " + operands + ", memory)");
    calls().clear();
    solver(stream_, b_vector_, x_vector_, 2.0);
    EXPECT_THAT(calls(), ::testing::ElementsAre("DnVecSetValues(b)", "DnVecSetValues(x)", "SpSV_solve(0, 2, " + operands + ")"));
    solver.set_values(stream_, array<float>("new", 5));
    EXPECT_EQ(record().latest("SpMatSetValues("), "SpMatSetValues(new)");
    EXPECT_EQ(calls().back(), "SpSV_updateMatrix(new, 0)");
    solver(stream_, x_vector_, x_vector_);  // in place
    EXPECT_EQ(record().count("SpSV_analysis"), 0);
}

TEST_F(SparseTriangularTest, SolvesSeveralRightSides) {
    const StridedView b(b_, {3, 2}, {1, 4});
    const StridedView x(x_, {3, 2});
    SparseTriangularSolver solver(stream_, square().transposed(), b, x,
                                  {.triangle = SparseTriangle::upper, .unit_diagonal = true});
    EXPECT_THAT(calls(), Contains("SpMatSetAttribute(0, 1)"));
    EXPECT_THAT(calls(), Contains("SpMatSetAttribute(1, 1)"));
    solver(stream_, b, x);
    // x decides the order, 2 for rows, so that b is the transpose of a matrix in that order.
    EXPECT_THAT(record().latest("SpSM_solve("),
                AllOf(StartsWith("SpSM_solve(1, 1, 1, csr("), HasSubstr("matrix(2, 3, 4, b, 0, 2), matrix(3, 2, 2, x, 0, 2)")));
    solver.set_values(stream_, array<float>("new", 5));
    EXPECT_EQ(calls().back(), "SpSM_updateMatrix(new, 0)");
    math::solve_triangular(stream_, square(), b, x);
    EXPECT_EQ(record().count("SpSM_solve("), 2);
}

TEST_F(SparseTriangularTest, IsCapturedAfterItsAnalysis) {
    SparseTriangularSolver solver(stream_, square(), b_vector_, x_vector_);
    GraphBuilder builder{Device(0)};
    builder.begin_building();
    solver(builder, b_vector_, x_vector_);
    rejects([&] { solver.set_values(builder, values_); }, HasSubstr("captured"));
    rejects([&] { SparseTriangularSolver(builder, square(), b_vector_, x_vector_); }, HasSubstr("captured"));
    builder.end_building();
    EXPECT_EQ(record().count("SpSV_solve("), 1);
}

TEST_F(SparseTriangularTest, DoesNotJoinACaptureOfItsLatestStream) {
    SparseTriangularSolver solver(stream_, square(), b_vector_, x_vector_);
    GraphBuilder builder{StreamRef(stream_)};
    builder.begin_building();
    const Stream second{Device(0)};
    rejects([&] { solver(second, b_vector_, x_vector_); }, HasSubstr("end the capture"));
    EXPECT_FALSE(second.is_capturing());
    builder.end_building();
    solver(second, b_vector_, x_vector_);
}

TEST_F(SparseTriangularTest, OrdersStreams) {
    SparseTriangularSolver solver(stream_, square(), b_vector_, x_vector_);
    {
        const Stream second{Device(0)};
        solver(second, b_vector_, x_vector_);
    }
    solver(stream_, b_vector_, x_vector_);  // the other stream has ended
    rejects([&] { solver(other_stream_, b_vector_, x_vector_); }, AllOf(HasSubstr("device 1"), HasSubstr("device 0")));
}

TEST_F(SparseTriangularTest, RejectsWhatDoesNotFit) {
    rejects([&] { SparseTriangularSolver(stream_, csr(), b_vector_, x_vector_); },
            AllOf(HasSubstr("3 x 4"), HasSubstr("square")));
    const auto half = math::SparseMatrix::csr({3, 3}, offsets_, columns_, halves("half", {5}));
    rejects([&] { SparseTriangularSolver(stream_, half, b_vector_, x_vector_); }, HasSubstr("float16"));
    const auto csc = math::SparseMatrix::csc({3, 3}, offsets_, columns_, values_);
    rejects([&] { SparseTriangularSolver(stream_, csc, b_vector_, x_vector_); }, HasSubstr("csc"));
    rejects([&] { SparseTriangularSolver(stream_, square(), b_, x_vector_); }, AllOf(HasSubstr("(12)"), HasSubstr("(3)")));
    rejects([&] { SparseTriangularSolver(stream_, square(), b_vector_, StridedView(x_, {3, 1})); }, HasSubstr("(3, 1)"));
    rejects([&] { SparseTriangularSolver(stream_, square(), b_vector_, x_vector_, {.triangle = SparseTriangle::full}); },
            HasSubstr("lower or upper"));
    rejects([&] { SparseTriangularSolver(stream_, square(), b_vector_, StridedView(b_, {12}).slice(0, 1, 4)); },
            HasSubstr("overlap"));
    SparseTriangularSolver solver(stream_, square(), b_vector_, x_vector_);
    rejects([&] { solver(stream_, b_vector_, x_vector_.reverse(0)); }, AllOf(HasSubstr("(-1)"), HasSubstr("(1)")));
}

}  // namespace
}  // namespace cubind::testing
