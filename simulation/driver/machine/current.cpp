// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/current.hpp"

#include "machine/machine.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

struct ThreadState {
    unsigned long machine = 0;  ///< serial of the machine that the contexts belong to
    std::vector<CurrentContext> stack;
};

// Destructors of global objects may call the driver after the thread-local objects of their thread are destroyed. They
// use a separate state with an initially empty stack.
constinit thread_local bool is_thread_state_destroyed = false;
constinit thread_local ThreadState* fallback_state = nullptr;

struct ThreadLocalState : ThreadState {
    ~ThreadLocalState() { is_thread_state_destroyed = true; }
};
thread_local ThreadLocalState this_thread;

ThreadState& thread_state() {
    if (!is_thread_state_destroyed) [[likely]]
        return this_thread;
    if (fallback_state == nullptr) fallback_state = new ThreadState;
    return *fallback_state;
}

}  // namespace

std::vector<CurrentContext>& context_stack() {
    ThreadState& state = thread_state();
    if (state.machine != machine().serial) {
        state.stack.clear();
        state.machine = machine().serial;
    }
    return state.stack;
}

Context* current_context() noexcept {
    const auto& stack = context_stack();
    return stack.empty() ? nullptr : stack.back().context.get();
}

std::shared_ptr<GreenContext> current_green() {
    const auto& stack = context_stack();
    return stack.empty() ? nullptr : stack.back().green;
}

CurrentContext find_context(CUcontext handle) {
    auto context = machine().contexts.find(handle);
    if (context == nullptr || context->handle == handle) return {std::move(context), nullptr};
    return {std::move(context), machine().green_contexts.find_if([&](const auto& green) { return green.view == handle; })};
}

}  // namespace CUBIND_NAMESPACE::sim
