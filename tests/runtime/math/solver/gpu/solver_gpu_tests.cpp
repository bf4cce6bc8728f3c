// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Each solver, type and layout on a GPU, by residuals in double precision.
#include <cubind/cusolver/availability.hpp>
#include <cubind/cusolver/generic.hpp>
#include <cubind/math/decompositions.hpp>
#include <cubind/math/least_squares.hpp>
#include <cubind/math/solve.hpp>

#include "host_matrix.hpp"

namespace cubind::testing {
namespace {

using Types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;

template <class Element>
class SolverGpuTest : public SolverGpu {
protected:
    StridedView upload(const HostMatrix& matrix, const Arrangement& arrangement = {}) {
        return SolverGpu::upload<Element>(matrix, arrangement);
    }
    StridedView allocate(std::int64_t rows, std::int64_t columns, const Arrangement& arrangement = {}) {
        return SolverGpu::allocate<Element>(rows, columns, arrangement);
    }
    HostMatrix download(const StridedView& view) { return SolverGpu::download<Element>(view); }

    /// Calls `test(n, arrangement)` for each size, and each arrangement of small matrices.
    template <class Test>
    static void for_sizes(Test test) {
        for (const std::int64_t n : {1, 5, 64}) {
            for (const Arrangement& each : arrangements) {
                SCOPED_TRACE("n = " + std::to_string(n) +
                             (each.order == MemoryOrder::row_major ? ", row-major, gap " : ", column-major, gap ") +
                             std::to_string(each.gap));
                test(n, each);
            }
        }
        SCOPED_TRACE("n = 257");
        test(257, Arrangement{MemoryOrder::row_major, 5});
    }
    static void expect_solution(const HostMatrix& a, const HostMatrix& x, const HostMatrix& b) {
        ASSERT_TRUE(x.is_finite());
        EXPECT_LE((a * x - b).norm() / (a.norm() * x.norm()), tolerance<Element>(a.rows));
    }
};

TYPED_TEST_SUITE(SolverGpuTest, Types);

TYPED_TEST(SolverGpuTest, SolvesByLu) {
    this->for_sizes([&](std::int64_t n, const Arrangement& arrangement) {
        const HostMatrix a = HostMatrix::random<TypeParam>(n, n), b = HostMatrix::random<TypeParam>(n, 3);
        const StridedView device_a = this->upload(a, arrangement), device_b = this->upload(b, arrangement);
        math::Lu factors(*this->stream_, device_a);
        for (const Arrangement& of_x : arrangements) {
            const StridedView x = this->allocate(n, 3, of_x);
            factors.solve(*this->stream_, device_b, x);
            this->expect_solution(a, this->download(x), b);
        }
        const StridedView x = this->allocate(n, 3);
        factors.solve(*this->stream_, device_b, x, math::SolveWith::transpose);
        this->expect_solution(a.transpose(), this->download(x), b);
        factors.solve(*this->stream_, device_b, x, math::SolveWith::conjugate_transpose);
        this->expect_solution(a.adjoint(), this->download(x), b);
        factors.check(*this->stream_);
        EXPECT_EQ((this->download(device_a) - a).norm(), 0);  // preserved
        EXPECT_EQ((this->download(device_b) - b).norm(), 0);
        math::solve(*this->stream_, device_a, device_b.select(1, 1), device_b.select(1, 1)).check(*this->stream_);
        HostMatrix column(n, 1);
        for (std::int64_t i = 0; i < n; ++i) {
            column.re[column.at(i, 0)] = b.re[b.at(i, 1)];
            column.im[column.at(i, 0)] = b.im[b.at(i, 1)];
        }
        this->expect_solution(a, this->download(device_b.select(1, 1)), column);
    });
    const HostMatrix a = HostMatrix::random<TypeParam>(64, 64), b = HostMatrix::random<TypeParam>(64, 1);
    math::Lu in_place(*this->stream_, this->upload(a, {MemoryOrder::column_major, 3}), {.overwrite_a = true});
    const StridedView x = this->upload(b);
    in_place.solve(*this->stream_, x);
    this->expect_solution(a, this->download(x), b);
}

TYPED_TEST(SolverGpuTest, SolvesByCholesky) {
    this->for_sizes([&](std::int64_t n, const Arrangement& arrangement) {
        const HostMatrix a = this->template positive_definite<TypeParam>(n), b = HostMatrix::random<TypeParam>(n, 2);
        for (const math::MatrixTriangle triangle : {math::MatrixTriangle::lower, math::MatrixTriangle::upper}) {
            const bool is_lower = triangle == math::MatrixTriangle::lower;
            const StridedView device_a = this->upload(this->spoiled(a, is_lower), arrangement);
            math::Cholesky plan(*this->stream_, device_a, {.triangle = triangle});
            const StridedView x = this->allocate(n, 2, arrangement), factor = this->allocate(n, n, arrangement);
            plan.solve(*this->stream_, this->upload(b), x);
            plan.factor(*this->stream_, factor);
            plan.check(*this->stream_);
            this->expect_solution(a, this->download(x), b);
            const HostMatrix l = is_lower ? this->download(factor) : this->download(factor).adjoint();
            EXPECT_LE((l * l.adjoint() - a).norm() / a.norm(), tolerance<TypeParam>(n));
            const bool flips = arrangement.order == MemoryOrder::row_major && is_complex<TypeParam>;
            if (flips) continue;  // only real matrices are factored in place in row-major order
            math::Cholesky in_place(*this->stream_, device_a, {.triangle = triangle, .overwrite_a = true});
            in_place.solve(*this->stream_, this->upload(b), x);
            this->expect_solution(a, this->download(x), b);
            in_place.factor(*this->stream_, factor);
            const HostMatrix other = is_lower ? this->download(factor) : this->download(factor).adjoint();
            EXPECT_LE((other * other.adjoint() - a).norm() / a.norm(), tolerance<TypeParam>(n));
        }
    });
}

TYPED_TEST(SolverGpuTest, DecomposesByQr) {
    const std::int64_t shapes[][2] = {{1, 1}, {5, 5}, {64, 5}, {5, 64}, {65, 64}};
    for (const auto& [m, n] : shapes) {
        for (const Arrangement& each : arrangements) {
            SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n));
            const HostMatrix a = HostMatrix::random<TypeParam>(m, n);
            const std::int64_t k = std::min(m, n);
            const StridedView device_a = this->upload(a, each), q = this->allocate(m, k, each), r = this->allocate(k, n, each);
            math::qr(*this->stream_, device_a, q, r).check(*this->stream_);
            const HostMatrix host_q = this->download(q), host_r = this->download(r);
            EXPECT_LE((host_q * host_r - a).norm() / a.norm(), tolerance<TypeParam>(m));
            EXPECT_LE(orthogonality(host_q), tolerance<TypeParam>(m * 4));
            for (std::int64_t i = 0; i < k; ++i)
                for (std::int64_t j = 0; j < i; ++j) ASSERT_EQ(host_r.re[host_r.at(i, j)], 0);
            math::Qr plan(*this->stream_, device_a);
            const StridedView complete = this->allocate(m, m, each), c = this->upload(HostMatrix::identity(m), each);
            plan.q(*this->stream_, complete);
            plan.multiply_by_q(*this->stream_, c);
            const HostMatrix all = this->download(complete);
            EXPECT_LE(orthogonality(all), tolerance<TypeParam>(m * 4));
            EXPECT_LE((this->download(c) - all).norm(), tolerance<TypeParam>(m * 4));
            plan.multiply_by_adjoint_q(*this->stream_, c);
            EXPECT_LE((this->download(c) - HostMatrix::identity(m)).norm(), tolerance<TypeParam>(m * 4));
        }
    }
}

TYPED_TEST(SolverGpuTest, MinimizesSquares) {
    const std::int64_t shapes[][2] = {{1, 1}, {5, 3}, {64, 64}, {257, 64}};
    for (const auto& [m, n] : shapes) {
        for (const Arrangement& each : arrangements) {
            SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n));
            const HostMatrix a = HostMatrix::random<TypeParam>(m, n), b = HostMatrix::random<TypeParam>(m, 2);
            const StridedView device_b = this->upload(b, each), x = this->allocate(n, 2, each);
            math::least_squares(*this->stream_, this->upload(a, each), device_b, x).check(*this->stream_);
            const HostMatrix solution = this->download(x);
            ASSERT_TRUE(solution.is_finite());
            const double scale = a.norm() * (a.norm() * solution.norm() + b.norm());
            EXPECT_LE((a.adjoint() * (a * solution - b)).norm() / scale, tolerance<TypeParam>(m));
            EXPECT_EQ((this->download(device_b) - b).norm(), 0);
        }
    }
}

TYPED_TEST(SolverGpuTest, FindsEigenvectors) {
    this->for_sizes([&](std::int64_t n, const Arrangement& arrangement) {
        HostMatrix a = HostMatrix::random<TypeParam>(n, n);
        const HostMatrix adjoint = a.adjoint();
        for (std::size_t i = 0; i < a.re.size(); ++i) {  // halves of sums of floats are floats or are rounded alike
            a.re[i] = static_cast<double>(static_cast<float>((a.re[i] + adjoint.re[i]) / 2));
            a.im[i] = static_cast<double>(static_cast<float>((a.im[i] + adjoint.im[i]) / 2));
        }
        for (const math::MatrixTriangle triangle : {math::MatrixTriangle::lower, math::MatrixTriangle::upper}) {
            const StridedView device_a = this->upload(this->spoiled(a, triangle == math::MatrixTriangle::lower), arrangement);
            const StridedView w = SolverGpu::allocate<Real<TypeParam>>(n, 1).select(1, 0), v = this->allocate(n, n, arrangement);
            math::eigh(*this->stream_, device_a, w, v, {.triangle = triangle}).check(*this->stream_);
            const HostMatrix values = SolverGpu::download<Real<TypeParam>>(w), vectors = this->download(v);
            EXPECT_TRUE(std::is_sorted(values.re.begin(), values.re.end()));
            EXPECT_LE((a * vectors - vectors.scaled(values)).norm() / a.norm(), tolerance<TypeParam>(n));
            EXPECT_LE(orthogonality(vectors), tolerance<TypeParam>(n * 4));
            const StridedView alone = SolverGpu::allocate<Real<TypeParam>>(n, 1).select(1, 0);
            math::eigh(*this->stream_, device_a, alone, {.triangle = triangle}).check(*this->stream_);
            EXPECT_LE((SolverGpu::download<Real<TypeParam>>(alone) - values).norm() / a.norm(), tolerance<TypeParam>(n));
        }
    });
}

TYPED_TEST(SolverGpuTest, FindsEigenvectorsOfABatch) {
    if (!has(cusolver::cusolverDnXsyevBatched)) GTEST_SKIP() << "cuSOLVER is older than CUDA 12.6.2";
    constexpr std::int64_t n = 17, count = 3;
    using Value = Real<TypeParam>;
    for (const MemoryOrder order : {MemoryOrder::row_major, MemoryOrder::column_major}) {
        const auto buffer = this->device_->template allocate<TypeParam>(*this->stream_, static_cast<std::size_t>(n * n * count));
        const Dimensions strides = order == MemoryOrder::row_major ? Dimensions{n * n, n, 1} : Dimensions{n * n, 1, n};
        const StridedView a(buffer, {count, n, n}, strides), v = a.allocate_like(*this->stream_, *this->device_);
        const StridedView w(this->device_->template allocate<Value>(*this->stream_, static_cast<std::size_t>(n * count)),
                            {count, n});
        std::vector<HostMatrix> matrices;
        for (std::int64_t i = 0; i < count; ++i) {
            matrices.push_back(this->template positive_definite<TypeParam>(n));
            copy(*this->stream_, a.select(0, i), this->upload(matrices.back()));
        }
        math::eigh(*this->stream_, a, w, v).check(*this->stream_);
        for (std::int64_t i = 0; i < count; ++i) {
            const HostMatrix& matrix = matrices[static_cast<std::size_t>(i)];
            const HostMatrix values = SolverGpu::download<Value>(w.select(0, i)), vectors = this->download(v.select(0, i));
            EXPECT_LE((matrix * vectors - vectors.scaled(values)).norm() / matrix.norm(), tolerance<TypeParam>(n));
            EXPECT_LE(orthogonality(vectors), tolerance<TypeParam>(n * 4));
        }
    }
}

TYPED_TEST(SolverGpuTest, FindsSingularVectors) {
    using Value = Real<TypeParam>;
    const std::int64_t shapes[][2] = {{1, 1}, {5, 5}, {64, 5}, {5, 64}, {65, 64}};
    for (const math::SvdMethod method : {math::SvdMethod::qr, math::SvdMethod::polar}) {
        for (const auto& [m, n] : shapes) {
            for (const Arrangement& each : arrangements) {
                SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n) +
                             (method == math::SvdMethod::qr ? ", QR" : ", polar"));
                const HostMatrix a = HostMatrix::random<TypeParam>(m, n);
                const std::int64_t k = std::min(m, n);
                const StridedView device_a = this->upload(a, each), s = SolverGpu::allocate<Value>(k, 1).select(1, 0);
                const double limit = tolerance<TypeParam>(std::max(m, n)) * (method == math::SvdMethod::qr ? 1 : 10);
                for (const bool is_full : {false, true}) {
                    const StridedView u = this->allocate(m, is_full ? m : k, each), vh = this->allocate(is_full ? n : k, n, each);
                    math::svd(*this->stream_, device_a, u, s, vh, {.method = method}).check(*this->stream_);
                    const HostMatrix left = this->download(u), right = this->download(vh).adjoint(),
                                     values = SolverGpu::download<Value>(s);
                    EXPECT_TRUE(std::is_sorted(values.re.rbegin(), values.re.rend()));
                    const HostMatrix product = left.first_columns(k).scaled(values) * right.first_columns(k).adjoint();
                    EXPECT_LE((product - a).norm() / a.norm(), limit);
                    EXPECT_LE(orthogonality(left), 4 * limit);
                    EXPECT_LE(orthogonality(right), 4 * limit);
                }
                const HostMatrix values = SolverGpu::download<Value>(s);
                math::svd(*this->stream_, device_a, s, {.method = method}).check(*this->stream_);
                EXPECT_LE((SolverGpu::download<Value>(s) - values).norm() / a.norm(), limit);
                EXPECT_EQ((this->download(device_a) - a).norm(), 0);
            }
        }
    }
}

TYPED_TEST(SolverGpuTest, FindsSingularVectorsOfALargerMatrix) {
    using Value = Real<TypeParam>;
    const HostMatrix a = HostMatrix::random<TypeParam>(257, 100);
    const StridedView s = SolverGpu::allocate<Value>(100, 1).select(1, 0), u = this->allocate(257, 100),
                      vh = this->allocate(100, 100);
    math::svd(*this->stream_, this->upload(a, {MemoryOrder::row_major, 5}), u, s, vh).check(*this->stream_);
    const HostMatrix left = this->download(u), right = this->download(vh);
    EXPECT_LE((left.scaled(SolverGpu::download<Value>(s)) * right - a).norm() / a.norm(), tolerance<TypeParam>(257));
    EXPECT_LE(orthogonality(left), 4 * tolerance<TypeParam>(257));
}

}  // namespace
}  // namespace cubind::testing
