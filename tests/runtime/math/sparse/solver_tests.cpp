// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// What cuDSS receives.
#include <cubind/cudss/loading.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "library_file.hpp"
#include "sparse_test.hpp"

namespace cubind::testing {
namespace {

using math::SparseMatrix;
using math::SparseSolver;
using math::SparseSystem;
using math::SparseTriangle;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class SparseSolverTest : public SparseTest {
protected:
    template <class Call>
    static void rejects(Call call, const auto& matcher) {
        EXPECT_THAT(message_of<std::invalid_argument>(call), matcher);
    }
    SparseSolver solver(const math::SparseSolverOptions& options = {}) {
        return SparseSolver(stream_, square(), b_, x_, options);
    }

    TypedBuffer<float> b_ = array<float>("b", 3);
    TypedBuffer<float> x_ = array<float>("x", 3);
};

TEST_F(SparseSolverTest, RunsItsPhases) {
    record().names[reinterpret_cast<void*>(stream_.native_handle())] = "stream";
    SparseSolver solver = this->solver({.system = SparseSystem::positive_definite, .triangle = SparseTriangle::upper});
    EXPECT_THAT(calls(), ElementsAre("cudssCreate()", "cudssSetStream(stream)", "SetDeviceMemHandler(cubind)", "ConfigCreate()",
                                     "DataCreate()", StartsWith("MatrixCreateCsr"), StartsWith("MatrixCreateDn"),
                                     StartsWith("MatrixCreateDn")));
    solver.analyze(stream_);
    // int32 is type 10; the matrix is positive definite (3), its upper triangle (2) is stored. Columns are adjacent (0).
    const std::string operands =
        "csr(3, 3, 5, offsets, 0, columns, values, 10, 10, 0, 3, 2, 0), dense(3, 1, 3, x, 0, 0), dense(3, 1, 3, b, 0, 0), "
        "stream)";
    EXPECT_EQ(calls().back(), "Execute(3, " + operands);
    solver.factorize(stream_);
    EXPECT_EQ(calls().back(), "Execute(4, " + operands);
    const auto other = array<float>("other b", 3);
    solver.solve(stream_, other, x_);
    EXPECT_THAT(record().latest("MatrixSetValues(dense(3, 1, 3, b"), HasSubstr("other b"));
    EXPECT_EQ(calls().back(), "Execute(1008, " + operands);
    solver.set_values(array<float>("new", 5));
    EXPECT_THAT(calls().back(), HasSubstr(", new)"));
    solver.refactorize(stream_);
    EXPECT_EQ(calls().back(), "Execute(8, " + operands);
    EXPECT_EQ(solver.matrix().entries(), 5);
}

TEST_F(SparseSolverTest, SetsItsOptions) {
    static_cast<void>(solver());
    EXPECT_EQ(record().count("ConfigSet"), 0) << "the library's defaults";
    static_cast<void>(solver({.reordering = math::SparseReordering::amd,
                              .pivoting = math::SparsePivoting::diagonal,
                              .pivot_threshold = 0.5,
                              .pivot_epsilon = 0.25,
                              .refinement_steps = 2,
                              .deterministic = true,
                              .hybrid_memory = true,
                              .device_memory_limit = 1 << 20,
                              .hybrid_execute = true,
                              .threading_library = "libthreads.so"}));
    for (const char* call :
         {"ConfigSet(0, 3 of 4 bytes)", "ConfigSet(7, 4 of 4 bytes)", "ConfigSet(8, 0.500000)", "ConfigSet(9, 0.250000)",
          "ConfigSet(5, 2 of 4 bytes)", "ConfigSet(24, 1 of 4 bytes)", "ConfigSet(11, 1 of 4 bytes)",
          "ConfigSet(12, 1048576 of 8 bytes)", "ConfigSet(15, 1 of 4 bytes)", "SetThreadingLayer(libthreads.so)"})
        EXPECT_THAT(calls(), Contains(call));
    rejects([&] { static_cast<void>(solver({.device_memory_limit = 1})); }, HasSubstr("hybrid_memory"));
}

TEST_F(SparseSolverTest, AcceptsAllTypesAndSeveralRightSides) {
    const auto offsets = array<std::int64_t>("wide offsets", 4);
    const auto numbers = array<std::complex<double>>("numbers", 5);
    const SparseMatrix a = SparseMatrix::csr({3, 3}, offsets, columns_, numbers, {.first_index = 1});
    const auto b = array<std::complex<double>>("b", 8);
    const auto x = array<std::complex<double>>("x", 6);
    const StridedView b_view(b, {3, 2}, {1, 4});
    const StridedView x_view(x, {3, 2}, {1, 3});
    static_cast<void>(SparseSolver(stream_, a, b_view, x_view, {.system = SparseSystem::positive_definite}));
    // int64 is type 24, complex128 is 5; Hermitian and positive definite (4), full (0), the first index is 1.
    EXPECT_EQ(record().latest("MatrixCreateCsr("),
              "MatrixCreateCsr(csr(3, 3, 5, wide offsets, 0, columns, numbers, 24, 10, 5, 4, 0, 1))");
    EXPECT_THAT(calls(), Contains("MatrixCreateDn(dense(3, 2, 4, b, 5, 0))"));
    EXPECT_THAT(calls(), Contains("MatrixCreateDn(dense(3, 2, 3, x, 5, 0))"));
    static_cast<void>(SparseSolver(stream_, a, b_view, x_view, {.system = SparseSystem::hermitian}));
    EXPECT_THAT(record().latest("MatrixCreateCsr("), HasSubstr("5, 2, 0, 1)"));
    static_cast<void>(SparseSolver(stream_, a, b_view, x_view, {.system = SparseSystem::symmetric}));
    EXPECT_THAT(record().latest("MatrixCreateCsr("), HasSubstr("5, 1, 0, 1)"));
}

TEST_F(SparseSolverTest, ReturnsResults) {
    for (const bool is_wide : {false, true}) {
        record().has_wide_results = is_wide;
        SparseSolver solver = this->solver();
        rejects([&] { static_cast<void>(solver.factor_entries()); }, HasSubstr("analyze()"));
        solver.analyze(stream_);
        record().result = 40;
        EXPECT_EQ(solver.factor_entries(), 40);
        const math::SparseMemoryEstimates estimates = solver.memory_estimates();
        EXPECT_EQ(estimates.device_permanent, 40);
        EXPECT_EQ(estimates.hybrid_host_peak, 45);
        rejects([&] { static_cast<void>(solver.failed_pivot()); }, HasSubstr("factorize()"));
        solver.factorize(stream_);
        EXPECT_EQ(solver.failed_pivot(), 40);
        EXPECT_EQ(solver.replaced_pivots(), 40);
        EXPECT_EQ(solver.inertia(), (math::SparseInertia{40, 41}));
        record().result = 0;
        EXPECT_EQ(solver.failed_pivot(), std::nullopt);
    }
    EXPECT_EQ(math::solve(stream_, square(), b_, x_), std::nullopt);
    EXPECT_THAT(record().latest("Execute("), StartsWith("Execute(1008, "));
    record().result = 2;
    calls().clear();
    EXPECT_EQ(math::solve(stream_, square(), b_, x_), 2);
    EXPECT_EQ(record().count("Execute(1008"), 0) << "x would have no meaning";
}

TEST_F(SparseSolverTest, AllocatesFromTheResource) {
    record().allocation = 4096;
    record().names[reinterpret_cast<void*>(stream_.native_handle())] = "stream";
    {
        SparseSolver solver = this->solver();
        solver.analyze(stream_);
        ASSERT_EQ(record().allocations.size(), 1u);
        EXPECT_NE(record().allocations.front(), nullptr);
    }
    EXPECT_THAT(record().allocations, IsEmpty());
    EXPECT_EQ(record().latest("DataDestroy("), "DataDestroy(stream)");
    {
        std::optional<Stream> second(std::in_place, Device(0));
        SparseSolver solver(*second, square(), b_, x_);
        record().names[reinterpret_cast<void*>(second->native_handle())] = "second";
        solver.analyze(*second);
        second.reset();
    }
    EXPECT_EQ(record().latest("DataDestroy("), "DataDestroy(second)") << "the solver retains the stream";

    class Exhausted : public MemoryResourceBase {
    public:
        driver::CUdeviceptr allocate(StreamRef, std::size_t size, std::size_t) override {
            throw std::runtime_error("no " + std::to_string(size) + " bytes");
        }
        void deallocate(StreamRef, driver::CUdeviceptr, std::size_t, std::size_t) override {}
        bool is_device_accessible() const noexcept override { return true; }
        bool is_host_accessible() const noexcept override { return false; }
    };
    SparseSolver poor = solver({.plan = {.memory_resource = MemoryResource(std::make_shared<Exhausted>())}});
    EXPECT_THAT(message_of<OutOfMemory>([&] { poor.analyze(stream_); }),
                AllOf(HasSubstr("no 4096 bytes"), HasSubstr("SparseSolver::analyze"), HasSubstr("hybrid_memory")));
    rejects([&] { poor.factorize(stream_); }, HasSubstr("analyze()"));
}

TEST_F(SparseSolverTest, FollowsStreams) {
    SparseSolver solver = this->solver();
    const Stream second{Device(0)};
    record().names[reinterpret_cast<void*>(second.native_handle())] = "second";
    solver.analyze(stream_);
    calls().clear();
    solver.factorize(second);
    EXPECT_THAT(calls(), ElementsAre("cudssSetStream(second)", StartsWith("Execute(4, ")));
    rejects([&] { solver.factorize(other_stream_); }, AllOf(HasSubstr("device 1"), HasSubstr("device 0")));
    SparseSolver moved = std::move(solver);
    moved.solve(second, b_, x_);
}

TEST_F(SparseSolverTest, RejectsWhatDoesNotFit) {
    rejects([&] { SparseSolver(stream_, csr(), b_, x_); }, AllOf(HasSubstr("3 x 4"), HasSubstr("square")));
    rejects([&] { SparseSolver(stream_, square().transposed(), b_, x_); }, HasSubstr("transposed"));
    rejects([&] { SparseSolver(stream_, SparseMatrix::csc({3, 3}, offsets_, columns_, values_), b_, x_); }, HasSubstr("csc"));
    rejects([&] { SparseSolver(stream_, square(), array<float>("b", 4), x_); }, AllOf(HasSubstr("(4)"), HasSubstr("(3)")));
    rejects([&] { SparseSolver(stream_, square(), array<double>("b", 3), x_); }, HasSubstr("float64"));
    rejects([&] { static_cast<void>(solver({.triangle = SparseTriangle::lower})); }, HasSubstr("general"));
    const auto many = array<float>("many", 6);
    rejects([&] { SparseSolver(stream_, square(), StridedView(many, {3, 2}), StridedView(x_, {3})); }, HasSubstr("(3, 2)"));
    const auto more = array<float>("more", 6);
    rejects(
        [&] {
            SparseSolver(stream_, square(), StridedView(many, {3, 2}), StridedView(more, {3, 2}, {1, 3}));
        },
        HasSubstr("column-major"));
    rejects([&] { SparseSolver(stream_, square(), b_, b_); }, HasSubstr("overlap"));
    SparseSolver solver = this->solver();
    rejects([&] { solver.factorize(stream_); }, HasSubstr("analyze()"));
    solver.analyze(stream_);
    rejects([&] { solver.solve(stream_, b_, x_); }, HasSubstr("factorize()"));
    rejects([&] { solver.refactorize(stream_); }, HasSubstr("factorize()"));
    solver.factorize(stream_);
    rejects([&] { solver.solve(stream_, many, x_); }, AllOf(HasSubstr("(6)"), HasSubstr("(3)")));
    GraphBuilder builder{Device(0)};
    builder.begin_building();
    rejects([&] { solver.solve(builder, b_, x_); }, HasSubstr("captured"));
    builder.end_building();
}

TEST_F(SparseSolverTest, DoesNotJoinACaptureOfItsLatestStream) {
    SparseSolver solver = this->solver();
    solver.analyze(stream_);
    GraphBuilder builder{StreamRef(stream_)};
    builder.begin_building();
    const Stream second{Device(0)};
    rejects([&] { solver.factorize(second); }, AllOf(HasSubstr("factorize"), HasSubstr("end the capture")));
    EXPECT_FALSE(second.is_capturing());
    builder.end_building();
    solver.factorize(second);
}

TEST_F(SparseSolverTest, DoesNothingForEmptySystems) {
    const auto none = array<float>("none", 0);
    const SparseMatrix empty = SparseMatrix::csr({0, 0}, array<int>("zero", 1), array<int>("no columns", 0), none);
    EXPECT_EQ(math::solve(stream_, empty, none, none), std::nullopt);
    EXPECT_THAT(calls(), IsEmpty());
}

TEST_F(SparseSolverTest, ReportsRefusals) {
    record().statuses["Execute"] = cudss::CUDSS_STATUS_NOT_SUPPORTED;
    SparseSolver solver = this->solver();
    EXPECT_THAT(message_of<Error>([&] { solver.analyze(stream_); }),
                AllOf(HasSubstr("cudssExecute"), HasSubstr("CUDSS_STATUS_NOT_SUPPORTED"), HasSubstr("csr float32 3 x 3"),
                      HasSubstr("default options")));
}

TEST_F(SparseSolverTest, NamesTheMissingLibraryAndItsPackage) {
    EXPECT_THAT(message_with_file(cudss::library(), cudss::all_entry_points(), "CUBIND_CUDSS_LIBRARY",
                                  "/nonexistent/libcudss.so.0", [&] { (void)math::solve(stream_, square(), b_, x_); }),
                AllOf(HasSubstr("/nonexistent/libcudss.so.0"), HasSubstr("Install the Python package nvidia-cudss-cu13")));
}

}  // namespace
}  // namespace cubind::testing
