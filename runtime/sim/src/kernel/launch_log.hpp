// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/launch.hpp>

#include <deque>
#include <mutex>
#include <vector>

namespace CUBIND_NAMESPACE::sim {

/// The latest launches, up to a limit. Thread-safe.
class LaunchLog {
public:
    explicit LaunchLog(std::size_t limit) : limit_(limit) {}

    void add(Launch launch) {
        const std::lock_guard lock(mutex_);
        launches_.push_back(std::move(launch));
        if (launches_.size() > limit_) launches_.pop_front();
    }
    std::vector<Launch> all() const {
        const std::lock_guard lock(mutex_);
        return {launches_.begin(), launches_.end()};
    }
    void clear() {
        const std::lock_guard lock(mutex_);
        launches_.clear();
    }

private:
    const std::size_t limit_;
    mutable std::mutex mutex_;
    std::deque<Launch> launches_;
};

}  // namespace CUBIND_NAMESPACE::sim
