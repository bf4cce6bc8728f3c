// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>

/// Memory in pages.
namespace CUBIND_NAMESPACE::detail {

/// The smallest size of a page.
inline constexpr std::uintptr_t min_page_size = 4096;

/// Returns the size of a page of this machine in bytes.
[[nodiscard]] CUBIND_EXPORT std::size_t page_size() noexcept;

enum class PageAccess { none, read_and_write };

/// Reserves addresses. A page uses memory from its first access on. Returns 0 if the process cannot have so many.
[[nodiscard]] CUBIND_EXPORT std::uintptr_t reserve_pages(std::size_t size, PageAccess access) noexcept;
/// Gives back addresses of reserve_pages() and map_shared_pages(), and all memory there.
CUBIND_EXPORT void release_pages(std::uintptr_t address, std::size_t size) noexcept;
/// Makes the pages zero and gives back their memory. Returns false on failure.
CUBIND_EXPORT bool discard_pages(std::uintptr_t address, std::size_t size) noexcept;

/// Maps bytes of a file, which processes share, at any address. Returns 0 on failure.
[[nodiscard]] CUBIND_EXPORT std::uintptr_t map_shared_pages(int file, std::size_t size) noexcept;
/// Maps bytes of a file in the place of pages of reserve_pages(). Children of fork() do not inherit the mapping. Returns false on
/// failure.
[[nodiscard]] CUBIND_EXPORT bool replace_pages(std::uintptr_t address, std::size_t size, int file, std::uint64_t offset) noexcept;
/// Reserves pages anew in the place of a mapping, so that late accesses stay harmless.
CUBIND_EXPORT void restore_pages(std::uintptr_t address, std::size_t size) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
