// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/stream/work_queue.hpp"

#include <chrono>
#include <thread>

#include "objects/stream/workers.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constinit thread_local bool is_in_host_function = false;

}  // namespace

bool WorkQueue::push(std::vector<Ticket> prerequisites, Work work) {
    Piece piece{std::move(prerequisites), std::move(work)};  // destroyed without the lock if it is not added
    const std::lock_guard lock(mutex_);
    pieces_.emplace_back();
    if (!has_worker_) {
        try {
            has_worker_ = Workers::instance().assign(shared_from_this());
        } catch (...) {
            pieces_.pop_back();
            throw;
        }
    }
    if (!has_worker_) {
        pieces_.pop_back();
        return false;
    }
    pieces_.back() = std::move(piece);
    pushed_.fetch_add(1, std::memory_order_release);
    return true;
}

void WorkQueue::run() {
    std::deque<Piece> ready;
    for (;;) {
        poll_for_work();
        {
            const std::lock_guard lock(mutex_);
            if (pieces_.empty()) {
                has_worker_ = false;  // later work is assigned to another worker
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
    // Assigning a worker costs the caller more than the rest of a call, so the worker polls for a moment first.
    constexpr std::chrono::microseconds poll_duration{20};
    const auto start = std::chrono::steady_clock::now();
    while (is_idle() && std::chrono::steady_clock::now() - start < poll_duration) std::this_thread::yield();
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
