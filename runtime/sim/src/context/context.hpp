// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <set>

#include "device/device.hpp"
#include "stream/stream_order.hpp"

namespace cubind::sim {

/// A context, primary or created. Whoever has found it keeps it, but it is of no use once it is not alive. Thread-safe.
class Context {
public:
    Context(CUcontext own_handle, Device& own_device, unsigned own_flags, unsigned own_version);

    bool is_alive() const noexcept { return alive_.load(std::memory_order_acquire); }
    /// Nobody can use it any more, and its streams wait no longer for values in memory.
    void give_up_waiting() noexcept { alive_.store(false, std::memory_order_release); }
    /// Does the same, waits for all of its work, and destroys streams, events and memory that belong to it.
    void shut_down();
    /// Makes a primary context that was shut down usable again.
    void revive() { alive_.store(true, std::memory_order_release); }

    const CUcontext handle;
    Device& device;
    const unsigned version;  ///< of the API
    const unsigned long long id;
    std::atomic<unsigned> flags;
    StreamOrder order;

    /// What a program has set; guards all below.
    std::mutex settings_mutex;
    std::array<std::size_t, CU_LIMIT_MAX> limits;
    CUfunc_cache cache = CU_FUNC_CACHE_PREFER_NONE;
    CUsharedconfig shared_memory = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    std::set<unsigned long long> peers;  ///< ids of contexts whose memory this one may access

private:
    std::atomic<bool> alive_{true};
};

}  // namespace cubind::sim
