// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>

namespace CUBIND_NAMESPACE::detail {

/// Fills up to 256 bytes with unpredictable random numbers. Returns 0 or an errno.
[[nodiscard]] CUBIND_EXPORT int fill_randomly(void* data, std::size_t size) noexcept;

}  // namespace CUBIND_NAMESPACE::detail
