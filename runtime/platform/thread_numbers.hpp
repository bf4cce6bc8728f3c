// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

namespace CUBIND_NAMESPACE::detail {

/// The numbers by which logs name a thread.
struct ThreadNumbers {
    unsigned long handle;  ///< of the thread library
    unsigned long number;  ///< of the system
};

/// Returns the numbers of the calling thread.
[[nodiscard]] CUBIND_EXPORT ThreadNumbers this_thread_numbers() noexcept;

}  // namespace CUBIND_NAMESPACE::detail
