// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program_options.hpp>

#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// Returns the flags for nvrtcCompileProgram, in the order of the members; the same for the same options. Checks the options
/// first, as ProgramOptions::check() does. Throws std::invalid_argument, which names the option, if NVRTC of this version, 12080
/// for 12.8, lacks a flag; version 0 has all of them.
std::vector<std::string> nvrtc_flags(const ProgramOptions& options, int nvrtc_version = 0);

/// Returns whether the options make the compiler read files that the source does not name, so that the result depends on more
/// than source and options. Files that the source includes do not count.
bool reads_files(const ProgramOptions& options) noexcept;

/// Returns whether the options make the compiler write files, which a result from a cache would not do.
bool writes_files(const ProgramOptions& options) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
