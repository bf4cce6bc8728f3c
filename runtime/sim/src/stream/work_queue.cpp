// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "stream/work_queue.hpp"

#include <chrono>
#include <thread>

namespace CUBIND_NAMESPACE::sim {

namespace {

constinit thread_local bool is_in_host_function = false;

// Counts the worker threads of the process. Never destroyed, because workers may outlive main().
struct Workers {
    std::mutex mutex;
    std::condition_variable changed;
    int count = 0;
};

Workers& workers() {
    static Workers& all = *new Workers;
    return all;
}

}  // namespace

void WorkQueue::push(std::vector<Ticket> prerequisites, Work work) {
    {
        const std::lock_guard lock(mutex_);
        pieces_.push_back({std::move(prerequisites), std::move(work)});
        pushed_.fetch_add(1, std::memory_order_release);
        if (!has_worker_) start_worker();
    }
    changed_.notify_one();
}

void WorkQueue::close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    changed_.notify_one();
}

bool WorkQueue::is_finished() const {
    const std::lock_guard lock(mutex_);
    return is_closed_ && is_idle();
}

void WorkQueue::start_worker() {
    has_worker_ = true;
    {
        const std::lock_guard lock(workers().mutex);
        ++workers().count;
    }
    std::thread([self = shared_from_this()]() mutable {
        self->run();
        self.reset();
        const std::lock_guard lock(workers().mutex);
        --workers().count;
        workers().changed.notify_all();
    }).detach();
}

void WorkQueue::run() {
    std::deque<Piece> ready;
    for (;;) {
        poll_for_work();
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return is_closed_ || !pieces_.empty(); });
            if (pieces_.empty()) {
                has_worker_ = false;  // later work starts another worker
                return;
            }
            ready.swap(pieces_);
        }
        for (Piece& piece : ready) {
            for (const Ticket& prerequisite : piece.prerequisites) prerequisite.wait();
            if (piece.work) piece.work();
            piece = {};  // releases what the work retains before the ticket is done
            progress_->advance();
        }
        ready.clear();
    }
}

void WorkQueue::poll_for_work() const {
    // Waking a thread costs the caller more than the rest of a call, so the worker polls for a moment first.
    constexpr std::chrono::microseconds poll_duration{20};
    const auto start = std::chrono::steady_clock::now();
    while (is_idle() && std::chrono::steady_clock::now() - start < poll_duration) std::this_thread::yield();
}

void WorkQueue::wait_for_all_workers() {
    std::unique_lock lock(workers().mutex);
    workers().changed.wait(lock, [] { return workers().count == 0; });
}

bool WorkQueue::is_calling_host_function() noexcept {
    return is_in_host_function;
}

void WorkQueue::call_host_function(const Work& function) {
    is_in_host_function = true;
    function();
    is_in_host_function = false;
}

}  // namespace CUBIND_NAMESPACE::sim
