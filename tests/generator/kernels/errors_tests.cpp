// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/kernel_case.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

// Errors of the compiler: which matter, and which are left to NVRTC.

TEST(KernelErrorsTest, RejectsErrorsInDeclarations) {
    expect_contains(error_for("int a;\n__global__ void run(int* p, Unknown u) {}"),
                    "kernels.cu:2:29: unknown type name 'Unknown'");
    expect_contains(error_for("template <class T> __global__ void run(missing<T> u) {}\n__global__ void other() {}"),
                    "kernels.cu:1:40: no template named 'missing'");
    expect_contains(error_for("__global__ void run(int a = missing) {}"),
                    "kernels.cu:1:29: use of undeclared identifier 'missing'");
    expect_contains(error_for("__constant__ Unknown table[4];\n__global__ void run() {}"),
                    "kernels.cu:1:14: unknown type name 'Unknown'");
    expect_contains(error_for("__global__ void run(int a, int a) {}"), "redefinition of parameter 'a'");
    expect_contains(error_for("using Alias = Unknown;\n__global__ void run(Alias a) {}"),
                    "kernels.cu:2:21: unknown type name 'Alias'");
    expect_contains(error_for("typedef Unknown Alias;\n__global__ void run(Alias a) {}"),
                    "kernels.cu:1:9: unknown type name 'Unknown'");
    expect_contains(error_for("__global__ void run(int a {}\n"), "kernels.cu:1:2");
    expect_contains(error_for("#error stop here\n__global__ void run(int) {}"), "stop here");
    expect_contains(error_for("__global__ void run(int) {}\n#if 1\n"), "unterminated conditional");
}

TEST(KernelErrorsTest, RejectsErrorsInUsedClasses) {
    expect_contains(error_for("struct S { Unknown u; };\n__global__ void run(S s) {}"),
                    "kernels.cu:1:12: unknown type name 'Unknown'; a kernel or a variable uses this type");
    expect_contains(error_for("struct T { Unknown u; }; struct S { T t; };\n__global__ void run(S s) {}"),
                    "unknown type name 'Unknown'");
    expect_contains(error_for("template <class V> struct S { Unknown u; V v; };\n__global__ void run(S<int> s) {}"),
                    "unknown type name 'Unknown'");
}

TEST(KernelErrorsTest, LeavesOtherErrorsToTheCompiler) {
    EXPECT_EQ(
        read_text("__device__ int helper(Unknown u) { return missing(); }\n__global__ void run() { missing(); }").kernels.size(),
        1u);
    EXPECT_EQ(
        read_text("struct S { Unknown u; __device__ int f() { return missing; } };\n__global__ void run(int) {}").kernels.size(),
        1u);
    EXPECT_EQ(read_text("using namespace missing;\nnamespace m = missing::part;\n__global__ void run() {}").kernels.size(), 1u);
    EXPECT_EQ(read_text("constexpr int f(int a) { return missing(a); }\n__global__ void run() {}").kernels.size(), 1u);
}

TEST(KernelErrorsTest, KeepsTheLinesOfTheFile) {
    EXPECT_EQ(read_text("#define TWO \\\n  2\n\n__global__ void run(int a = TWO) {}").kernels.at(0).line, 4u);
}

}  // namespace
}  // namespace cubind::testing
