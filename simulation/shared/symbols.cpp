// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "shared/symbols.hpp"

#include <atomic>
#include <cstddef>

namespace CUBIND_NAMESPACE::sim {

namespace {

constinit std::atomic<unsigned long> counts[max_symbols] = {};

}  // namespace

void count_unsupported_call(std::size_t index) noexcept {
    counts[index].fetch_add(1, std::memory_order_relaxed);
}

unsigned long unsupported_calls(std::size_t index) noexcept {
    return counts[index].load(std::memory_order_relaxed);
}

void reset_unsupported_calls() noexcept {
    for (auto& count : counts) count.store(0, std::memory_order_relaxed);
}

}  // namespace CUBIND_NAMESPACE::sim
