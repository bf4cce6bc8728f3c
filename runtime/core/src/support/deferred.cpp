// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/deferred.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace cubind::detail {

/// The thread and its queue. They are never destroyed: callbacks may come until the very end of the process.
class DeferredThread {
public:
    static DeferredThread& get() {
        static DeferredThread* const thread = new DeferredThread;
        return *thread;
    }

    void add(Deferred* what) noexcept {
        const std::lock_guard lock(mutex_);
        *end_ = what;
        end_ = &what->next_;
        changed_.notify_all();
    }

    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return first_ == nullptr && !is_busy_ && unready_ == nullptr; });
    }

private:
    DeferredThread() { std::thread([this] { run(); }).detach(); }

    [[noreturn]] void run() {
        constexpr std::chrono::milliseconds until_asked_again(1);
        const auto has_some = [&] { return first_ != nullptr; };
        std::unique_lock lock(mutex_);
        for (;;) {
            if (unready_ == nullptr) {
                changed_.wait(lock, has_some);
            } else {
                changed_.wait_for(lock, until_asked_again, has_some);
            }
            *end_ = std::exchange(unready_, nullptr);
            Deferred* const all = std::exchange(first_, nullptr);
            end_ = &first_;
            is_busy_ = true;
            lock.unlock();
            Deferred* const left = destroy_ready(all);
            lock.lock();
            unready_ = left;
            is_busy_ = false;
            changed_.notify_all();
        }
    }

    // Returns the others.
    static Deferred* destroy_ready(Deferred* all) noexcept {
        Deferred* left = nullptr;
        while (all != nullptr) {
            Deferred* const each = std::exchange(all, all->next_);
            if (each->is_ready()) {
                delete each;
            } else {
                each->next_ = std::exchange(left, each);
            }
        }
        return left;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    Deferred* first_ = nullptr;
    Deferred** end_ = &first_;
    Deferred* unready_ = nullptr;
    bool is_busy_ = false;
};

void prepare_to_defer() {
    (void)DeferredThread::get();
}

void destroy_later(Deferred* what) noexcept {
    DeferredThread::get().add(what);
}

void keep_for_good(Deferred* what) noexcept {
    static std::atomic<Deferred*> kept{nullptr};  // where leak checkers find it
    what->next_ = kept.load(std::memory_order_relaxed);
    while (!kept.compare_exchange_weak(what->next_, what, std::memory_order_release, std::memory_order_relaxed)) {
    }
}

void wait_for_deferred() {
    DeferredThread::get().wait();
}

}  // namespace cubind::detail
