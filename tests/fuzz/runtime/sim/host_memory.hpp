// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "choices.hpp"

/// Memory of the program that calls may copy from and to: reserved, so that its untouched pages cost nothing.
namespace cubind::fuzz::host_memory {

/// An address with at least `most_bytes` behind it.
std::byte* address(Choices& choices);
inline constexpr std::size_t most_bytes = std::size_t{64} << 20;

bool contains(std::uintptr_t address);

}  // namespace cubind::fuzz::host_memory
