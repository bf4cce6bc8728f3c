// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/kernel_case.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

const std::string source =
    "namespace ns {\ntemplate <class T, int N = 2> __global__ void scale(T* data, T factor = 1) {}\n}\n"
    "__global__ void plain(int* p) {}\ntemplate <class T> __device__ T twice(T x) { return 2 * x; }\n";

std::string error_of_instance(const std::string& instance) {
    return error_for(source, {.instantiations = {instance}});
}

TEST(KernelInstanceTest, DescribesAnInstance) {
    const auto read =
        read_text(source, {.instantiations = {"ns::scale<float>", "::ns::scale<double,3>", "ns::scale < float , 2 >"}});
    ASSERT_EQ(read.kernels.size(), 3u);  // the first and the last are one
    const auto& kernel = read.kernels.at(1);
    EXPECT_EQ(kernel.namespaces, std::vector<std::string>{"ns"});
    EXPECT_EQ(kernel.name, "scale");
    EXPECT_EQ(kernel.template_arguments, "float, 2");
    EXPECT_EQ(kernel.symbol, "_ZN2ns5scaleIfLi2EEEvPT_S1_");
    EXPECT_EQ(kernel.name_expression, "ns::scale<float>");
    EXPECT_EQ(kernel.line, 2u);
    EXPECT_EQ(kernel.parameters.at(0).name, "data");
    EXPECT_EQ(kernel.parameters.at(0).type, "float*");
    EXPECT_EQ(read.kernels.at(2).template_arguments, "double, 3");
    ASSERT_EQ(read.templates.size(), 1u);
    EXPECT_EQ(read.templates.at(0).parameters, "class T, int N = 2");
}

TEST(KernelInstanceTest, WarnsOfTemplatesWithoutInstances) {
    const auto read = read_text(source);
    ASSERT_EQ(read.warnings.size(), 1u);
    expect_contains(read.warnings.at(0), "kernels.cu:2:47: the kernel 'scale' is a template without instances");
    EXPECT_TRUE(read.templates.empty());
}

TEST(KernelInstanceTest, RejectsWhatNamesNoKernelTemplate) {
    expect_contains(error_of_instance("ns::other<float>"),
                    "the instantiation 'ns::other<float>' does not compile: no member named 'other'");
    expect_contains(error_of_instance("scale<float>"), "undeclared identifier 'scale'");
    expect_contains(error_of_instance("plain<int>"), "'plain' does not name a template");
    expect_contains(error_of_instance("twice<int>"), "names twice, which is no kernel");
    expect_contains(error_of_instance("plain"), "the instantiation 'plain' is no name of a kernel template with arguments");
}

TEST(KernelInstanceTest, RejectsWrongArguments) {
    for (const std::string wrong :
         {"ns::scale<>", "ns::scale<3>", "ns::scale<float, double>", "ns::scale<float, 1, 2>", "ns::scale<Unknown>"}) {
        expect_contains(error_of_instance(wrong), "the instantiation '" + wrong + "' does not compile");
    }
}

TEST(KernelInstanceTest, RejectsTextsThatAreMore) {
    for (const std::string hostile :
         {"", "<float>", "ns::scale<float>; int x", "ns::scale<float>)", "ns::scale<float>\n#error", "a<b>{}<c>",
          "ns::scale<float> // >", "ns::scale</*>*/float>", "ns::scale<\"a\">", "#x<a>", "-x<a>", "f()<a>"}) {
        expect_contains(error_of_instance(hostile), "is no name of a kernel template with arguments");
    }
    expect_contains(error_of_instance("ns::scale<float>, *other = &ns::scale<int>"), "does not compile");
    expect_contains(error_of_instance("ns::scale<float"), "is no name");
}

TEST(KernelInstanceTest, RejectsParametersThatTheHostCannotHave) {
    expect_contains(error_for("template <class... T> __global__ void run(T... t) {}", {.instantiations = {"run<int, float>"}}),
                    "a parameter pack");
    expect_contains(
        error_for("template <class T> struct V { T t; };\ntemplate <template <class> class U> __global__ void run(U<int> t) {}",
                  {.instantiations = {"run<V>"}}),
        "a parameter that is a template");
    expect_contains(error_for("__device__ int v;\ntemplate <int* P> __global__ void run() {}", {.instantiations = {"run<&v>"}}),
                    "a template argument that is neither a type nor an integer");
}

TEST(KernelInstanceTest, LeavesOutDefaultsThatTheHostLacks) {
    const auto read = read_text(
        "struct S { int a; };\ntemplate <class T = S, int N = sizeof(S) * 2> __global__ void run(T t) {}\n"
        "template <class T, class U = S> __global__ void two(T t, U u) {}",
        {.instantiations = {"run<>", "two<int>"}});
    EXPECT_EQ(read.templates.at(0).parameters, "class T, int N = 8");
    EXPECT_EQ(read.templates.at(1).parameters, "class T, class U");
    EXPECT_EQ(read.kernels.at(0).template_arguments, "S, 8");
}

TEST(KernelInstanceTest, ReadsExplicitInstantiations) {
    const KernelCase file("explicit_instances.cu");
    const auto read = gen::kernels::read_kernel_file(file.file(), file.options());
    std::vector<std::string> arguments;
    for (const auto& kernel : read.kernels) arguments.push_back(kernel.template_arguments);
    EXPECT_EQ(arguments, (std::vector<std::string>{"float, 2", "double, 4", "tools::Pair, 2", "long, 1", "int, 3"}));
    EXPECT_EQ(read.kernels.at(0).name_expression, "tools::scale<float, (int)2>");
    EXPECT_EQ(read.source, read_file(file.file()));
}

TEST(KernelInstanceTest, IgnoresTextsThatAreNoExplicitInstantiations) {
    const auto read = read_text(
        "// template of a __global__ function; template __global__ void a<int>(int*)\n"
        "template <class T> __global__ void a(T*); template <class T> __global__ void a(T*) {}\n"
        "const char* template_ = \"template\"; template __global__ void a(float*);\n"
        "template __global__ void a<int>(int*);\n" +
        std::string(1 << 20, ' ') + "\ntemplate <class T> struct S;");
    ASSERT_EQ(read.kernels.size(), 1u);
    EXPECT_EQ(read.kernels.at(0).template_arguments, "int");
}

TEST(KernelInstanceTest, StatesBoundsThatDependOnArguments) {
    const auto read = read_text(
        "constexpr int warp = 32;\ntemplate <int N, class T> __global__ void __launch_bounds__(N * warp, N) run(T t) {}",
        {.instantiations = {"run<4, int>"}});
    EXPECT_EQ(read.kernels.at(0).max_threads, 128);
    EXPECT_EQ(read.kernels.at(0).min_blocks, 4);
}

}  // namespace
}  // namespace cubind::testing
