// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Each call of the libraries and of the driver that solvers make, failing once.
#include <cstddef>

#include "solver_test.hpp"

namespace cubind::testing {
namespace {

class SolverSweepTest : public SolverTest {
protected:
    /// Memory is freed without a wait if nobody knows whether the stream is capturing.
    static std::size_t sweep(const std::function<void()>& operation) {
        stand_in().is_passive = true;
        return CoreTest::sweep(operation, {"cuStreamIsCapturing"});
    }
};

TEST_F(SolverSweepTest, Equations) {
    const StridedView a = matrix(3, 3, rows_first), x = matrix(3, 2, rows_first), factor = matrix(3, 3, rows_first);
    stand_in().host_bytes = 16;
    EXPECT_GT(sweep([&] {
                  math::solve(stream_, a, x, x).check(stream_);
                  math::Cholesky plan(stream_, a);
                  plan.solve(stream_, x);
                  plan.factor(stream_, factor);
                  plan.check(stream_);
              }),
              20u);
}

TEST_F(SolverSweepTest, LeastSquares) {
    const StridedView a = matrix(3, 3).slice(0, 1, 3).slice(1, 1, 3), b = matrix(2, 2, rows_first), x = matrix(2, 2, rows_first);
    EXPECT_GT(sweep([&] {
                  math::Qr factors(stream_, a);
                  factors.solve(stream_, b, x);
                  factors.q(stream_, x);
                  factors.r(stream_, x);
                  factors.multiply_by_q(stream_, x);
                  factors.multiply_by_adjoint_q(stream_, x);
                  factors.check(stream_);
              }),
              20u);
}

TEST_F(SolverSweepTest, Decompositions) {
    using Complex = std::complex<float>;
    const StridedView a = matrix<Complex>(3, 2), u = matrix<Complex>(3, 2), s = vector<float>(2), vh = matrix<Complex>(2, 2);
    const StridedView batch(device_.allocate<float>(stream_, 8), {2, 2, 2}), w(device_.allocate<float>(stream_, 4), {2, 2});
    sweep([&] {
        math::svd(stream_, a, u, s, vh).check(stream_);
        math::svd(stream_, a, u, s, vh, {.method = math::SvdMethod::polar}).check(stream_);
        math::eigh(stream_, vh, s, vh).check(stream_);
        math::eigh(stream_, batch, w).check(stream_);
    });
}

}  // namespace
}  // namespace cubind::testing
