// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

/// Numbers from the system's source of random numbers. They differ from those of every other process, including earlier processes
/// with the same process id. The functions throw std::system_error if there is no such source.
namespace CUBIND_NAMESPACE::detail {

inline constexpr std::size_t random_digit_count = 32;

/// Returns hexadecimal digits for the name of a temporary file.
[[nodiscard]] std::string random_digits();

/// Returns the identity of memory that processes share.
[[nodiscard]] std::array<std::uint64_t, 2> random_id();

}  // namespace CUBIND_NAMESPACE::detail
