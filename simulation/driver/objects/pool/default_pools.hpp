// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "objects/pool/pool.hpp"
#include "support/registry.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The default pools of all places but the memory of devices, each with the pool that is current in its place. A default pool is
/// created at its first use. Thread-safe.
class DefaultPools {
public:
    /// `pools` registers new default pools.
    DefaultPools(Registry<driver::CUmemoryPool, Pool>& pools, const Devices& devices) : pools_(pools), devices_(devices) {}

    /// Returns the default pool of a place, which must exist.
    std::shared_ptr<Pool> standard(const PoolPlace& place) {
        const std::lock_guard lock(mutex_);
        return pair(place).standard;
    }
    /// Returns the current pool of a place, which must exist.
    std::shared_ptr<Pool> current(const PoolPlace& place) {
        const std::lock_guard lock(mutex_);
        return pair(place).current;
    }
    /// Makes a pool current in its place.
    void set_current(const std::shared_ptr<Pool>& pool) {
        const std::lock_guard lock(mutex_);
        pair(pool->place).current = pool;
    }
    /// Makes the default pool current if the current pool of its place is being destroyed.
    void remove(const Pool& pool) {
        const std::lock_guard lock(mutex_);
        const auto found = pairs_.find(pool.place);
        if (found != pairs_.end() && found->second.current.get() == &pool) found->second.current = found->second.standard;
    }

private:
    struct Pair {
        std::shared_ptr<Pool> standard;
        std::shared_ptr<Pool> current;
    };

    Pair& pair(const PoolPlace& place);

    Registry<driver::CUmemoryPool, Pool>& pools_;
    const Devices& devices_;
    std::mutex mutex_;
    std::map<PoolPlace, Pair> pairs_;
};

}  // namespace CUBIND_NAMESPACE::sim
