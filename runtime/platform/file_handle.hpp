// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstdio>
#include <memory>

namespace CUBIND_NAMESPACE::detail {

struct CloseFile {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

/// A file of the standard library that closes itself. It may be null.
using FileHandle = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace CUBIND_NAMESPACE::detail
