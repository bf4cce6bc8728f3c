// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/toolkit_headers.hpp>

#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE::detail {

/// Returns the name of the file that the compiler did not find according to its log; empty if it found all.
std::string_view missing_file(std::string_view log);

/// Returns whether a file with this name, as in an #include directive, could be one of CUDA's headers.
bool is_cuda_header(std::string_view name) noexcept;

/// Returns what the headers may have to do with a failed compilation with this log: folders that were refused, if a file was not
/// found, the package that has the file, or another release than NVRTC's, if the log names a file of the toolkit. Empty if
/// nothing.
std::string advice_on_headers(const ToolkitHeaders& headers, int nvrtc_release, std::string_view log);

}  // namespace CUBIND_NAMESPACE::detail
