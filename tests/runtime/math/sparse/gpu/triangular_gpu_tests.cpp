// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Triangular systems on a GPU, whose solutions are known.
#include "sparse_gpu.hpp"

namespace cubind::testing {
namespace {

using math::SparseTriangle;

class SparseTriangularGpuTest : public SparseGpuTest {
protected:
    static constexpr std::int64_t n = 50, k = 3;

    /// A matrix with a diagonal that keeps the solution small, and entries in both triangles.
    HostMatrix system(DataType type) {
        HostMatrix result = sparse(type, n, n);
        for (Number& each : result.values) each *= 0.125;
        for (std::int64_t i = 0; i < n; ++i) result.at(i, i) = 2;
        return result;
    }
    static HostMatrix triangle_of(const HostMatrix& host, SparseTriangle triangle, bool unit) {
        HostMatrix result = host;
        for (std::int64_t i = 0; i < n; ++i) {
            for (std::int64_t j = 0; j < n; ++j) {
                if (triangle == SparseTriangle::lower ? j > i : j < i) result.at(i, j) = 0;
                if (i == j && unit) result.at(i, j) = 1;
            }
        }
        return result;
    }
};

TEST_F(SparseTriangularGpuTest, SolvesAllTypesAndLayouts) {
    for (const SparseFormat format : {SparseFormat::csr, SparseFormat::coo}) {
        for (const DataType type : solver_types) {
            for (const SparseTriangle triangle : {SparseTriangle::lower, SparseTriangle::upper}) {
                for (const bool unit : {false, true}) {
                    for (const char operation : {'N', 'T', 'H'}) {
                        const HostMatrix host = system(type);
                        const HostMatrix part = triangle_of(host, triangle, unit);
                        const HostMatrix effective = operation == 'N' ? part : transpose(part, operation == 'H');
                        const SparseMatrix stored = uploaded(host, format, type);
                        const SparseMatrix a = operation == 'N'   ? stored
                                               : operation == 'T' ? stored.transposed()
                                                                  : stored.conjugate_transposed();
                        const math::SparseTriangularOptions options{.triangle = triangle, .unit_diagonal = unit};
                        const std::string what = to_string(a) + (triangle == SparseTriangle::lower ? ", lower" : ", upper") +
                                                 (unit ? ", unit diagonal" : "");
                        const HostMatrix x = dense(type, n, 1);
                        const GpuArray b(*stream_, product(effective, x).values, type, {n});
                        const GpuArray found(*stream_, {}, type, {n});
                        math::solve_triangular(*stream_, a, b.view(), found.view(), options);
                        EXPECT_LT(relative_error(found.values(*stream_), x.values), 100 * tolerance(type)) << what;

                        const HostMatrix many = dense(type, n, k);
                        const std::vector<Number> right = product(effective, many).values;
                        for (const int orders : {0, 1, 2, 3}) {
                            const GpuArray bs(*stream_, right, type, {n, k},
                                              (orders & 1) != 0 ? Dimensions{k, 1} : Dimensions{1, n});
                            const GpuArray xs(*stream_, {}, type, {n, k},
                                              (orders & 2) != 0 ? Dimensions{k, 1} : Dimensions{1, n});
                            math::solve_triangular(*stream_, a, bs.view(), xs.view(), options);
                            EXPECT_LT(relative_error(xs.values(*stream_), many.values), 100 * tolerance(type))
                                << what << ", orders " << orders;
                        }
                    }
                }
            }
        }
    }
}

TEST_F(SparseTriangularGpuTest, ReusesItsAnalysis) {
    const HostMatrix host = system(f64);
    const HostMatrix lower = triangle_of(host, SparseTriangle::lower, false);
    const SparseMatrix a = uploaded(host, SparseFormat::csr, f64);
    const HostMatrix x = dense(f64, n, 1);
    const std::vector<Number> right = product(lower, x).values;
    const GpuArray b(*stream_, right, f64, {n});
    const GpuArray found(*stream_, {}, f64, {n});
    math::SparseTriangularSolver solver(*stream_, a, b.view(), found.view());
    std::vector<Number> expected = x.values;
    for (Number& each : expected) each *= 2;
    solver(*stream_, b.view(), found.view(), 2.0);
    EXPECT_LT(relative_error(found.values(*stream_), expected), 100 * tolerance(f64)) << "alpha";

    GraphBuilder builder{Device(0)};
    builder.begin_building();
    solver(builder, b.view(), found.view());
    builder.end_building();
    Graph graph = builder.complete();
    graph.launch(*stream_);
    EXPECT_LT(relative_error(found.values(*stream_), x.values), 100 * tolerance(f64)) << "captured";

    std::vector<Number> values = downloaded(*stream_, a.values());
    for (Number& each : values) each *= 2;
    solver.set_values(*stream_, GpuArray(*stream_, values, f64, {a.entries()}).view());
    solver(*stream_, b.view(), found.view(), 4.0);
    EXPECT_LT(relative_error(found.values(*stream_), expected), 100 * tolerance(f64)) << "new values";

    const GpuArray both(*stream_, right, f64, {n});
    solver(*stream_, both.view(), both.view(), 2.0);
    EXPECT_LT(relative_error(both.values(*stream_), x.values), 100 * tolerance(f64)) << "in place";
}

}  // namespace
}  // namespace cubind::testing
