// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/kernel_case.hpp"
#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

using gen::kernels::KernelFile;
using gen::kernels::read_kernel_file;
using Texts = std::vector<std::string>;

class KernelHeadersTest : public ::testing::Test {
protected:
    std::string error_of(const gen::kernels::ReadOptions& options = {}) const {
        return input_error_of([&] { read_kernel_file(scratch_.below("k.cu"), options); });
    }
    ScratchFolder scratch_;
};

const std::string run_kernel = "__global__ void run(int* p) {}\n";

TEST_F(KernelHeadersTest, EmbedsHeadersUnderTheWrittenNames) {
    const KernelCase file("header_types.cu");
    const KernelFile read = read_kernel_file(file.file(), file.options());
    Texts names;
    for (const auto& header : read.headers) names.push_back(header.name);
    EXPECT_EQ(names, (Texts{"beside/types.hpp", "nested/inner.hpp", "shapes/all.hpp", "shapes/circle.hpp"}));
    EXPECT_EQ(read.host_includes, (Texts{"<shapes/all.hpp>", "\"beside/types.hpp\""}));
    EXPECT_EQ(read.files.size(), 5u);
    EXPECT_EQ(read.files.at(0), file.file().string());
    expect_contains(read.headers.at(3).text, "struct Circle");
}

TEST_F(KernelHeadersTest, LeavesOutHeadersOfCuda) {
    scratch_.write("cuda/include/toy.h", "#pragma once\n#include \"part.h\"\nstruct toy { int a; };\nundeclared x;\n");
    scratch_.write("cuda/include/part.h", "#pragma once\n");
    const KernelFile read = read_kernel_file(scratch_.write("k.cu", "#include <toy.h>\n__global__ void run(toy t) {}\n"),
                                             {.toolkit_includes = {scratch_.below("cuda/include")}});
    EXPECT_TRUE(read.headers.empty());
    EXPECT_TRUE(read.host_includes.empty());
    EXPECT_EQ(read.files.size(), 1u);
    EXPECT_EQ(read.records.at(0).name, "toy");
}

TEST_F(KernelHeadersTest, FindsHeadersInTheFoldersOnly) {
    scratch_.write("k.cu", "#include \"there.h\"\n" + run_kernel);
    scratch_.write("lib/there.h", "#pragma once\n");
    const std::string message = error_of({.includes = {scratch_.path()}});
    expect_contains(message, "k.cu:1:10: 'there.h' file not found; searched in " + scratch_.path().string());
    expect_contains(message, "-I");
    EXPECT_EQ(read_kernel_file(scratch_.below("k.cu"), {.includes = {scratch_.below("lib")}}).headers.size(), 1u);
    for (const std::string name : {"cstdint", "stdint.h", "stdio.h", "vector"}) {
        scratch_.write("k.cu", "#include <" + name + ">\n" + run_kernel);
        expect_contains(error_of(), "'" + name + "' file not found");
    }
}

TEST_F(KernelHeadersTest, RejectsTwoHeadersOfOneName) {
    scratch_.write("a/part.h", "struct A {};\n");
    scratch_.write("b/part.h", "struct B {};\n");
    scratch_.write("a/all.h", "#include \"part.h\"\n");
    scratch_.write("b/every.h", "#include \"part.h\"\n");
    scratch_.write("k.cu", "#include \"a/all.h\"\n#include \"b/every.h\"\n" + run_kernel);
    const std::string message = error_of();
    expect_contains(message, "b/every.h:1: the name \"part.h\" is written for two headers");
    expect_contains(message, "a/part.h");
}

TEST_F(KernelHeadersTest, WarnsOfTwoNamesOfOneHeader) {
    scratch_.write("a/part.h", "#pragma once\nstruct A {};\n");
    const KernelFile read = read_kernel_file(scratch_.write("k.cu", "#include \"a/part.h\"\n#include <part.h>\n" + run_kernel),
                                             {.includes = {scratch_.below("a")}});
    EXPECT_EQ(read.headers.size(), 2u);
    ASSERT_EQ(read.warnings.size(), 1u);
    expect_contains(read.warnings.at(0), "is included as \"a/part.h\" and as \"part.h\"");
}

TEST_F(KernelHeadersTest, RejectsHeadersThatIncludeThemselves) {
    scratch_.write("a.h", "#include \"b.h\"\n");
    scratch_.write("b.h", "#include \"a.h\"\n#include \"a.h\"\n");
    scratch_.write("k.cu", "#include \"a.h\"\n" + run_kernel);
    expect_contains(error_of(), "include nested too deeply");
    scratch_.write("k.cu", "#include \"k.cu\"\n" + run_kernel);
    expect_contains(error_of(), "include nested too deeply");
}

TEST_F(KernelHeadersTest, RejectsHeadersThatAreNoText) {
    scratch_.write("a.h", "// \xff\n");
    scratch_.write("k.cu", "#include \"a.h\"\n" + run_kernel);
    expect_contains(error_of(), "a.h:1: the text is no UTF-8");
}

TEST_F(KernelHeadersTest, ReadsKernelsOfHeaders) {
    const KernelCase file("header_kernels.cu");
    const KernelFile read = read_kernel_file(file.file(), file.options());
    ASSERT_EQ(read.kernels.size(), 3u);
    EXPECT_TRUE(read.kernels.at(0).file.ends_with("headers/shapes/kernels.cuh"));
    EXPECT_EQ(read.kernels.at(2).comment, "Grows a circle.");
}

}  // namespace
}  // namespace cubind::testing
