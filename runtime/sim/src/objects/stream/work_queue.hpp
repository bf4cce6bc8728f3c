// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "objects/stream/progress.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Work that is performed in order by one of the Workers, which the queue has while it has work. Thread-safe.
class WorkQueue : public std::enable_shared_from_this<WorkQueue> {
public:
    using Work = std::function<void()>;

    WorkQueue() : progress_(std::make_shared<Progress>()) {}

    /// Adds `work`, which may be empty. It starts after all previous work and after `prerequisites`, which must be
    /// older than this work. Returns false and adds nothing if no thread can be had.
    bool push(std::vector<Ticket> prerequisites, Work work);

    /// Returns the ticket of the latest piece of work.
    Ticket last_ticket() const noexcept { return {progress_, pushed_.load(std::memory_order_acquire)}; }
    /// Checks whether all work is done. Takes no lock.
    bool is_idle() const noexcept { return progress_->has_reached(pushed_.load(std::memory_order_acquire)); }

    /// Performs the work until none is left. Called by one worker at a time.
    void run();

    /// Checks whether the calling thread runs a host function, which a program submitted to a stream.
    static bool is_calling_host_function() noexcept;
    /// Calls a host function. In the meantime is_calling_host_function() is true on this thread.
    static void call_host_function(const Work& function);

private:
    struct Piece {
        std::vector<Ticket> prerequisites;
        Work work;
    };

    /// Polls for more work for a moment before the worker leaves, and yields to other threads.
    void poll_for_work() const;

    mutable std::mutex mutex_;
    std::deque<Piece> pieces_;
    std::atomic<std::uint64_t> pushed_{0};  ///< written under the lock
    bool has_worker_ = false;
    const std::shared_ptr<Progress> progress_;
};

}  // namespace CUBIND_NAMESPACE::sim
