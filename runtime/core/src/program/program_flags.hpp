// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program_options.hpp>

#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// Returns the flags for nvrtcCompileProgram, in the order of the members; the same for the same options. Checks the options
/// first, as ProgramOptions::check() does. Throws std::invalid_argument, which names the option, if NVRTC of this version,
/// 12080 for 12.8, lacks a flag; version 0 accepts all flags.
std::vector<std::string> nvrtc_flags(const ProgramOptions& options, int nvrtc_version = 0);

/// Returns the first option that makes the compiler read a file which neither the source nor a search for headers names, so that
/// its content is no part of a key; empty if there is none.
std::string option_that_names_a_file(const ProgramOptions& options);

/// Returns whether the options make the compiler write files, which a result from a cache would not do.
bool writes_files(const ProgramOptions& options) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
