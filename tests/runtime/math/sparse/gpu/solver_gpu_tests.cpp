// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Direct solution with cuDSS on a GPU, of systems whose solutions are known.
#include <cubind/cudss/loading.hpp>

#include "sparse_gpu.hpp"

namespace cubind::testing {
namespace {

using math::SparseSolver;
using math::SparseSolverOptions;
using math::SparseSystem;
using math::SparseTriangle;

class SparseSolverGpuTest : public SparseGpuTest {
protected:
    static constexpr std::int64_t n = 60, k = 3;

    std::string problem() const override {
        if (library_path(cudss::library()) == nullptr) return "cuDSS was not found";
        return SparseGpuTest::problem();
    }
    /// A matrix of this kind whose diagonal dominates, negative in every other row of indefinite matrices.
    HostMatrix system(DataType type, SparseSystem kind) {
        HostMatrix result = sparse(type, n, n);
        const HostMatrix other = transpose(result, kind != SparseSystem::symmetric);
        if (kind != SparseSystem::general) {
            for (std::size_t i = 0; i < result.values.size(); ++i) result.values[i] = 0.5 * (result.values[i] + other.values[i]);
        }
        for (std::int64_t i = 0; i < n; ++i) {
            double sum = 1;
            for (std::int64_t j = 0; j < n; ++j) sum += std::abs(result.at(i, j));
            result.at(i, i) = kind == SparseSystem::positive_definite || i % 2 == 0 ? sum : -sum;
        }
        return result;
    }
    static HostMatrix stored(const HostMatrix& host, SparseTriangle triangle) {
        HostMatrix result = host;
        for (std::int64_t i = 0; i < host.rows; ++i) {
            for (std::int64_t j = 0; j < host.columns; ++j) {
                if ((triangle == SparseTriangle::lower && j > i) || (triangle == SparseTriangle::upper && j < i))
                    result.at(i, j) = 0;
            }
        }
        return result;
    }
    void expect_solution(DataType type, DataType index, const SparseSolverOptions& options, std::int64_t right_sides = 1,
                         int first = 0) {
        const HostMatrix host = system(type, options.system);
        const SparseMatrix a = uploaded(stored(host, options.triangle), SparseFormat::csr, type, index, first);
        const HostMatrix x = dense(type, n, right_sides);
        const GpuArray b(*stream_, product(host, x).values, type, {n, right_sides}, {1, n});
        const GpuArray found(*stream_, {}, type, {n, right_sides}, {1, n + 2});
        EXPECT_EQ(math::solve(*stream_, a, b.view(), found.view(), options), std::nullopt);
        EXPECT_LT(relative_error(found.values(*stream_), x.values), 100 * tolerance(type))
            << to_string(a) << ", system " << static_cast<int>(options.system) << ", triangle "
            << static_cast<int>(options.triangle) << ", " << right_sides << " right-hand sides, first index " << first;
    }
    SparseMatrix diagonal(const std::vector<Number>& values) {
        HostMatrix host(static_cast<std::int64_t>(values.size()), static_cast<std::int64_t>(values.size()));
        for (std::size_t i = 0; i < values.size(); ++i)
            host.at(static_cast<std::int64_t>(i), static_cast<std::int64_t>(i)) = values[i];
        return uploaded(host, SparseFormat::csr, f64);
    }
};

TEST_F(SparseSolverGpuTest, SolvesAllTypesAndSystems) {
    for (const DataType type : solver_types) {
        for (const SparseSystem kind :
             {SparseSystem::general, SparseSystem::symmetric, SparseSystem::hermitian, SparseSystem::positive_definite}) {
            if (kind == SparseSystem::hermitian && type.kind != DataTypeKind::complex) continue;
            for (const SparseTriangle triangle : {SparseTriangle::full, SparseTriangle::lower, SparseTriangle::upper}) {
                if (kind == SparseSystem::general && triangle != SparseTriangle::full) continue;
                for (const std::int64_t right_sides : {std::int64_t{1}, k})
                    expect_solution(type, data_type<int>, {.system = kind, .triangle = triangle}, right_sides);
            }
        }
    }
    expect_solution(f64, data_type<int>, {}, 1, 1);
}

TEST_F(SparseSolverGpuTest, AcceptsOptions) {
    const auto expect_accepted = [&](const char* what, DataType index, const SparseSolverOptions& options) {
        accepted(what, true, [&] { expect_solution(f64, index, options); });
    };
    expect_accepted("reordering", data_type<int>, {.reordering = math::SparseReordering::amd});
    expect_accepted("refinement_steps", data_type<int>, {.refinement_steps = 2});
    expect_accepted("hybrid_memory", data_type<int>, {.hybrid_memory = true});
    expect_accepted("hybrid_execute", data_type<int>, {.hybrid_execute = true});
    expect_accepted("deterministic", data_type<int>, {.deterministic = true});
    expect_accepted("indices of int64", data_type<std::int64_t>, {});
}

TEST_F(SparseSolverGpuTest, RefactorizesAndStatesResults) {
    const HostMatrix host = system(f64, SparseSystem::positive_definite);
    const SparseMatrix a = uploaded(stored(host, SparseTriangle::upper), SparseFormat::csr, f64);
    const HostMatrix x = dense(f64, n, 1);
    const GpuArray b(*stream_, product(host, x).values, f64, {n});
    const GpuArray found(*stream_, {}, f64, {n});
    SparseSolver solver(*stream_, a, b.view(), found.view(),
                        {.system = SparseSystem::positive_definite, .triangle = SparseTriangle::upper});
    solver.analyze(*stream_);
    EXPECT_GE(solver.factor_entries(), n);
    EXPECT_GT(solver.memory_estimates().device_peak, 0);
    solver.factorize(*stream_);
    EXPECT_EQ(solver.failed_pivot(), std::nullopt);
    EXPECT_EQ(solver.replaced_pivots(), 0);
    solver.solve(*stream_, b.view(), found.view());
    EXPECT_LT(relative_error(found.values(*stream_), x.values), 1e-10);

    std::vector<Number> values = downloaded(*stream_, a.values());
    for (Number& each : values) each *= 2;
    solver.set_values(GpuArray(*stream_, values, f64, {a.entries()}).view());
    solver.refactorize(*stream_);
    const Stream second{Device(0)};
    solver.solve(second, b.view(), found.view());
    second.synchronize();
    std::vector<Number> half = x.values;
    for (Number& each : half) each *= 0.5;
    EXPECT_LT(relative_error(found.values(*stream_), half), 1e-10);
}

TEST_F(SparseSolverGpuTest, StatesFailuresAndInertia) {
    const GpuArray b(*stream_, numbers(f64, 4), f64, {4});
    const GpuArray x(*stream_, {}, f64, {4});
    const SparseMatrix indefinite = diagonal({1.0, 2.0, -3.0, 4.0});
    {
        SparseSolver solver(*stream_, indefinite, b.view(), x.view(), {.system = SparseSystem::positive_definite});
        solver.analyze(*stream_);
        solver.factorize(*stream_);
        const auto pivot = solver.failed_pivot();
        ASSERT_TRUE(pivot.has_value());
        std::printf("the pivot that failed: %lld\n", static_cast<long long>(*pivot));
        EXPECT_GE(*pivot, 1);
        EXPECT_LE(*pivot, 4);
    }
    SparseSolver solver(*stream_, indefinite, b.view(), x.view(), {.system = SparseSystem::symmetric});
    solver.analyze(*stream_);
    solver.factorize(*stream_);
    EXPECT_EQ(solver.inertia(), (math::SparseInertia{3, 1}));
}

TEST_F(SparseSolverGpuTest, AllocatesFromTheResource) {
    class Counting : public MemoryResourceBase {
    public:
        driver::CUdeviceptr allocate(StreamRef stream, std::size_t size, std::size_t alignment) override {
            living += size;
            return inner.base()->allocate(stream, size, alignment);
        }
        void deallocate(StreamRef stream, driver::CUdeviceptr pointer, std::size_t size, std::size_t alignment) override {
            living -= size;
            inner.base()->deallocate(stream, pointer, size, alignment);
        }
        bool is_device_accessible() const noexcept override { return true; }
        bool is_host_accessible() const noexcept override { return false; }
        std::optional<Device> device() const noexcept override { return Device(0); }
        MemoryResource inner = Device(0).memory_resource();
        std::size_t living = 0;
    };
    const auto counting = std::make_shared<Counting>();
    const HostMatrix host = system(f64, SparseSystem::general);
    const HostMatrix x = dense(f64, n, 1);
    const GpuArray b(*stream_, product(host, x).values, f64, {n});
    const GpuArray found(*stream_, {}, f64, {n});
    {
        SparseSolver solver(*stream_, uploaded(host, SparseFormat::csr, f64), b.view(), found.view(),
                            {.plan = {.memory_resource = MemoryResource(counting)}});
        solver.analyze(*stream_);
        solver.factorize(*stream_);
        EXPECT_GT(counting->living, 0u);
        solver.solve(*stream_, b.view(), found.view());
        EXPECT_LT(relative_error(found.values(*stream_), x.values), 1e-10);
    }
    EXPECT_EQ(counting->living, 0u);
}

}  // namespace
}  // namespace cubind::testing
