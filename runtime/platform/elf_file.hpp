// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// Facts about a file that is opened as a library.
struct ElfFile {
    std::string problem;  ///< why the file cannot be a library of this process; empty if it can
    std::string soname;   ///< name that the library has for the OS loader (DT_SONAME); empty if it has none
};

/// Reads the headers of the file and does not load it. dlopen maps the segments of a file without a comparison with its size, so
/// that a truncated library would end the process with a signal (SIGBUS) instead of an error.
ElfFile examine_elf_file(const std::string& path);

/// Returns the build ID that the linker wrote to an open ELF file; empty if there is none, or if the file is no ELF file of this
/// word size. Both functions throw std::bad_alloc if memory or file descriptors are exhausted.
CUBIND_EXPORT std::vector<std::byte> elf_build_id(int file);

}  // namespace CUBIND_NAMESPACE::detail
