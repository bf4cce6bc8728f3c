// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "stream/progress.hpp"

namespace cubind::sim {

/// Work that is done in order on a thread of its own, which starts with the first piece and ends once the queue is closed and
/// empty. Thread-safe.
class WorkQueue : public std::enable_shared_from_this<WorkQueue> {
public:
    using Work = std::function<void()>;

    WorkQueue() : progress_(std::make_shared<Progress>()) {}

    /// Has `work`, which may be empty, done after everything before it and after `prerequisites`, all of them older than it.
    void push(std::vector<Ticket> prerequisites, Work work);

    /// The newest piece.
    Ticket last() const noexcept { return {progress_, pushed_.load(std::memory_order_acquire)}; }
    /// Whether all work is done. Takes no lock.
    bool is_idle() const noexcept { return progress_->reached(pushed_.load(std::memory_order_acquire)); }

    /// Nothing more is expected to come: the thread ends with the work that is there.
    void close();
    /// Closed, and all work done.
    bool is_spent() const;

    /// Waits until no queue of the process has a thread any more; all must have been closed.
    static void wait_for_all_workers();

    /// Whether the calling thread is within a host function that a program gave to a stream.
    static bool is_calling_host_function() noexcept;
    /// Calls a program's function so that is_calling_host_function() knows.
    static void call_host_function(const Work& function);

private:
    struct Piece {
        std::vector<Ticket> prerequisites;
        Work work;
    };

    void start_worker();
    void run();
    /// Gives more work a moment to come before the thread sleeps, while others may run.
    void look_for_more() const;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Piece> pieces_;
    std::atomic<std::uint64_t> pushed_{0};  ///< written under the lock
    bool has_worker_ = false;
    bool is_closed_ = false;
    const std::shared_ptr<Progress> progress_;
};

}  // namespace cubind::sim
