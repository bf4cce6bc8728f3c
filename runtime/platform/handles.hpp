// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <dirent.h>
#include <dlfcn.h>
#include <memory>
#include <stdio.h>

namespace CUBIND_NAMESPACE::detail {

struct CloseHandle {
    void operator()(FILE* file) const noexcept { fclose(file); }
    void operator()(DIR* folder) const noexcept { closedir(folder); }
    void operator()(void* library) const noexcept { dlclose(library); }
};

/// Handles of the operating system that close themselves. They may be null.
using FileHandle = std::unique_ptr<FILE, CloseHandle>;
using FolderHandle = std::unique_ptr<DIR, CloseHandle>;
using LibraryHandle = std::unique_ptr<void, CloseHandle>;

}  // namespace CUBIND_NAMESPACE::detail
