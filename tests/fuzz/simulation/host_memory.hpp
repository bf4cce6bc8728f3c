// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "choices.hpp"

/// Memory of the program that calls may copy from and to. Its untouched pages use no physical memory.
namespace cubind::fuzz::host_memory {

/// Returns an address that is followed by at least `max_bytes` bytes.
std::byte* address(Choices& choices);
inline constexpr std::size_t max_bytes = std::size_t{64} << 20;

bool contains(std::uintptr_t address);

}  // namespace cubind::fuzz::host_memory
