// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

namespace CUBIND_NAMESPACE::sim {

/// Polls for a moment until `is_done()` is true, and yields to other threads. Most work takes less time than it takes to block a
/// thread and to wake it.
template <class IsDone>
void poll_until(const IsDone& is_done) {
    if (is_done()) return;
    constexpr std::chrono::microseconds duration{20};
    const auto start = std::chrono::steady_clock::now();
    while (!is_done() && std::chrono::steady_clock::now() - start < duration) std::this_thread::yield();
}

/// Counts the completed pieces of work of a stream. Threads and other streams can wait for a count. Thread-safe.
class Progress {
public:
    Progress() = default;
    virtual ~Progress() = default;
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void advance() {
        {
            const std::lock_guard lock(mutex_);
            done_.fetch_add(1, std::memory_order_release);
        }
        changed_.notify_all();
    }
    bool has_reached(std::uint64_t number) const noexcept {
        return done_.load(std::memory_order_acquire) >= number || (is_elsewhere_ && has_reached_elsewhere(number));
    }
    void wait_for(std::uint64_t number) {
        poll_until([&] { return has_reached(number); });
        while (is_elsewhere_ && !has_reached(number)) std::this_thread::sleep_for(std::chrono::microseconds(100));
        if (has_reached(number)) return;
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return has_reached(number); });
    }

protected:
    /// Work of other processes, which do not call advance(): has_reached_elsewhere() returns whether it is done.
    struct Elsewhere {};
    explicit Progress(Elsewhere) noexcept : is_elsewhere_(true) {}
    virtual bool has_reached_elsewhere(std::uint64_t) const noexcept { return false; }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<std::uint64_t> done_{0};
    const bool is_elsewhere_ = false;
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
