// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cubind::gen::kernels {

/// Options of NVRTC for the kernels of a file, by what they are needed for.
struct CompilerOptions {
    std::vector<std::filesystem::path> includes;  ///< folders of -I, which are searched when the file is read
    std::vector<std::string> defines;             ///< "NAME" and "NAME=value"
    std::string standard;                         ///< such as "c++20"; empty if no option states it
    bool enable_tile = false;                     ///< whether Tile kernels are compiled
    std::vector<std::string> kept;                ///< options with which the code is compiled: all but -I
};

/// Sorts options such as "-DWIDTH=4", "--std=c++20", "-Iinclude" and "--use_fast_math". Throws InputError for an option that
/// names a file or a folder that a program on another machine would not have, that selects the architecture or the kind of the
/// code, or that has the value in the next element.
CompilerOptions sort_compiler_options(const std::vector<std::string>& options);

}  // namespace cubind::gen::kernels
