// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/program_options.hpp>

#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// Returns the flags for nvrtcCompileProgram, in the order of the members. Equal options result in equal flags. Checks the
/// options first, as ProgramOptions::check() does. Throws std::invalid_argument, which names the option, if NVRTC of this
/// version, 12080 for 12.8, lacks a flag; version 0 accepts all flags.
std::vector<std::string> nvrtc_flags(const ProgramOptions& options, int nvrtc_version = 0);

/// Returns the flags for nvvmCompileProgram. Checks the options first, as ProgramOptions::check() does. Throws
/// std::invalid_argument, which names the option, for options that do not apply to NVVM IR.
std::vector<std::string> nvvm_flags(const ProgramOptions& options);

/// Returns the flags for tileiras. Checks the options first, as ProgramOptions::check() does. Throws std::invalid_argument, which
/// names the option, for options that do not apply to Tile IR.
std::vector<std::string> tile_flags(const ProgramOptions& options);

/// Returns the first option that names or may name a file for the compiler to read; empty if there is none. The content of such a
/// file is not a part of the key, because neither the source nor the search for headers leads to it.
std::string option_that_names_a_file(const ProgramOptions& options);

/// Returns whether the options make the compiler write files. A result from a cache would write none.
bool writes_files(const ProgramOptions& options) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
