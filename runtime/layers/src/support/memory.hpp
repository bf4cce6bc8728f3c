// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>

/// Safe access to memory of the program. A layer receives pointers before the vendor's function has checked anything, so they may
/// point anywhere.
namespace CUBIND_NAMESPACE::layers {

/// Returns how many of the `size` bytes from `address` on the process can read without a fault, counted up to the first byte that
/// it cannot read. Memory on the calling thread's stack costs nothing; other memory costs one system call per page.
std::size_t readable_bytes(const void* address, std::size_t size) noexcept;

/// Returns whether the process can read all `size` bytes at `address`, which may be null.
inline bool is_readable(const void* address, std::size_t size) noexcept {
    return address != nullptr && readable_bytes(address, size) == size;
}

}  // namespace CUBIND_NAMESPACE::layers
