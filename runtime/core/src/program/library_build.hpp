// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Returns a text that identifies the build of a library: the build id that its linker wrote, or a hash of the file if there is
/// none. Versions do not identify builds, because NVIDIA's libraries report no patch level. Empty if the file cannot be read.
/// The text is determined once for each path, since a library remains loaded.
[[nodiscard]] CUBIND_EXPORT std::string library_build(const std::string& path);

/// Returns a text that identifies the builds of NVRTC of this version, 13040 for 13.4, and of the library of built-in code that
/// it loads. Empty if one of them cannot be read.
[[nodiscard]] CUBIND_EXPORT std::string nvrtc_build(const std::string& path, int version);

/// Returns the build id of an ELF file, or a hash of the content of any other file. Caches nothing. Empty if the file cannot be
/// read.
[[nodiscard]] std::string file_build(const std::string& path);

}  // namespace CUBIND_NAMESPACE::detail
