// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/threads.hpp"

#include <atomic>

namespace CUBIND_NAMESPACE::layers {

unsigned this_thread_number() noexcept {
    static constinit std::atomic<unsigned> last{0};
    thread_local const unsigned number = last.fetch_add(1, std::memory_order_relaxed) + 1;
    return number;
}

std::chrono::nanoseconds time_since_start() noexcept {
    static const auto start = std::chrono::steady_clock::now();
    return std::chrono::steady_clock::now() - start;
}

}  // namespace CUBIND_NAMESPACE::layers
