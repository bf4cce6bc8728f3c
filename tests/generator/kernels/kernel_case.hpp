// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/read_kernel_file.hpp"

namespace cubind::testing {

/// A .cu file of tests/generator/kernels/files. Its comments may state, one on a line:
///
///     // instance: scale<float, 4>        an instance of a kernel template
///     // standard: c++20
///     // include: headers                 a folder beside the file
///     // define: NAME=VALUE
///     // since: 13.0                      the first release of CUDA that compiles the file
///     // option: device_int128            an option of NVRTC
///     // toolkit: cuda_fp16.h             a header of CUDA that the file needs
class KernelCase {
public:
    explicit KernelCase(const std::string& name);

    std::filesystem::path file() const { return file_; }
    /// Returns the options to read the file with the headers in these folders.
    gen::kernels::ReadOptions options(const std::vector<std::filesystem::path>& toolkit_includes = {}) const;
    /// Returns the values of the comments with this keyword.
    std::vector<std::string> values(const std::string& keyword) const;

private:
    std::filesystem::path file_;
    std::string text_;
};

/// Returns the names of all files.
std::vector<std::string> kernel_cases();

/// Reads a file of this name.
gen::kernels::KernelFile read_case(const std::string& name, const std::string& type_prefix = "");

/// Reads a .cu file with this text. Throws InputError if it is wrong.
gen::kernels::KernelFile read_text(const std::string& text, const gen::kernels::ReadOptions& options = {});

/// Returns the message of the InputError for a .cu file with this text. Fails the test if there is none.
std::string error_for(const std::string& text, const gen::kernels::ReadOptions& options = {});

}  // namespace cubind::testing
