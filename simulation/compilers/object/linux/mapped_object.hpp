// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <elf.h>
#include <link.h>
#include <span>

namespace CUBIND_NAMESPACE::sim {

/// The headers of an object that the dynamic linker has mapped, in the memory of the object.
struct MappedHeaders {
    const Elf64_Ehdr* file = nullptr;  ///< null if the object does not begin with them
    std::span<const Elf64_Phdr> segments;
};
/// Finds the headers. They must be in the first page of the object, as linkers place them.
MappedHeaders headers_of(const link_map& object) noexcept;

/// Returns the protection of the pages of a segment for mprotect().
int protection_of(const Elf64_Phdr& segment) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
