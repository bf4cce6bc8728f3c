// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/kernel_case.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

// Declarations that CUDA or the host cannot have.

TEST(BadKernelTest, RejectsResultsAndVariableArguments) {
    expect_contains(error_for("\n__global__ int run(int* p) { return 1; }"), "kernels.cu:2:16: the kernel 'run' returns int");
    expect_contains(error_for("__global__ void run(int a, ...) {}"), "kernels.cu:1:17: the kernel 'run' has a variable number");
}

TEST(BadKernelTest, SeparatesTileKernels) {
    expect_contains(error_for("__tile_global__ void run(int a) {}"),
                    "kernels.cu:1: the kernel 'run' is a Tile kernel; add the option --enable-tile");
    expect_contains(error_for("__tile_global__ void tile(int a) {}\n__global__ void run(int a) {}", {.enable_tile = true}),
                    "kernels.cu:2: the kernel 'run' is no Tile kernel");
    EXPECT_TRUE(read_text("__tile_global__ void run(int a) {}", {.enable_tile = true}).kernels.at(0).is_tile);
}

TEST(BadKernelTest, RejectsReferences) {
    expect_contains(error_for("__global__ void run(int a, int& b) {}"),
                    "kernels.cu:1:33: the kernel 'run': the parameter 'b' is a reference");
    expect_contains(error_for("__global__ void run(int&& b) {}"), "the parameter 'b' is a reference");
    expect_contains(error_for("template <class T> __global__ void run(const T& b) {}", {.instantiations = {"run<int>"}}),
                    "the parameter 'b' is a reference");
}

TEST(BadKernelTest, RejectsObjectsThatCannotBeCopiedByteByByte) {
    const std::string end = "; __global__ void run(S s) {}";
    expect_contains(error_for("struct S { int& r; }" + end), "the type S, of which no object can be passed");
    expect_contains(error_for("struct S { virtual __device__ int f(); }" + end), "virtual functions");
    expect_contains(error_for("struct S { __device__ S(const S&) {} int a; }" + end), "a copy constructor or a destructor");
    expect_contains(error_for("struct S { __device__ ~S() {} int a; }" + end), "a copy constructor or a destructor");
    expect_contains(error_for("struct B { __device__ ~B() {} }; struct S : B {}" + end), "a copy constructor or a destructor");
    expect_contains(error_for("struct B {}; struct S : virtual B {}" + end), "virtual functions or bases");
    expect_contains(error_for("struct M { __device__ ~M() {} }; struct S { M m[2]; }" + end),
                    "a copy constructor or a destructor");
    expect_contains(error_for("template <class T> struct V { T& t; }; using S = V<int>" + end), "has a reference");
    expect_contains(error_for("template <class T> struct V { __device__ ~V() {} T t; }; using S = V<int>" + end), "destructor");
    EXPECT_EQ(read_text("struct S { S() = default; S(const S&) = default; ~S() = default; int a; }" + end).records.at(0).size, 4);
}

TEST(BadKernelTest, RejectsTypesThatTheHostDoesNotHave) {
    expect_contains(error_for("__global__ void run(long double a) {}"), "the parameter 'a' is a long double");
    expect_contains(error_for("struct S { long double d; }; __global__ void run(S s) {}"), "its member d is a long double");
    expect_contains(error_for("struct S { int m; }; __global__ void run(int S::* p) {}"),
                    "the parameter 'p' has the type int S::*");
    expect_contains(error_for("typedef float V __attribute__((vector_size(16))); __global__ void run(V v) {}"),
                    "the parameter 'v' has the type");
    expect_contains(error_for("struct { int a; } x; __global__ void run(decltype(x) v) {}"), "a type without a name");
}

TEST(BadKernelTest, RejectsNamesThatTheHostWouldHaveTwice) {
    expect_contains(error_for("__global__ void a__b(int) {}\n__global__ void a_b(int) {}"),
                    "would have one name and the same parameters");
    expect_contains(
        error_for(
            "inline namespace v1 { __global__ void f(int) {} }\nnamespace w { } namespace { __global__ void f(int, int) {} }\n"
            "static __global__ void g(int) {}\nnamespace { __global__ void h(int) {} }\ninline namespace v2 { __global__ void "
            "h(int) {} }"),
        "the kernel 'h' and the one in line");
    expect_contains(error_for("struct __s { int a; }; __global__ void s(__s a) {}"),
                    "the kernel 's' and the type __s would have one name");
    expect_contains(error_for("struct __s { int a; }; struct s { int b; }; __global__ void k(s a, __s b) {}"),
                    "rename one of them");
    expect_contains(error_for("__global__ void _k(int) {}\n__device__ int k;"), "and the variable k would have one name");
}

TEST(BadKernelTest, RejectsTemplatesThatShareTheirName) {
    expect_contains(
        error_for("template <class T> __global__ void run(T*) {}\n__global__ void run(int) {}", {.instantiations = {"run<int>"}}),
        "the kernel 'run' is a template, and another kernel has its name");
    expect_contains(error_for("template <class T> __global__ void run(T*) {}\ntemplate <int N> __global__ void run(int) {}",
                              {.instantiations = {"run<int>", "run<3>"}}),
                    "another kernel has its name");
}

}  // namespace
}  // namespace cubind::testing
