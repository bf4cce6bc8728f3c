// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <cstdint>

namespace CUBIND_NAMESPACE::detail {

/// Checks whether the process can read the memory at an address and in the rest of its page. Does not change errno.
CUBIND_EXPORT bool is_readable_page(std::uintptr_t address) noexcept;

/// Returns how many bytes from an address on the process can read, up to `size`. Takes about 0.2 us for each page.
CUBIND_EXPORT std::size_t readable_bytes(std::uintptr_t address, std::size_t size) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
