// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/strings.hpp>
#include <cubind/sim/launch.hpp>

#include <cstdio>
#include <deque>
#include <mutex>
#include <vector>

namespace CUBIND_NAMESPACE::sim {

/// The latest launches, up to a limit. Reports failed launches on the standard error stream, because a status does not contain
/// the reason. Thread-safe.
class LaunchLog {
public:
    explicit LaunchLog(std::size_t limit) : limit_(limit) {}

    void add(Launch launch) {
        if (!launch.problem.empty()) {
            std::fprintf(stderr, "cubind: simulated driver: kernel %s: %s: %s\n", launch.name.c_str(), to_string(launch.status),
                         launch.problem.c_str());
        }
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
