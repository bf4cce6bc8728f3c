// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/calls.hpp"

#include <array>
#include <atomic>
#include <cstddef>

namespace CUBIND_NAMESPACE::sim {

namespace {

// Threads count in different cache lines.
struct alignas(64) Counter {
    std::atomic<long> scopes{0};
};
constinit std::array<Counter, 32> counters{};
constinit std::atomic<std::size_t> next_counter{0};

struct ThreadScopes {
    Counter* counter = nullptr;
    long depth = 0;
};
constinit thread_local ThreadScopes this_thread;

}  // namespace

CallScope::CallScope() noexcept {
    if (this_thread.counter == nullptr) [[unlikely]] {
        this_thread.counter = &counters[next_counter.fetch_add(1, std::memory_order_relaxed) % counters.size()];
    }
    // Sequentially consistent, so that it is visible before the locks are.
    if (this_thread.depth++ == 0) this_thread.counter->scopes.fetch_add(1);
}

CallScope::~CallScope() {
    if (--this_thread.depth == 0) this_thread.counter->scopes.fetch_sub(1);
}

bool are_other_threads_in_calls() noexcept {
    long scopes = this_thread.depth > 0 ? -1 : 0;
    for (const Counter& each : counters) scopes += each.scopes.load();
    return scopes != 0;
}

}  // namespace CUBIND_NAMESPACE::sim
