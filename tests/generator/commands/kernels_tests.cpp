// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "commands/generator_test.hpp"

namespace cubind::testing {
namespace {

class KernelsCommandTest : public GeneratorTest {
protected:
    void SetUp() override {
        write("saxpy.cu", "#include \"size.hpp\"\n__global__ void saxpy(float a, const float* x, float* y, Size n) {}\n");
        write("include/size.hpp", "#pragma once\nusing Size = unsigned long;\n");
    }

    static constexpr const char* saxpy = "kernels project/saxpy.cu --output project/out --include project/include ";
};

TEST_F(KernelsCommandTest, WritesADeclarationAndTheCode) {
    const Outcome outcome = run_without_root(std::string(saxpy) + "--option=-DWIDTH=4 --depfile project/out/saxpy.d");
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    EXPECT_EQ(outcome.out + outcome.error, "");
    expect_contains(read("out/saxpy.cu.hpp"), "cubind::EmbeddedKernel<void(float, const float*, float*, unsigned long)>");
    expect_contains(read("out/saxpy.cu.hpp"), "_Z5saxpyfPKfPfm");
    expect_contains(read("out/saxpy.cu.code.hpp"), "__global__ void saxpy(float a");
    expect_contains(read("out/saxpy.cu.code.hpp"), "using Size = unsigned long;");
    expect_contains(read("out/saxpy.cu.code.hpp"), "\"-DWIDTH=4\"");
    EXPECT_EQ(read("out/saxpy.d"), "project/out/saxpy.cu.hpp: project/saxpy.cu project/include/size.hpp\n");
    EXPECT_EQ(read("out/saxpy.cu.code.hpp").find("project"), std::string::npos) << "no folder of this machine";
}

TEST_F(KernelsCommandTest, NamesEachVersionOfAFileDifferently) {
    run_without_root(saxpy);
    const std::string before = read("out/saxpy.cu.hpp");
    run_without_root(saxpy);
    EXPECT_EQ(read("out/saxpy.cu.hpp"), before);
    run_without_root(std::string(saxpy) + "--option=-DWIDTH=4");
    EXPECT_NE(read("out/saxpy.cu.hpp"), before);
}

TEST_F(KernelsCommandTest, EmbedsCompiledCode) {
    write("saxpy.ptx", ".version 8.0 \"?\" \\ \x01 \xC3\xA9");
    const Outcome outcome = run_without_root(std::string(saxpy) + "--code ptx:project/saxpy.ptx --namespace my::kernels");
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    const std::string code = read("out/saxpy.cu.code.hpp");
    expect_contains(code, R"(".version 8.0 \042\077\042 \134 \001 \303\251")");
    expect_contains(code, ".compiled = cubind::CodeType::ptx");
    EXPECT_EQ(code.find("__global__"), std::string::npos);
    expect_contains(read("out/saxpy.cu.hpp"), "namespace my::kernels::inline of_saxpy_cu_");
}

TEST_F(KernelsCommandTest, KeepsTheLinesOfASourceThatContainsTheEndOfItsLiteral) {
    write("odd.cu", "// )cu\" \r\n__global__ void odd(int* n) {} // )cu1\"\r\n");
    EXPECT_EQ(run_without_root("kernels project/odd.cu --output project/out").status, 0);
    expect_contains(read("out/odd.cu.code.hpp"), "R\"cu2(// )cu\" \n__global__ void odd(int* n) {} // )cu1\"\n)cu2\"");
}

TEST_F(KernelsCommandTest, WritesNothingIfOneFileIsWrong) {
    write("wrong.cu", "__global__ int wrong() {}\n");
    expect_rejected("kernels project/saxpy.cu project/wrong.cu --output project/out --include project/include",
                    "project/wrong.cu:1");
    EXPECT_FALSE(std::filesystem::exists(below("out")));
}

TEST_F(KernelsCommandTest, RefusesWrongOptions) {
    const auto expect_refused = [&](const std::string& options, const std::string& part) {
        SCOPED_TRACE(options);
        expect_rejected(saxpy + options, part);
    };
    expect_refused("--option=--use-pch=a.pch", "names a file of this machine");
    expect_refused("--option=-arch=sm_90", "selects a target");
    expect_refused("--option=WIDTH=4", "those begin with -");
    expect_refused("--option=-D", "has no value");
    expect_refused("--code saxpy.ptx", "ptx, cubin, lto_ir, fatbin");
    expect_refused("--code ptx:project/missing.ptx", "project/missing.ptx");
    write("saxpy.ptx", ".version 8.0\n");
    expect_refused("--code ptx:project/saxpy.ptx --option --enable-tile", "Tile kernels have no code of the kind ptx");
    expect_refused("--namespace 1st", "no name of a namespace");
    expect_refused("--namespace a::", "no name of a namespace");
    expect_refused("--instantiate \"saxpy<int>\"", "saxpy");
    write("other/saxpy.cu", "__global__ void other() {}\n");
    expect_refused("project/other/saxpy.cu", "both become saxpy.cu");
    write("file", "");
    expect_rejected("kernels project/saxpy.cu --output project/file/out --include project/include", "project/file");
    EXPECT_EQ(run_without_root("kernels project/saxpy.cu").status, 2);
}

}  // namespace
}  // namespace cubind::testing
