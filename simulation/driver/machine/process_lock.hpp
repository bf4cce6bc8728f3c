// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace CUBIND_NAMESPACE::sim {

/// The state of the process for checkpoints. While the process is not running, the calls of all its threads wait, except those
/// that read or change this state. Thread-safe.
class ProcessLock {
public:
    driver::CUprocessState state() const noexcept { return state_.load(std::memory_order_acquire); }
    /// Changes the state and returns true, or returns false if the current state is not `from`.
    bool change(driver::CUprocessState from, driver::CUprocessState to) {
        {
            const std::lock_guard lock(mutex_);
            if (state() != from) return false;
            state_.store(to, std::memory_order_release);
        }
        changed_.notify_all();
        return true;
    }
    /// Costs one load if the process is running.
    void wait_until_running() {
        if (state() != driver::CU_PROCESS_STATE_RUNNING) [[unlikely]]
            wait();
    }

private:
    void wait() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return state() == driver::CU_PROCESS_STATE_RUNNING; });
    }

    std::atomic<driver::CUprocessState> state_{driver::CU_PROCESS_STATE_RUNNING};
    std::mutex mutex_;
    std::condition_variable changed_;
};

}  // namespace CUBIND_NAMESPACE::sim
