// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/deferred.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

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
        changed_.wait(lock, [&] { return first_ == nullptr && !is_busy_; });
    }

private:
    DeferredThread() { std::thread([this] { run(); }).detach(); }

    [[noreturn]] void run() {
        std::unique_lock lock(mutex_);
        for (;;) {
            changed_.wait(lock, [&] { return first_ != nullptr; });
            Deferred* all = first_;
            first_ = nullptr;
            end_ = &first_;
            is_busy_ = true;
            lock.unlock();
            while (all != nullptr) {
                Deferred* const next = all->next_;
                delete all;
                all = next;
            }
            lock.lock();
            is_busy_ = false;
            changed_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    Deferred* first_ = nullptr;
    Deferred** end_ = &first_;
    bool is_busy_ = false;
};

void prepare_to_defer() {
    (void)DeferredThread::get();
}

void destroy_later(Deferred* what) noexcept {
    DeferredThread::get().add(what);
}

void wait_for_deferred() {
    DeferredThread::get().wait();
}

}  // namespace cubind::detail
