// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/fork.hpp"

#include <array>
#include <atomic>
#include <cstdlib>

namespace CUBIND_NAMESPACE::layers {

namespace {

constinit std::array<detail::StaticForkHook, 16> hooks;
constinit std::atomic<std::size_t> used{0};

}  // namespace

void hold_during_fork(ForkLevel level, void* object, const detail::ForkHook::Actions& actions) noexcept {
    const std::size_t index = used.fetch_add(1, std::memory_order_relaxed);
    if (index >= hooks.size()) std::abort();  // a layer was added without a larger table
    hooks[index].add(level, object, actions);
}

}  // namespace CUBIND_NAMESPACE::layers
