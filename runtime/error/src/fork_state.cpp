// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "fork_state.hpp"

#include <cubind/detail/initialization.hpp>
#include <cubind/detail/library_function.hpp>
#include <cubind/driver/loading.hpp>

#include <atomic>

#include "platform/fork_hook.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

struct ForkState {
    std::atomic<bool> is_initialized{false};  // by this process
    bool is_child = false;                    // these three are written when the process has one thread
    bool has_parent_loaded = false;
    bool has_parent_initialized = false;
};
constinit ForkState state;

void continue_in_child(void*) noexcept {
    state.is_child = true;
    state.has_parent_loaded = state.has_parent_loaded || is_loaded(driver::library());
    state.has_parent_initialized = state.has_parent_initialized || state.is_initialized.load(std::memory_order_relaxed);
    state.is_initialized.store(false, std::memory_order_relaxed);
}

const ForkHook hook(nullptr, nullptr, continue_in_child);

}  // namespace

void note_initialization() noexcept {
    state.is_initialized.store(true, std::memory_order_relaxed);
}

bool is_child_of_fork() noexcept {
    return state.is_child;
}

bool has_parent_loaded_driver() noexcept {
    return state.has_parent_loaded;
}

bool has_parent_initialized_driver() noexcept {
    return state.has_parent_initialized;
}

}  // namespace CUBIND_NAMESPACE::detail
