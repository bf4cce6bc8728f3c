// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Failures, captures, streams and lifetimes of solvers on a GPU.
#include <cubind/check.hpp>
#include <cubind/cusolver/decomposition.hpp>
#include <cubind/cusolver/generic.hpp>
#include <cubind/cusolver/management.hpp>
#include <cubind/cusolver/status.hpp>
#include <cubind/math/decompositions.hpp>
#include <cubind/math/least_squares.hpp>
#include <cubind/math/solve.hpp>

#include <thread>

#include "host_matrix.hpp"

namespace cubind::testing {
namespace {

using Kind = math::NumericalFailure::Kind;

class SolverRulesGpuTest : public SolverGpu {
protected:
    void expect_solution(const HostMatrix& a, const HostMatrix& x, const HostMatrix& b) {
        ASSERT_TRUE(x.is_finite());
        EXPECT_LE((a * x - b).norm() / (a.norm() * x.norm()), tolerance<double>(a.rows));
    }
    /// Captures `work`, launches the graph twice, and calls `check`. Prints the reason if cuSOLVER cannot be captured; then
    /// `work` must still succeed without a capture.
    template <class Work, class Check>
    void capture(const char* name, Work work, Check check) {
        work(*stream_);
        stream_->synchronize();
        GraphBuilder builder(*stream_);
        std::optional<Graph> graph;
        try {
            builder.begin_building();
            work(builder);
            builder.end_building();
            graph.emplace(builder.complete());
        } catch (const Error& error) {
            std::printf("%s cannot be captured: %s\n", name, error.what());
            try {
                builder.close();
            } catch (const Error&) {
            }
            Stream other(*device_);
            stream_.emplace(*device_);
            work(*stream_);
            return check();
        }
        std::printf("%s can be captured\n", name);
        graph->launch(*stream_);
        graph->launch(*stream_);
        check();
    }
};

TEST_F(SolverRulesGpuTest, ReportsFailuresWithTheirIndex) {
    HostMatrix ones(5, 5);
    for (double& each : ones.re) each = 1;
    const StridedView x = allocate<double>(5, 1);
    const auto singular = math::solve(*stream_, upload<double>(ones), x, x).failure(*stream_);
    ASSERT_TRUE(singular.has_value());
    EXPECT_EQ(singular->kind, Kind::singular);
    EXPECT_EQ(singular->index, 1);

    HostMatrix indefinite = HostMatrix::identity(5);
    indefinite.re[indefinite.at(2, 2)] = -1;
    math::Cholesky plan(*stream_, upload<double>(indefinite));
    const auto negative = plan.failure(*stream_);
    ASSERT_TRUE(negative.has_value());
    EXPECT_EQ(negative->kind, Kind::not_positive_definite);
    EXPECT_EQ(negative->index, 2);
    EXPECT_THROW(plan.check(*stream_), math::NumericalError);
    plan.factorize(*stream_, upload<double>(HostMatrix::identity(5)));
    plan.check(*stream_);

    HostMatrix dependent = HostMatrix::random<double>(5, 3);
    for (std::int64_t i = 0; i < 5; ++i) dependent.re[dependent.at(i, 1)] = 2 * dependent.re[dependent.at(i, 0)];
    const auto rank = math::Qr(*stream_, upload<double>(dependent)).failure(*stream_);
    ASSERT_TRUE(rank.has_value());
    EXPECT_EQ(rank->kind, Kind::rank_deficient);
    EXPECT_EQ(rank->index, 1);
}

TEST_F(SolverRulesGpuTest, ReportsNaNUnlessByLu) {
    for (const double value : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        HostMatrix a = positive_definite<double>(20);
        a.re[a.at(3, 3)] = value;
        const StridedView device_a = upload<double>(a), b = upload<double>(HostMatrix::random<double>(20, 1));
        const auto expect = [&](const char* name, const std::optional<math::NumericalFailure>& failure,
                                const StridedView& result) {
            const bool is_finite = download<double>(result).is_finite();
            std::printf("%s with %g: %s, %s\n", name, value, failure ? math::to_string(*failure).c_str() : "no failure",
                        is_finite ? "finite results" : "results that are not finite");
            // Infinity on the diagonal has the inverse 0, so that LU and Cholesky can be right. The LU of cuSOLVER 12.0 ignores
            // NaN.
            if (std::isnan(value) && std::string_view(name) != "solve by LU") {
                EXPECT_TRUE(failure.has_value() || !is_finite) << name;
            }
        };
        const StridedView x = allocate<double>(20, 1), w = allocate<double>(20, 1).select(1, 0), v = allocate<double>(20, 20);
        const auto lu = math::solve(*stream_, device_a, b, x);
        expect("solve by LU", lu.failure(*stream_), x);
        const auto cholesky = math::solve(*stream_, device_a, b, x, {.positive_definite = true});
        expect("solve by Cholesky", cholesky.failure(*stream_), x);
        const auto squares = math::least_squares(*stream_, device_a, b, x);
        expect("least_squares", squares.failure(*stream_), x);
        const auto eigh = math::eigh(*stream_, device_a, w, v);
        expect("eigh", eigh.failure(*stream_), w);
        const StridedView u = allocate<double>(20, 20);
        const auto svd = math::svd(*stream_, device_a, u, w, v);
        expect("svd", svd.failure(*stream_), w);
    }
}

TEST_F(SolverRulesGpuTest, CapturesFactorizationsAndSolutions) {
    const HostMatrix a = positive_definite<double>(100), b = HostMatrix::random<double>(100, 2);
    const StridedView device_a = upload<double>(a), device_b = upload<double>(b, {MemoryOrder::row_major, 0});
    const StridedView x = allocate<double>(100, 2, {MemoryOrder::row_major, 0});
    const auto check = [&] { expect_solution(a, download<double>(x), b); };
    math::Lu lu(*stream_, device_a);
    capture(
        "Lu::solve", [&](StreamRef stream) { lu.solve(stream, device_b, x); }, check);
    math::Lu lu_again(*stream_, device_a);
    capture(
        "Lu::factorize",
        [&](StreamRef stream) {
            lu_again.factorize(stream, device_a);
            lu_again.solve(stream, device_b, x);
        },
        check);
    math::Cholesky cholesky(*stream_, device_a);
    capture(
        "Cholesky::solve", [&](StreamRef stream) { cholesky.solve(stream, device_b, x); }, check);
    math::Cholesky cholesky_again(*stream_, device_a);
    capture(
        "Cholesky::factorize",
        [&](StreamRef stream) {
            cholesky_again.factorize(stream, device_a);
            cholesky_again.solve(stream, device_b, x);
        },
        check);
    math::Qr qr(*stream_, device_a);
    capture(
        "Qr::solve", [&](StreamRef stream) { qr.solve(stream, device_b, x); }, check);
    math::Qr qr_again(*stream_, device_a);
    capture(
        "Qr::factorize",
        [&](StreamRef stream) {
            qr_again.factorize(stream, device_a);
            qr_again.solve(stream, device_b, x);
        },
        check);
    const StridedView r = allocate<double>(100, 100), q = allocate<double>(100, 100);
    math::Qr parts(*stream_, device_a);
    capture(
        "Qr::q and Qr::r",
        [&](StreamRef stream) {
            parts.q(stream, q);
            parts.r(stream, r);
        },
        [&] { EXPECT_LE((download<double>(q) * download<double>(r) - a).norm() / a.norm(), tolerance<double>(100)); });
}

TEST_F(SolverRulesGpuTest, IsUsedByStreamsAndThreadsAndDestroyedWhileWorkRuns) {
    const HostMatrix a = positive_definite<double>(300);
    const StridedView device_a = upload<double>(a);
    std::vector<HostMatrix> right;
    std::vector<StridedView> solutions;
    for (int i = 0; i < 8; ++i) {
        right.push_back(HostMatrix::random<double>(300, 4));
        solutions.push_back(upload<double>(right.back(), {i % 2 == 0 ? MemoryOrder::row_major : MemoryOrder::column_major, 0}));
    }
    Stream first(*device_), second(*device_);
    {
        math::Cholesky plan(first, device_a);
        std::thread thread([&] {
            for (std::size_t i = 0; i < 4; ++i) plan.solve(second, solutions[i]);
        });
        for (std::size_t i = 4; i < 8; ++i) plan.solve(first, solutions[i]);
        thread.join();
    }
    const StridedView u = allocate<double>(300, 300), s = allocate<double>(300, 1).select(1, 0), vh = allocate<double>(300, 300);
    (void)math::svd(first, device_a, u, s, vh);
    first.synchronize();
    second.synchronize();
    for (std::size_t i = 0; i < 8; ++i) expect_solution(a, download<double>(solutions[i]), right[i]);
    EXPECT_LE((download<double>(u).scaled(download<double>(s)) * download<double>(vh) - a).norm() / a.norm(),
              tolerance<double>(300));
}

// The classes refuse these captures, because cuSOLVER cannot do them. This test tells when a release can.
TEST_F(SolverRulesGpuTest, DecompositionsOfCusolverCannotBeCaptured) {
    constexpr std::int64_t n = 257;
    const StridedView a = upload<double>(positive_definite<double>(n)), w = allocate<double>(n, 1);
    const TypedBuffer<int> info = device_->allocate<int>(*stream_, 1);
    device_->set_current();
    const cusolver::cusolverDnHandle_t handle = check(cusolver::cusolverDnCreate());
    const cusolver::cusolverDnParams_t params = check(cusolver::cusolverDnCreateParams());
    const auto [status, device_bytes, host_bytes] = cusolver::cusolverDnXsyevd_bufferSize(
        handle, params, cusolver::CUSOLVER_EIG_MODE_VECTOR, cublas::CUBLAS_FILL_MODE_LOWER, n, runtime::CUDA_R_64F, a.data(), n,
        runtime::CUDA_R_64F, w.data(), runtime::CUDA_R_64F);
    ASSERT_EQ(status, cusolver::CUSOLVER_STATUS_SUCCESS);
    const Buffer work = device_->allocate(*stream_, device_bytes);
    std::vector<std::byte> host(host_bytes);
    stream_->synchronize();
    check(cusolver::cusolverDnSetStream(handle, stream_->native_handle()));
    GraphBuilder builder(*stream_);
    builder.begin_building();
    const auto [captured] = cusolver::cusolverDnXsyevd(
        handle, params, cusolver::CUSOLVER_EIG_MODE_VECTOR, cublas::CUBLAS_FILL_MODE_LOWER, n, runtime::CUDA_R_64F, a.data(), n,
        runtime::CUDA_R_64F, w.data(), runtime::CUDA_R_64F, reinterpret_cast<void*>(work.native_handle()), device_bytes,
        host.data(), host_bytes, reinterpret_cast<int*>(info.native_handle()));
    bool is_valid = captured == cusolver::CUSOLVER_STATUS_SUCCESS;
    try {
        builder.end_building();
    } catch (const Error& error) {
        std::printf("Xsyevd in a capture: %s, %s\n", cusolver::to_string(captured), error.what());
        is_valid = false;
    }
    EXPECT_FALSE(is_valid) << "cuSOLVER can capture Xsyevd: let math::Eigh allow it";
    (void)cusolver::cusolverDnDestroyParams(params);
    (void)cusolver::cusolverDnDestroy(handle);
}

}  // namespace
}  // namespace cubind::testing
