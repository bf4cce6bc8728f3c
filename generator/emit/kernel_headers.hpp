// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emit/outputs.hpp"
#include "kernels/kernel_file.hpp"

namespace cubind::gen::emit {

/// Code that was compiled before, which the headers contain instead of the source.
struct CompiledKernels {
    std::string kind;   ///< enumerator of cubind::CodeType: ptx, cubin, lto_ir or fatbin
    std::string bytes;  ///< empty if the headers contain the source
};

/// How the headers of a .cu file are written.
struct KernelHeaderOptions {
    std::string name_space = "kernels";           ///< namespace of the functions
    std::vector<std::string> compiler_options{};  ///< options of NVRTC with which the source is compiled
    CompiledKernels compiled{};
};

/// Renders FILE.hpp, which declares the kernels and variables of a file, and FILE.code.hpp, which has its code. Throws InputError
/// if compiled code cannot have the symbol of a kernel.
Outputs render_kernel_headers(const kernels::KernelFile& file, const KernelHeaderOptions& options, const Templates& templates);

/// Returns the data of both templates. `version` is the inline namespace of this file, which depends on all inputs, so that a
/// program may contain files with equal names.
spec::Json kernel_file_json(const kernels::KernelFile& file, const KernelHeaderOptions& options, const std::string& version);

}  // namespace cubind::gen::emit
