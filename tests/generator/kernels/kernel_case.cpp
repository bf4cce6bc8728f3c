// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernel_case.hpp"

#include <algorithm>
#include <sstream>

#include "support/scratch_folder.hpp"

namespace cubind::testing {
namespace {

const std::filesystem::path folder = std::filesystem::path(CUBIND_GENERATOR_TESTS) / "kernels" / "files";

}  // namespace

KernelCase::KernelCase(const std::string& name) : file_(folder / name), text_(read_file(file_)) {}

std::vector<std::string> KernelCase::values(const std::string& keyword) const {
    const std::string begin = "// " + keyword + ": ";
    std::vector<std::string> found;
    std::istringstream stream(text_);
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with(begin)) found.push_back(line.substr(begin.size()));
    }
    return found;
}

gen::kernels::ReadOptions KernelCase::options(const std::vector<std::filesystem::path>& toolkit_includes) const {
    gen::kernels::ReadOptions options;
    for (const auto& include : values("include")) options.includes.push_back(folder / include);
    options.toolkit_includes = toolkit_includes;
    options.defines = values("define");
    options.instantiations = values("instance");
    for (const auto& standard : values("standard")) options.standard = standard;
    return options;
}

std::vector<std::string> kernel_cases() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".cu") names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

gen::kernels::KernelFile read_case(const std::string& name, const std::string& type_prefix) {
    const KernelCase file(name);
    gen::kernels::ReadOptions options = file.options();
    options.type_prefix = type_prefix;
    return gen::kernels::read_kernel_file(file.file(), options);
}

gen::kernels::KernelFile read_text(const std::string& text, const gen::kernels::ReadOptions& options) {
    const ScratchFolder scratch;
    return gen::kernels::read_kernel_file(scratch.write("kernels.cu", text), options);
}

std::string error_for(const std::string& text, const gen::kernels::ReadOptions& options) {
    return input_error_of([&] { read_text(text, options); });
}

}  // namespace cubind::testing
