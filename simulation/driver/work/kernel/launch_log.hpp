// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/strings.hpp>
#include <cubind/sim/launch.hpp>

#include <list>
#include <mutex>
#include <vector>

#include "support/report.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The latest launches, up to a limit. Reports failed launches on the standard error stream, because a status does not contain
/// the reason. Thread-safe.
class LaunchLog {
public:
    /// One launch, with the memory that the log needs for it.
    using Record = std::list<Launch>;

    explicit LaunchLog(std::size_t limit) : limit_(limit) {}

    void add(Launch launch) {
        Record record;
        record.push_back(std::move(launch));
        add(std::move(record));
    }
    /// Adds a record. Allocates no memory.
    void add(Record record) noexcept {
        const Launch& launch = record.front();
        if (!launch.problem.empty()) {
            report("kernel ", launch.name.c_str(), to_string(launch.status), launch.problem.c_str());
        }
        const std::lock_guard lock(mutex_);
        launches_.splice(launches_.end(), record);
        if (launches_.size() > limit_) record.splice(record.end(), launches_, launches_.begin());  // destroyed without the lock
    }
    std::vector<Launch> all() const {
        const std::lock_guard lock(mutex_);
        return {launches_.begin(), launches_.end()};
    }
    void clear() {
        Record all;
        const std::lock_guard lock(mutex_);
        launches_.swap(all);
    }

private:
    const std::size_t limit_;
    mutable std::mutex mutex_;
    std::list<Launch> launches_;
};

}  // namespace CUBIND_NAMESPACE::sim
