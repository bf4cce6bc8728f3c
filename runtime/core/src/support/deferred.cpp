// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/deferred.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace CUBIND_NAMESPACE::detail {

/// The thread and its queue. They are never destroyed, because callbacks may run until the process ends.
class DeferredThread {
public:
    static DeferredThread& get() {
        static DeferredThread* const thread = new DeferredThread;
        return *thread;
    }

    void add(Deferred* object) noexcept {
        const std::lock_guard lock(mutex_);
        *end_ = object;
        end_ = &object->next_;
        changed_.notify_all();
    }

    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return first_ == nullptr && !is_busy_ && unready_ == nullptr; });
    }

private:
    DeferredThread() {
        std::thread([this] { run(); }).detach();
    }

    [[noreturn]] void run() {
        constexpr std::chrono::milliseconds retry_interval(1);
        const auto is_filled = [&] { return first_ != nullptr; };
        std::unique_lock lock(mutex_);
        for (;;) {
            if (unready_ == nullptr) {
                changed_.wait(lock, is_filled);
            } else {
                changed_.wait_for(lock, retry_interval, is_filled);
            }
            *end_ = std::exchange(unready_, nullptr);
            Deferred* const all = std::exchange(first_, nullptr);
            end_ = &first_;
            is_busy_ = true;
            lock.unlock();
            Deferred* const unready = destroy_ready(all);
            lock.lock();
            unready_ = unready;
            is_busy_ = false;
            changed_.notify_all();
        }
    }

    // Destroys the objects that are ready and returns a list of the others.
    static Deferred* destroy_ready(Deferred* all) noexcept {
        Deferred* unready = nullptr;
        while (all != nullptr) {
            Deferred* const object = std::exchange(all, all->next_);
            if (object->is_ready()) {
                delete object;
            } else {
                object->next_ = std::exchange(unready, object);
            }
        }
        return unready;
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

void destroy_later(Deferred* object) noexcept {
    DeferredThread::get().add(object);
}

void retain_until_exit(Deferred* object) noexcept {
    static std::atomic<Deferred*> retained{nullptr};  // a list, so that leak checkers find the objects reachable
    object->next_ = retained.load(std::memory_order_relaxed);
    while (!retained.compare_exchange_weak(object->next_, object, std::memory_order_release, std::memory_order_relaxed)) {
    }
}

void wait_for_deferred() {
    DeferredThread::get().wait();
}

}  // namespace CUBIND_NAMESPACE::detail
