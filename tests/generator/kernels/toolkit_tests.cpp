// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Compares what cubind-gen reads from each file of tests/generator/kernels/files with the PTX that NVRTC compiles the file to.
#include <cubind/core/program/program.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "kernels/kernel_case.hpp"
#include "kernels/ptx.hpp"

namespace cubind::testing {
namespace {

namespace fs = std::filesystem;
using gen::kernels::Kernel;
using gen::kernels::KernelFile;
using gen::kernels::Space;

std::vector<fs::path> toolkit_includes() {
    const fs::path folder = std::getenv("CUBIND_CUDA_INCLUDE_DIR");
    std::vector<fs::path> folders = {folder};
    if (fs::is_directory(folder / "cccl")) folders.push_back(folder / "cccl");
    return folders;
}

int number_of(const std::string& release) {
    const std::size_t dot = release.find('.');
    return 100 * std::stoi(release.substr(0, dot)) + std::stoi(release.substr(dot + 1));
}

/// Returns whether the release of the compiler can compile the file, and the folders have the headers of CUDA that it needs.
bool is_supported(const KernelCase& file) {
    for (const auto& header : file.values("toolkit")) {
        const std::vector<fs::path> folders = toolkit_includes();
        if (std::none_of(folders.begin(), folders.end(), [&](const fs::path& each) { return fs::exists(each / header); }))
            return false;
    }
    const int release = number_of(std::getenv("CUBIND_TEST_RELEASE"));
    for (const auto& since : file.values("since")) {
        if (release < number_of(since)) return false;
    }
    return true;
}

ObjectCode compile(const KernelCase& file, const KernelFile& read) {
    ProgramOptions options{.arch = "sm_90", .std = file.options().standard};
    for (const auto& define : file.values("define")) {
        const std::size_t equals = define.find('=');
        options.define_macro.push_back({define.substr(0, equals), define.substr(equals + 1)});
    }
    for (const auto& folder : toolkit_includes()) options.include_path.push_back(folder.string());
    options.device_int128 = !file.values("option").empty();
    std::vector<IncludedHeader> headers;
    for (const auto& header : read.headers) headers.push_back({header.name, header.text});
    CompileOptions compile;
    for (const auto& kernel : read.kernels) compile.name_expressions.push_back(kernel.name_expression);
    for (const auto& variable : read.variables) {
        if (!variable.name_expression.empty()) compile.name_expressions.push_back(variable.name_expression);
    }
    return Program(read.source, options, headers).compile(CodeType::ptx, compile);
}

class KernelToolkitTest : public ::testing::TestWithParam<std::string> {};

TEST_P(KernelToolkitTest, AgreesWithTheCompiler) {
    const KernelCase file(GetParam());
    if (!is_supported(file)) return;
    const KernelFile read = gen::kernels::read_kernel_file(file.file(), file.options(toolkit_includes()));
    const ObjectCode code = compile(file, read);
    const std::string ptx(code.text());
    const std::map<std::string, std::string> symbols(code.symbol_mapping().begin(), code.symbol_mapping().end());

    const std::map<std::string, PtxKernel> kernels = kernels_in_ptx(ptx);
    std::set<std::string> found;
    for (const Kernel& kernel : read.kernels) {
        const std::string symbol = symbols.at(kernel.name_expression);
        if (!kernel.symbol.empty()) {
            EXPECT_EQ(kernel.symbol, symbol);
        }
        found.insert(symbol);
        ASSERT_TRUE(kernels.contains(symbol)) << symbol;
        std::vector<std::int64_t> sizes;
        for (const auto& parameter : kernel.parameters) sizes.push_back(parameter.size);
        EXPECT_EQ(sizes, kernels.at(symbol).parameter_sizes) << symbol;
        if (kernel.max_threads != 0) {
            EXPECT_EQ(kernel.max_threads, kernels.at(symbol).max_threads) << symbol;
        }
    }
    for (const auto& [symbol, kernel] : kernels) EXPECT_TRUE(found.contains(symbol)) << symbol << " is missing";

    const std::map<std::string, std::int64_t> variables = variables_in_ptx(ptx);
    for (const auto& variable : read.variables) {
        const bool has_expression = !variable.name_expression.empty();
        EXPECT_EQ(has_expression, variable.space != Space::managed);
        const std::string symbol = has_expression ? symbols.at(variable.name_expression) : variable.symbol;
        if (!variable.symbol.empty()) {
            EXPECT_EQ(variable.symbol, symbol);
        }
        ASSERT_TRUE(variables.contains(symbol)) << symbol << " is not in\n" << ptx;
        EXPECT_EQ(variable.size, variables.at(symbol)) << symbol;
    }
}

INSTANTIATE_TEST_SUITE_P(Files, KernelToolkitTest, ::testing::ValuesIn(kernel_cases()),
                         [](const auto& file) { return file.param.substr(0, file.param.find('.')); });

}  // namespace
}  // namespace cubind::testing
