// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/cusolver/loading.hpp>

#include "library_file.hpp"
#include "solver_test.hpp"

namespace cubind::testing {
namespace {

class SolverMisuseTest : public SolverTest {
protected:
    template <class Call>
    static std::string rejected(Call call) {
        return message_of<std::invalid_argument>(call);
    }
};

TEST_F(SolverMisuseTest, StatesTypesAndShapes) {
    EXPECT_THAT(rejected([&] { math::Lu plan(stream_, matrix<int>(2, 2)); }), AllOf(HasSubstr("int32"), HasSubstr("float64")));
    EXPECT_THAT(rejected([&] { math::Lu plan(stream_, vector(4)); }), AllOf(HasSubstr("math::Lu"), HasSubstr("1 dimensions")));
    EXPECT_THAT(rejected([&] { math::Cholesky plan(stream_, matrix(2, 3)); }), AllOf(HasSubstr("(2, 3)"), HasSubstr("(2, 2)")));
    EXPECT_THAT(rejected([&] { math::Eigh plan(stream_, matrix(2, 3), vector(2)); }), HasSubstr("(2, 3)"));
    EXPECT_THAT(rejected([&] { math::Eigh plan(stream_, matrix(2, 2), vector<float>(2)); }), HasSubstr("float32"));
    EXPECT_THAT(rejected([&] { math::Svd plan(stream_, matrix(3, 2), matrix(3, 2), vector(2), matrix(3, 2)); }),
                AllOf(HasSubstr("vh"), HasSubstr("(2, 2)")));
    EXPECT_THAT(rejected([&] { math::Svd plan(stream_, matrix(3, 2), vector(3)); }), AllOf(HasSubstr("(3)"), HasSubstr("(2)")));
    math::Lu wide(stream_, matrix(2, 3));
    EXPECT_THAT(rejected([&] { wide.solve(stream_, vector(2)); }), AllOf(HasSubstr("(2, 3)"), HasSubstr("math::Qr")));
    math::Lu plan(stream_, matrix(2, 2));
    EXPECT_THAT(rejected([&] { plan.solve(stream_, vector(3)); }), AllOf(HasSubstr("(3)"), HasSubstr("(2)")));
    EXPECT_THAT(rejected([&] { plan.solve(stream_, vector(2), matrix(2, 1)); }), AllOf(HasSubstr("(2, 1)"), HasSubstr("x has")));
    EXPECT_THAT(rejected([&] { plan.solve(stream_, vector<float>(2)); }), AllOf(HasSubstr("float32"), HasSubstr("float64")));
    math::Qr under(stream_, matrix(2, 3));
    EXPECT_THAT(rejected([&] { under.solve(stream_, vector(2), vector(3)); }), HasSubstr("as many rows"));
    EXPECT_THAT(rejected([&] { under.q(stream_, matrix(2, 3)); }), AllOf(HasSubstr("(2, 3)"), HasSubstr("(2, 2)")));
}

TEST_F(SolverMisuseTest, StatesAnotherLayoutThanPlanned) {
    math::Lu plan(stream_, matrix(2, 2));
    EXPECT_THAT(rejected([&] { plan.factorize(stream_, matrix(3, 3)); }), AllOf(HasSubstr("(3, 3)"), HasSubstr("(2, 2)")));
    EXPECT_THAT(rejected([&] { plan.factorize(stream_, matrix(2, 2, rows_first)); }),
                AllOf(HasSubstr("(2, 1)"), HasSubstr("(1, 2)")));
    math::Eigh values(stream_, matrix(2, 2), vector(2));
    EXPECT_THAT(rejected([&] { values(stream_, matrix(2, 2), vector(2), matrix(2, 2)); }), HasSubstr("without vectors"));
}

TEST_F(SolverMisuseTest, StatesHowToFactorInPlace) {
    EXPECT_THAT(rejected([&] { math::Lu plan(stream_, matrix(3, 3, rows_first), {.overwrite_a = true}); }),
                AllOf(HasSubstr("(1, 3)"), HasSubstr("allocate_like"), HasSubstr("column_major")));
    using Complex = std::complex<float>;
    EXPECT_THAT(rejected([&] { math::Cholesky plan(stream_, matrix<Complex>(3, 3, rows_first), {.overwrite_a = true}); }),
                HasSubstr("column_major"));
    EXPECT_THAT(rejected([&] { math::Lu plan(stream_, matrix(3, 3).reverse(0), {.overwrite_a = true}); }), HasSubstr("(-1, 3)"));
    EXPECT_THAT(rejected([&] { math::Lu plan(stream_, matrix(3, 3).as_readonly(), {.overwrite_a = true}); }),
                HasSubstr("read-only"));
    math::Lu reversed(stream_, matrix(2, 2).reverse(0));  // a copy is possible
    EXPECT_THAT(elements(latest().addresses[0], 4), ElementsAre(10, 0, 11, 1));
}

TEST_F(SolverMisuseTest, StatesMemoryThatCannotBeUsed) {
    const StridedView a = matrix(4, 4);
    math::Lu plan(stream_, a);
    const StridedView elements = vector(7);
    EXPECT_THAT(rejected([&] { plan.solve(stream_, elements.slice(0, 0, 4), elements.slice(0, 3, 7)); }), HasSubstr("overlap"));
    EXPECT_THAT(rejected([&] { plan.solve(stream_, elements.slice(0, 0, 4).as_readonly()); }), HasSubstr("read-only"));
    EXPECT_THAT(rejected([&] { plan.solve(stream_, vector(4), vector(1).broadcast_to({4})); }), HasSubstr("read-only"));
    std::vector<double> host(4);
    const StridedView pageable({.data = host.data(), .dtype = data_type<double>, .shape = {4}});
    EXPECT_THAT(rejected([&] { plan.solve(stream_, pageable, vector(4)); }), HasSubstr("pageable"));
    const Device second(1);
    const Stream other(second);
    const StridedView remote(second.allocate<double>(other, 4), {4});
    EXPECT_THAT(rejected([&] { plan.solve(stream_, remote, vector(4)); }), AllOf(HasSubstr("device 1"), HasSubstr("device 0")));
    EXPECT_THAT(rejected([&] { plan.solve(other, vector(4)); }), AllOf(HasSubstr("device 1"), HasSubstr("device 0")));
    const StridedView factored = matrix(4, 4);
    math::Lu in_place(stream_, factored, {.overwrite_a = true});
    EXPECT_THAT(rejected([&] { in_place.solve(stream_, vector(4), factored.select(1, 0)); }),
                HasSubstr("matrix with the factors"));
    EXPECT_THAT(rejected([&] { (void)math::svd(stream_, a, a, vector(4), a); }), HasSubstr("overlap"));
}

TEST_F(SolverMisuseTest, StatesTheLimitOfTheWorkspace) {
    EXPECT_THAT(rejected([&] { math::Lu plan(stream_, matrix(2, 2), {.plan = {.workspace_limit = 999}}); }),
                AllOf(HasSubstr("1000 bytes"), HasSubstr("999")));
    math::Lu plan(stream_, matrix(2, 2), {.plan = {.workspace_limit = 1000}});
}

TEST_F(SolverMisuseTest, StatesFailedCalls) {
    math::Lu plan(stream_, matrix(2, 2));
    stand_in().status = 7;
    EXPECT_THAT(message_of<Error>([&] { plan.factorize(stream_, matrix(2, 2)); }),
                AllOf(HasSubstr("cusolverDnXgetrf"), HasSubstr("INTERNAL_ERROR"), HasSubstr("(2, 2)"), HasSubstr("captured")));
    stand_in().status = 2;
    EXPECT_THAT(message_of<OutOfMemory>([&] { plan.factorize(stream_, matrix(2, 2)); }), HasSubstr("Free memory"));
    stand_in().status = 0;
    stand_in().missing = {"cusolverDnXsyevBatched_bufferSize"};
    const StridedView batch(device_.allocate<double>(stream_, 8), {2, 2, 2});
    EXPECT_THAT(message_of<Error>([&] { math::Eigh other(stream_, batch, matrix(2, 2, rows_first)); }), HasSubstr("12.6"));
    stand_in().info = {-4};
    plan.factorize(stream_, matrix(2, 2));
    EXPECT_THAT(rejected([&] { plan.check(stream_); }), HasSubstr("parameter 4"));
}

using SolverLibraryTest = CoreTest;

TEST_F(SolverLibraryTest, NamesTheMissingLibraryAndItsPackage) {
    const Stream stream{Device(0)};
    const StridedView a(Device(0).allocate<double>(stream, 4), {2, 2});
    EXPECT_THAT(message_with_file(cusolver::library(), cusolver::all_entry_points(), "CUBIND_CUSOLVER_LIBRARY",
                                  "/nonexistent/libcusolver.so.12", [&] { math::Lu plan(stream, a); }),
                AllOf(HasSubstr("/nonexistent/libcusolver.so.12"), HasSubstr("Install the Python package nvidia-cusolver")));
}

}  // namespace
}  // namespace cubind::testing
