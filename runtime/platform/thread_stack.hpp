// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstdint>

namespace CUBIND_NAMESPACE::detail {

/// The addresses of a thread's stack; 0 if they are unknown.
struct ThreadStack {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
};

[[nodiscard]] CUBIND_EXPORT ThreadStack stack_of_this_thread() noexcept;

}  // namespace CUBIND_NAMESPACE::detail
