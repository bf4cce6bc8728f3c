// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Each call of cuSPARSE, cuDSS and the driver that the classes make, failing once; and libraries that are missing.
#include <cstddef>

#include "sparse_test.hpp"

namespace cubind::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class SparseSweepTest : public SparseTest {
protected:
    SparseSweepTest() { Device(0).set_current(); }

    /// A release that fails before it reaches the stand-in leaves its objects. An error of cuDSS names the function that called
    /// the memory resource, whose message it has.
    std::size_t sweep(const std::function<void()>& operation) {
        const auto names = record().names;
        const std::size_t calls = CoreTest::sweep(
            [&] {
                record() = {};
                record().names = names;
                record().entries = 4;
                operation();
            },
            {"cuStreamIsCapturing", "cuMemAllocFromPoolAsync"});
        record().living = 0;
        return calls;
    }

    TypedBuffer<float> x_ = array<float>("x", 12);
    TypedBuffer<float> y_ = array<float>("y", 12);
    StridedView x_vector_{StridedView(x_, {12}).slice(0, 0, 3)};
    StridedView y_vector_{StridedView(y_, {12}).slice(0, 0, 3)};
    StridedView x_matrix_{x_, {3, 2}};
    StridedView y_matrix_{y_, {3, 2}};
};

TEST_F(SparseSweepTest, Products) {
    EXPECT_GT(sweep([this] {
                  math::SparseProduct product(stream_, square(), x_vector_, y_vector_);
                  product(stream_, x_vector_, y_vector_);
                  product.set_values(values_);
              }),
              10u);
    sweep([this] {
        math::SparseProduct product(stream_, square(), StridedView(x_, {2, 3, 2}), StridedView(y_, {2, 3, 2}));
        product(stream_, StridedView(x_, {2, 3, 2}), StridedView(y_, {2, 3, 2}));
    });
    sweep([this] { static_cast<void>(multiply(stream_, square(), square())); });
}

TEST_F(SparseSweepTest, TriangularSystems) {
    sweep([this] {
        math::SparseTriangularSolver solver(stream_, square(), x_vector_, y_vector_);
        solver(stream_, x_vector_, y_vector_);
        solver.set_values(stream_, values_);
    });
    sweep([this] {
        math::SparseTriangularSolver solver(stream_, square(), x_matrix_, y_matrix_);
        solver(stream_, x_matrix_, y_matrix_);
        solver.set_values(stream_, values_);
    });
}

TEST_F(SparseSweepTest, Conversions) {
    sweep([this] {
        math::to_dense(stream_, square(), StridedView(x_, {3, 3}));
        static_cast<void>(math::to_sparse(stream_, StridedView(x_, {3, 4})));
        const math::SparseMatrix columns = math::convert(stream_, square(), math::SparseFormat::csc);
        static_cast<void>(math::convert(stream_, columns, math::SparseFormat::coo));
    });
}

TEST_F(SparseSweepTest, Solvers) {
    EXPECT_GT(sweep([this] {
                  record().allocation = 1024;
                  math::SparseSolver solver(stream_, square(), x_vector_, y_vector_, {.refinement_steps = 1});
                  solver.analyze(stream_);
                  solver.factorize(stream_);
                  static_cast<void>(solver.failed_pivot());
                  solver.solve(stream_, x_vector_, y_vector_);
                  solver.set_values(values_);
                  solver.refactorize(stream_);
              }),
              15u);
}

}  // namespace
}  // namespace cubind::testing
