// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <string>

namespace CUBIND_NAMESPACE::system::detail {

/// Returns a timeout as NVML expects it. Timeouts above its greatest, 49 days, become the greatest. Throws std::invalid_argument
/// if it is negative.
inline unsigned int milliseconds_of(std::chrono::milliseconds timeout) {
    if (timeout.count() < 0) {
        throw std::invalid_argument("a timeout of " + std::to_string(timeout.count()) +
                                    " ms is negative: pass 0 to return at once");
    }
    using Count = std::chrono::milliseconds::rep;
    return static_cast<unsigned int>(std::min<Count>(timeout.count(), std::numeric_limits<unsigned int>::max()));
}

/// Throws std::invalid_argument for a set of events that was closed or moved from.
inline void check_open(bool is_closed, const char* class_name) {
    if (is_closed) {
        throw std::invalid_argument("this " + std::string(class_name) + " was moved from or closed: create a new one");
    }
}

}  // namespace CUBIND_NAMESPACE::system::detail
