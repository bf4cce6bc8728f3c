// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Returns the path without symbolic links; the path itself if it cannot be resolved.
std::string real_path(const std::string& path);

/// Returns the toolkit that contains a file: the prefix of a toolkit or of an environment, without symbolic links, such as
/// "/usr/local/cuda-13.0". The wheels of one CUDA major in one site-packages folder are one toolkit:
/// ".../site-packages/nvidia/cu13" for CUDA 13, ".../site-packages/nvidia" for CUDA 12.
std::string toolkit_of(const std::string& file);

/// Returns the version in the name of the file without symbolic links, or otherwise of its toolkit; see Location::version.
std::string version_of(const std::string& file);

}  // namespace CUBIND_NAMESPACE::detail
