// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Products of cuSPARSE on a GPU, each format, type and layout against the host.
#include "sparse_gpu.hpp"

namespace cubind::testing {
namespace {

class SparseProductGpuTest : public SparseGpuTest {
protected:
    static constexpr std::int64_t m = 60, k = 44, n = 7;
    static constexpr SparseFormat formats[] = {SparseFormat::csr, SparseFormat::csc, SparseFormat::coo, SparseFormat::bsr};

    /// y = alpha op(a) x + beta y for vectors.
    void expect_vectors(SparseFormat format, DataType type, DataType index, char operation, bool may_be_refused, DataType y_type,
                        int first = 0) {
        const std::int64_t block = format == SparseFormat::bsr ? 4 : 1;
        const HostMatrix host = sparse(type, m, k, block);
        const SparseMatrix stored = uploaded(host, format, type, index, first, block);
        const SparseMatrix a = operation == 'N' ? stored : operation == 'T' ? stored.transposed() : stored.conjugate_transposed();
        const HostMatrix effective = operation == 'N' ? host : transpose(host, operation == 'H');
        const HostMatrix x = dense(type, effective.columns, 1), y = dense(type, effective.rows, 1);
        HostMatrix expected = product(effective, x);
        for (std::size_t i = 0; i < expected.values.size(); ++i)
            expected.values[i] = 2.0 * expected.values[i] - 0.5 * y.values[i];
        const GpuArray gpu_x(*stream_, x.values, type, {x.rows});
        const GpuArray gpu_y(*stream_, y.values, y_type, {y.rows});
        const std::string what = to_string(a) + ", indices of " + to_string(index) + ", y of " + to_string(y_type);
        if (accepted(what, may_be_refused, [&] { math::multiply(*stream_, a, gpu_x.view(), gpu_y.view(), 2.0, -0.5); })) {
            EXPECT_LT(relative_error(gpu_y.values(*stream_), expected.values), tolerance(y_type)) << what;
        }
    }
};

TEST_F(SparseProductGpuTest, MultipliesVectorsInAllFormatsAndTypes) {
    for (const SparseFormat format : formats) {
        for (const DataType type : all_types) {
            for (const DataType index : {data_type<int>, data_type<std::int64_t>}) {
                const bool is_usual = format != SparseFormat::bsr && type.bits > 16;
                const bool is_half = format == SparseFormat::csr && index.bits == 32;
                expect_vectors(format, type, index, 'N', !is_usual && !is_half, type);
            }
        }
    }
    expect_vectors(SparseFormat::csr, f16, data_type<int>, 'N', false, f32);
    expect_vectors(SparseFormat::csr, bf16, data_type<int>, 'N', false, f32);
    expect_vectors(SparseFormat::csr, f64, data_type<int>, 'N', false, f64, 1);
}

TEST_F(SparseProductGpuTest, MultipliesTransposes) {
    for (const SparseFormat format : formats) {
        for (const DataType type : solver_types) {
            for (const char operation : {'T', 'H'})
                expect_vectors(format, type, data_type<int>, operation, format == SparseFormat::bsr, type);
        }
    }
}

TEST_F(SparseProductGpuTest, MultipliesMatricesInAllOrders) {
    struct Case {
        SparseFormat format;
        DataType type;
        bool x_rows, y_rows, may_be_refused;
    };
    std::vector<Case> cases;
    for (const DataType type : all_types)
        for (const int orders : {0, 1, 2, 3})
            cases.push_back({SparseFormat::csr, type, (orders & 1) != 0, (orders & 2) != 0, false});
    for (const SparseFormat format : {SparseFormat::csc, SparseFormat::coo, SparseFormat::bsr})
        for (const DataType type : {f32, f64, c128})
            for (const int orders : {0, 1, 2, 3})
                cases.push_back({format, type, (orders & 1) != 0, (orders & 2) != 0, format == SparseFormat::bsr});
    for (const Case& each : cases) {
        const std::int64_t block = each.format == SparseFormat::bsr ? 4 : 1;
        const HostMatrix host = sparse(each.type, m, k, block);
        const SparseMatrix a = uploaded(host, each.format, each.type, data_type<int>, 0, block);
        const HostMatrix x = dense(each.type, k, n), y = dense(each.type, m, n);
        HostMatrix expected = product(host, x);
        for (std::size_t i = 0; i < expected.values.size(); ++i) expected.values[i] += 0.5 * y.values[i];
        const GpuArray gpu_x(*stream_, x.values, each.type, {k, n}, each.x_rows ? Dimensions{n + 1, 1} : Dimensions{1, k + 4});
        const GpuArray gpu_y(*stream_, y.values, each.type, {m, n}, each.y_rows ? Dimensions{n, 1} : Dimensions{1, m});
        const std::string what =
            to_string(a) + (each.x_rows ? ", x in rows" : ", x in columns") + (each.y_rows ? ", y in rows" : ", y in columns");
        if (accepted(what, each.may_be_refused, [&] { math::multiply(*stream_, a, gpu_x.view(), gpu_y.view(), 1.0, 0.5); })) {
            EXPECT_LT(relative_error(gpu_y.values(*stream_), expected.values), tolerance(each.type)) << what;
        }
    }
}

TEST_F(SparseProductGpuTest, MultipliesBatchesAndStridedVectors) {
    constexpr std::int64_t count = 3;
    for (const SparseFormat format : {SparseFormat::csr, SparseFormat::coo}) {
        const HostMatrix host = sparse(f32, m, k);
        const SparseMatrix a = uploaded(host, format, f32);
        std::vector<Number> x_values, expected;
        for (std::int64_t i = 0; i < count; ++i) {
            const HostMatrix x = dense(f32, k, n);
            x_values.insert(x_values.end(), x.values.begin(), x.values.end());
            const HostMatrix y = product(host, x);
            expected.insert(expected.end(), y.values.begin(), y.values.end());
        }
        const GpuArray x(*stream_, x_values, f32, {count, k, n});
        const GpuArray y(*stream_, {}, f32, {count, m, n}, {m * n + 8, n, 1});
        math::multiply(*stream_, a, x.view(), y.view());
        EXPECT_LT(relative_error(y.values(*stream_), expected), tolerance(f32)) << to_string(a);
    }
    const HostMatrix host = sparse(f64, m, k);
    const HostMatrix x = dense(f64, k, 1);
    const GpuArray gpu_x(*stream_, x.values, f64, {k}, {3});
    const GpuArray y(*stream_, {}, f64, {m});
    math::multiply(*stream_, uploaded(host, SparseFormat::csr, f64), gpu_x.view(), y.view());
    EXPECT_LT(relative_error(y.values(*stream_), product(host, x).values), tolerance(f64));
}

TEST_F(SparseProductGpuTest, PlansAreReusedCapturedAndDeterministic) {
    const HostMatrix host = sparse(f64, m, k);
    const SparseMatrix a = uploaded(host, SparseFormat::csr, f64);
    const HostMatrix x = dense(f64, k, 1);
    const std::vector<Number> expected = product(host, x).values;
    const GpuArray gpu_x(*stream_, x.values, f64, {k});
    const GpuArray y(*stream_, {}, f64, {m});
    for (const bool is_deterministic : {false, true}) {
        math::SparseProduct plan(*stream_, a, gpu_x.view(), y.view(), {.deterministic = is_deterministic});
        plan(*stream_, gpu_x.view(), y.view());
        const auto first = y.values(*stream_);
        EXPECT_LT(relative_error(first, expected), tolerance(f64));
        Stream second{Device(0)};
        plan(second, gpu_x.view(), y.view());
        second.synchronize();
        if (is_deterministic) {
            EXPECT_EQ(y.values(*stream_), first);
        }

        const GpuArray graph_y(*stream_, {}, f64, {m});
        GraphBuilder builder{Device(0)};
        builder.begin_building();
        plan(builder, gpu_x.view(), graph_y.view(), 3.0);
        builder.end_building();
        Graph graph = builder.complete();
        for (int i = 0; i < 2; ++i) graph.launch(*stream_);
        std::vector<Number> tripled = expected;
        for (Number& each : tripled) each *= 3;
        EXPECT_LT(relative_error(graph_y.values(*stream_), tripled), tolerance(f64));

        std::vector<Number> doubled = downloaded(*stream_, a.values());
        for (Number& each : doubled) each *= 2;
        const GpuArray values(*stream_, doubled, f64, {a.entries()});
        plan.set_values(values.view());
        plan(*stream_, gpu_x.view(), y.view(), 0.5);
        EXPECT_LT(relative_error(y.values(*stream_), expected), tolerance(f64));
    }
}

TEST_F(SparseProductGpuTest, MultipliesMatricesWithoutEntries) {
    const HostMatrix empty(m, k);
    const HostMatrix x = dense(f32, k, 1), y = dense(f32, m, 1);
    std::vector<Number> expected = y.values;
    for (Number& each : expected) each *= 0.5;
    for (const SparseFormat format : {SparseFormat::csr, SparseFormat::csc, SparseFormat::coo}) {
        const GpuArray gpu_y(*stream_, y.values, f32, {m});
        const SparseMatrix a = uploaded(empty, format, f32);
        math::multiply(*stream_, a, GpuArray(*stream_, x.values, f32, {k}).view(), gpu_y.view(), 1.0, 0.5);
        EXPECT_LT(relative_error(gpu_y.values(*stream_), expected), tolerance(f32)) << to_string(a);
    }
}

TEST_F(SparseProductGpuTest, MultipliesSparseMatrices) {
    for (const DataType type : solver_types) {
        for (const DataType index : {data_type<int>, data_type<std::int64_t>}) {
            for (const int first : {0, 1}) {
                const HostMatrix a = sparse(type, m, k), b = sparse(type, k, m);
                const SparseMatrix gpu_a = uploaded(a, SparseFormat::csr, type, index, first);
                const SparseMatrix gpu_b = uploaded(b, SparseFormat::csr, type, index, first);
                HostMatrix expected = product(a, b);
                for (Number& each : expected.values) each *= 2;
                const std::string what = to_string(gpu_a) + ", indices of " + to_string(index);
                accepted(what + ", first index " + std::to_string(first), index.bits == 64 || first == 1, [&] {
                    const SparseMatrix c = math::multiply(*stream_, gpu_a, gpu_b, 2.0);
                    EXPECT_LT(relative_error(read(c).values, expected.values), tolerance(type)) << what << ", first " << first;
                });
            }
        }
    }
    const SparseMatrix empty = uploaded(HostMatrix(m, k), SparseFormat::csr, f32);
    EXPECT_EQ(math::multiply(*stream_, empty, uploaded(sparse(f32, k, m), SparseFormat::csr, f32)).entries(), 0);
}

}  // namespace
}  // namespace cubind::testing
