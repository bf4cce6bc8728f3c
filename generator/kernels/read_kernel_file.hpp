// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kernels/kernel_file.hpp"

namespace cubind::gen::kernels {

struct ReadOptions {
    std::vector<std::filesystem::path> includes = {};          ///< folders of the user's headers
    std::vector<std::filesystem::path> toolkit_includes = {};  ///< folders of CUDA's headers, which are no part of the result
    std::vector<std::string> defines = {};                     ///< NAME or NAME=VALUE
    std::string standard = "c++17";
    std::vector<std::string> instantiations = {};  ///< instances of kernel templates, such as "ns::scale<float, 4>"
    bool enable_tile = false;                      ///< whether the kernels are Tile kernels
    std::string type_prefix = {};  ///< stands before each type that the generated header declares, such as "::kernels::"
};

/// Reads a .cu file as NVRTC does, but without the bodies of functions. Errors in CUDA's headers and in bodies are left to NVRTC.
/// Throws InputError with the place and the remedy if the file cannot be read, or if it has an error in the declaration of a
/// kernel or variable.
KernelFile read_kernel_file(const std::filesystem::path& file, const ReadOptions& options);

}  // namespace cubind::gen::kernels
