// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/kernel_case.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::kernels::KernelFile;
using gen::kernels::Space;

const gen::kernels::Variable& variable(const KernelFile& file, const std::string& name) {
    for (const auto& each : file.variables) {
        if (each.name == name) return each;
    }
    ADD_FAILURE() << name << " is missing";
    static const gen::kernels::Variable none;
    return none;
}

TEST(KernelVariablesTest, DescribesVariables) {
    const KernelFile read = read_case("variables.cu");
    EXPECT_EQ(read.variables.size(), 11u);
    EXPECT_EQ(variable(read, "weights").type, "float[16]");
    EXPECT_EQ(variable(read, "weights").space, Space::constant);
    EXPECT_EQ(variable(read, "weights").comment, "Weights of the filter.");
    EXPECT_EQ(variable(read, "weights").name_expression, "&weights");
    EXPECT_EQ(variable(read, "grid").type, "float[2][3][4]");
    EXPECT_EQ(variable(read, "grid").size, 96);
    EXPECT_EQ(variable(read, "entries").type, "Entry[4]");
    EXPECT_EQ(variable(read, "pointer").type, "float*");
    EXPECT_EQ(variable(read, "shared_values").space, Space::managed);
    EXPECT_EQ(variable(read, "total").symbol, "_ZN5state5totalE");
    EXPECT_EQ(variable(read, "table").type, "int[3]");
    EXPECT_EQ(variable(read, "tag").symbol, "tag");
}

TEST(KernelVariablesTest, LeavesSymbolsOfInternalVariablesToTheCompiler) {
    const KernelFile read = read_case("static_variables.cu");
    EXPECT_EQ(variable(read, "scale").symbol, "");
    EXPECT_EQ(variable(read, "scale").name_expression, "&part::scale");
    EXPECT_EQ(variable(read, "fixed").type, "const int");
}

TEST(KernelVariablesTest, RejectsManagedVariablesThatAreStatic) {
    expect_contains(error_for("static __managed__ int a;"), "kernels.cu:1:24: the variable 'a' is managed and static");
    expect_contains(error_for("namespace { __managed__ int a; }"), "remove static");
}

TEST(KernelVariablesTest, LeavesOutMembersAndHostVariables) {
    const KernelFile read = read_text("struct S { static __device__ int a; int b; }; int c; const int d = 1; __device__ int e;");
    ASSERT_EQ(read.variables.size(), 1u);
    EXPECT_EQ(read.variables.at(0).name, "e");
}

TEST(KernelVariablesTest, KeepsTheConstOfArrays) {
    EXPECT_EQ(read_text("__constant__ const float a[2] = {1, 2};").variables.at(0).type, "const float[2]");
    EXPECT_EQ(read_text("typedef int row[3]; __constant__ const row a[2] = {};").variables.at(0).type, "const int[2][3]");
}

}  // namespace
}  // namespace cubind::testing
