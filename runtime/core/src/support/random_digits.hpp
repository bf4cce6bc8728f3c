// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <string>

namespace CUBIND_NAMESPACE::detail {

inline constexpr std::size_t random_digit_count = 32;

/// Returns hexadecimal digits from the system's source of random numbers, for names of temporary files. The digits differ from
/// those of every other process, including earlier processes with the same process id. Throws std::system_error if there is no
/// such source.
[[nodiscard]] std::string random_digits();

}  // namespace CUBIND_NAMESPACE::detail
