// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

namespace CUBIND_NAMESPACE::sim {

/// Counts the completed pieces of work of a stream. Threads and other streams can wait for a count. Thread-safe.
class Progress {
public:
    void advance() {
        {
            const std::lock_guard lock(mutex_);
            done_.fetch_add(1, std::memory_order_release);
        }
        changed_.notify_all();
    }
    bool has_reached(std::uint64_t number) const noexcept { return done_.load(std::memory_order_acquire) >= number; }
    void wait_for(std::uint64_t number) {
        if (has_reached(number)) return;
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return has_reached(number); });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<std::uint64_t> done_{0};
};

/// Identifies a piece of work of a stream, to wait for it. A default-constructed ticket is always done.
struct Ticket {
    std::shared_ptr<Progress> progress;
    std::uint64_t number = 0;

    bool is_done() const noexcept { return progress == nullptr || progress->has_reached(number); }
    void wait() const {
        if (progress != nullptr) progress->wait_for(number);
    }
};

}  // namespace CUBIND_NAMESPACE::sim
