// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/program_options.hpp>
#include <cubind/detail/toolkit_headers.hpp>

#include <memory>
#include <string_view>

namespace CUBIND_NAMESPACE::detail {

/// Returns the headers of CUDA for the NVRTC of this process, which is of this version. They are searched once. If they lack
/// CCCL, and the headers that NVRTC contains were installed before, these complete them. Any thread may call it.
std::shared_ptr<const ToolkitHeaders> headers_of_nvrtc(int version);

/// Installs the headers that NVRTC contains if a compilation with this log lacked one of CUDA's headers, and if the found headers
/// are incomplete. Returns whether the compilation should be repeated with the headers that headers_of_nvrtc() returns then: they
/// are complete, or state why they are not.
bool complete_headers(int version, std::string_view log);

/// Installs the headers that NVRTC contains in the folder `use_bundled_headers` of the options, unless they are there, returns
/// them, and clears the option. The key of a cache then covers their content. Throws Error if NVRTC cannot write them, and
/// std::invalid_argument if it is older than CUDA 13.3.
std::shared_ptr<const ToolkitHeaders> chosen_bundled_headers(ProgramOptions& options, int version);

}  // namespace CUBIND_NAMESPACE::detail
