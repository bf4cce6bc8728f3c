// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>

#include "kernels/kernel_case.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

std::vector<std::string> defaults_of(const gen::kernels::Kernel& kernel) {
    std::vector<std::string> texts;
    for (const auto& parameter : kernel.parameters) texts.push_back(parameter.default_value);
    return texts;
}

using Texts = std::vector<std::string>;

TEST(KernelTest, ReadsEachFileWithoutHeadersOfCuda) {
    for (const auto& name : kernel_cases()) {
        if (!KernelCase(name).values("toolkit").empty()) continue;
        EXPECT_NO_THROW(read_case(name)) << name;
    }
}

TEST(KernelTest, HasTheSymbolsOfOverloadsAndWhatSelectsThem) {
    const auto read = read_case("overloads.cu");
    EXPECT_EQ(read.kernels.at(1).symbol, "_Z3setPff");
    EXPECT_EQ(read.kernels.at(1).name_expression, "(void (*)(float *, float))set");
    EXPECT_EQ(read_case("plain.cu").kernels.at(0).name_expression, "saxpy");
}

TEST(KernelTest, LeavesSymbolsOfInternalKernelsToTheCompiler) {
    const auto read = read_case("internal_linkage.cu");
    for (std::size_t index = 0; index < 4; ++index) EXPECT_EQ(read.kernels.at(index).symbol, "");
    EXPECT_EQ(read.kernels.at(2).name_expression, "part::inside");
    EXPECT_EQ(read.kernels.at(2).namespaces, Texts{"part"});
}

TEST(KernelTest, LeavesOutUnnamedAndInlineNamespaces) {
    const auto read = read_case("namespaces.cu");
    EXPECT_EQ(read.kernels.at(2).namespaces, Texts{"outer"});
    EXPECT_EQ(read.kernels.at(2).symbol, "_ZN5outer2v25thirdEPi");
    EXPECT_EQ(read.kernels.at(3).namespaces, (Texts{"outer", "inner"}));
}

TEST(KernelTest, EvaluatesDefaultArguments) {
    const auto read = read_case("default_arguments.cu");
    EXPECT_EQ(defaults_of(read.kernels.at(0)),
              (Texts{"nullptr", "7", "4000000000", "(-9223372036854775807 - 1)", "1.5f", "1.0", "true", "Mode::on", "Level::low",
                     "97", "nullptr", "18446744073709551615u"}));
    EXPECT_EQ(defaults_of(read.kernels.at(1)), (Texts{"", "", "2"}));
}

TEST(KernelTest, LeavesOutDefaultArgumentsThatAreNoConstants) {
    const auto read = read_text(
        "extern int n; __device__ int f(); template <class T> __global__ void run(T a = T{}) {}\n"
        "__global__ void k(int a = n, int b = f(), float c = 1 / 0.0f, int* d = (int*)8) {}",
        {.instantiations = {"run<int>"}});
    for (const auto& kernel : read.kernels) {
        for (const auto& text : defaults_of(kernel)) EXPECT_EQ(text, "");
    }
}

TEST(KernelTest, MergesDeclarations) {
    const auto read = read_case("declared_before.cu");
    ASSERT_EQ(read.kernels.size(), 3u);
    EXPECT_EQ(defaults_of(read.kernels.at(0)), (Texts{"", "8"}));
    EXPECT_EQ(read.kernels.at(0).parameters.at(0).name, "out");
    EXPECT_EQ(read.kernels.at(1).max_threads, 64);
    EXPECT_EQ(defaults_of(read.kernels.at(2)), (Texts{"", "4"}));
    EXPECT_EQ(read.kernels.at(2).parameters.at(1).name, "count");
    ASSERT_EQ(read.warnings.size(), 1u);
    expect_contains(read.warnings.at(0), "the kernel 'never' is declared but not defined");
}

TEST(KernelTest, EvaluatesBounds) {
    const auto read = read_case("launch_bounds.cu");
    const int expected[][2] = {{256, 3}, {16, 0}, {128, 0}, {64, 0}, {0, 0}};
    for (std::size_t index = 0; index < 5; ++index) {
        EXPECT_EQ(read.kernels.at(index).max_threads, expected[index][0]) << index;
        EXPECT_EQ(read.kernels.at(index).min_blocks, expected[index][1]) << index;
    }
    const auto clusters = read_case("clusters.cu");
    EXPECT_EQ(clusters.kernels.at(0).cluster, (std::array<int, 3>{2, 1, 1}));
    EXPECT_EQ(clusters.kernels.at(1).cluster, (std::array<int, 3>{4, 1, 1}));
    EXPECT_EQ(clusters.kernels.at(1).max_threads, 256);
}

TEST(KernelTest, SurvivesBoundsWithoutAValue) {
    for (const std::string bounds :
         {"1 / 0", "2147483647 * 2147483647 * 4", "9223372036854775807", "-5", "a.b", "0x", "x::y", "1 +", "3000000000"}) {
        const auto read = read_text("__global__ void __launch_bounds__(" + bounds + ") run(int*) {}");
        EXPECT_EQ(read.kernels.at(0).max_threads, 0) << bounds;
    }
}

TEST(KernelTest, NamesParametersAndKernelsLegally) {
    const auto read = read_case("reserved_names.cu");
    EXPECT_EQ(read.kernels.at(0).name, "hidden");
    EXPECT_EQ(read.kernels.at(0).symbol, "_Z8__hiddeni6__pairi");
    EXPECT_EQ(read.kernels.at(0).parameters.at(0).name, "value");
    EXPECT_EQ(read.kernels.at(0).parameters.at(2).name, "argument2");
    EXPECT_EQ(read.records.at(0).fields.at(1).name, "second");
    const auto twice = read_text("__global__ void run(int _a, int __a, int \xc3\xa4, int _class) {}");
    EXPECT_EQ(twice.kernels.at(0).parameters.at(1).name, "a_1");
    EXPECT_EQ(twice.kernels.at(0).parameters.at(2).name, "\xc3\xa4");
    EXPECT_EQ(twice.kernels.at(0).parameters.at(3).name, "class_");
}

TEST(KernelTest, PlacesKernelsOfMacrosWhereTheyAreExpanded) {
    const auto read = read_case("macros.cu");
    EXPECT_EQ(read.kernels.at(0).name, "square_kernel");
    EXPECT_EQ(read.kernels.at(1).line, read.kernels.at(0).line + 1);
    EXPECT_EQ(read.kernels.at(2).symbol, "named");
}

}  // namespace
}  // namespace cubind::testing
