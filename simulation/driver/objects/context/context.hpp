// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>

#include "objects/context/coredump_settings.hpp"
#include "objects/context/stream_order.hpp"
#include "objects/device/device.hpp"

namespace CUBIND_NAMESPACE::sim {

class MemoryMap;

/// A primary or created context. Threads that have found it may retain it, but it is usable only while it is alive.
/// Thread-safe.
class Context {
public:
    Context(driver::CUcontext own_handle, Device& own_device, MemoryMap& own_memory, unsigned own_flags, unsigned own_version,
            CoredumpSettings own_coredump);

    bool is_alive() const noexcept { return alive_.load(std::memory_order_acquire); }
    /// Makes the context unusable. Its streams stop waiting for values in memory. Its kernels are interrupted if they still run
    /// after `time_of_kernels`.
    void deactivate(std::chrono::seconds time_of_kernels) noexcept;
    /// Checks whether the context was deactivated and the time of its kernels is over.
    bool must_kernels_end() const noexcept { return !is_alive() && Clock::now() >= end_of_kernels_.load(); }
    /// Makes a primary context usable again, with the default settings and these for core dumps, after it was shut down.
    void reactivate(CoredumpSettings new_coredump);

    const driver::CUcontext handle;
    Device& device;
    MemoryMap& memory;       ///< allocations of all contexts
    const unsigned version;  ///< version of the API
    const unsigned long long id;
    std::atomic<unsigned> flags;
    StreamOrder order;

    /// Settings by the program; the mutex guards all members below.
    std::mutex settings_mutex;
    std::array<std::size_t, driver::CU_LIMIT_MAX> limits;
    driver::CUfunc_cache cache = driver::CU_FUNC_CACHE_PREFER_NONE;
    driver::CUsharedconfig shared_memory = driver::CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    CoredumpSettings coredump;
    std::set<unsigned long long> peers;  ///< IDs of the contexts whose memory this context may access

private:
    using Clock = std::chrono::steady_clock;

    void reset_settings();

    std::atomic<bool> alive_{true};
    std::atomic<Clock::time_point> end_of_kernels_{};  ///< valid while the context is not alive
};

/// Checks whether it is the primary context of its device, active or not.
bool is_primary(const Context& context);

/// Checks the flags of a context. At most one scheduling flag may be set.
inline bool are_context_flags_valid(unsigned flags) noexcept {
    const unsigned schedule = flags & unsigned{driver::CU_CTX_SCHED_MASK};
    return (flags & ~unsigned{driver::CU_CTX_FLAGS_MASK}) == 0 && (schedule & (schedule - 1)) == 0;
}

}  // namespace CUBIND_NAMESPACE::sim
