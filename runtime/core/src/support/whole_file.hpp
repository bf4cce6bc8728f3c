// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstdio>
#include <memory>
#include <string>

namespace CUBIND_NAMESPACE::detail {

struct CloseFile {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

/// Returns the content of a file. Throws LoadError with `reader` as the failed function if the file is missing,
/// unreadable or empty, and std::invalid_argument for a path with a NUL.
std::string read_whole_file(const std::string& path, const char* reader);

}  // namespace CUBIND_NAMESPACE::detail
