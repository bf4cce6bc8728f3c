// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/stream/run_loop.hpp>

#include <condition_variable>
#include <mutex>
#include <new>

#include "platform/fork_hook.hpp"

namespace CUBIND_NAMESPACE {

struct RunLoop::State {
    // The queue is destroyed in a loop, because the functions of a long queue would be destroyed recursively.
    ~State() {
        while (first != nullptr) (void)take();
    }

    std::unique_ptr<detail::QueuedFunction> take() noexcept {
        std::unique_ptr<detail::QueuedFunction> taken = std::move(first);
        first = std::move(taken->next);
        if (first == nullptr) last = nullptr;
        --size;
        return taken;
    }
    /// Calls the first function without the lock, and destroys it.
    void call_first(std::unique_lock<std::mutex>& lock) {
        struct Relock {
            ~Relock() { lock.lock(); }
            std::unique_lock<std::mutex>& lock;
        };
        std::unique_ptr<detail::QueuedFunction> function = take();
        lock.unlock();
        const Relock relock{lock};
        const std::unique_ptr<detail::QueuedFunction> called = std::move(function);  // destroyed before the lock is taken again
        called->call();
    }

    // A forked child has no other threads. To destroy a condition variable on which one of them waited would take forever.
    static void continue_in_child(void* self) noexcept {
        auto& state = *static_cast<State*>(self);
        new (&state.changed) std::condition_variable;
        state.is_of_parent = true;
    }

    std::mutex mutex;
    std::condition_variable changed;
    std::unique_ptr<detail::QueuedFunction> first;
    detail::QueuedFunction* last = nullptr;
    std::size_t size = 0;
    bool is_finished = false;
    bool is_of_parent = false;
    detail::ForkHook hook{&mutex, this, continue_in_child};
};

RunLoop::RunLoop() : state_(std::make_unique<State>()) {}

RunLoop::~RunLoop() = default;

// Notifies under the lock: the function may make run() return and the program destroy the loop, before this call returns.
void RunLoop::add(std::unique_ptr<detail::QueuedFunction> function) noexcept {
    const std::lock_guard lock(state_->mutex);
    detail::QueuedFunction* const added = function.get();
    (state_->last != nullptr ? state_->last->next : state_->first) = std::move(function);
    state_->last = added;
    ++state_->size;
    state_->changed.notify_one();
}

void RunLoop::run() {
    std::unique_lock lock(state_->mutex);
    for (;;) {
        state_->changed.wait(lock, [this] { return state_->first != nullptr || state_->is_finished; });
        if (state_->first == nullptr) return;
        state_->call_first(lock);
    }
}

std::size_t RunLoop::run_ready() {
    std::unique_lock lock(state_->mutex);
    std::size_t called = 0;
    for (std::size_t left = state_->size; left > 0 && state_->first != nullptr; --left) {
        state_->call_first(lock);
        ++called;
    }
    return called;
}

bool RunLoop::is_of_parent() const noexcept {
    return state_->is_of_parent;
}

void RunLoop::finish() noexcept {
    const std::lock_guard lock(state_->mutex);
    state_->is_finished = true;
    state_->changed.notify_all();
}

}  // namespace CUBIND_NAMESPACE
