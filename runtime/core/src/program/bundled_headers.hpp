// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>

namespace CUBIND_NAMESPACE::detail {

/// The folder with the headers that NVRTC contains since CUDA 13.3, in the user's cache.
struct BundledHeaders {
    std::string folder{};   ///< empty if there is none
    std::string problem{};  ///< why there is none; empty if this NVRTC contains no headers, or if they are not installed yet
};

/// Returns the folder with the headers of this NVRTC if it was installed before: `$XDG_CACHE_HOME/cubind/headers/RELEASE-SIZE`.
/// Refuses a folder that other users can change (open_cache_folder()). `version` is NVRTC's.
BundledHeaders installed_bundled_headers(int version);

/// Installs the headers, unless they are installed (nvrtcInstallBundledHeaders). Processes that do so at once do not disturb each
/// other, and a process that is killed leaves no folder with a part of the headers.
BundledHeaders install_bundled_headers(int version);

}  // namespace CUBIND_NAMESPACE::detail
