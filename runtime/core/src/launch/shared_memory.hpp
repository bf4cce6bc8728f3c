// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream.hpp>
#include <cubind/driver/types.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace cubind::detail {

/// How much dynamic shared memory a kernel's launches may ask for. More than the 48 KB that static and dynamic shared memory have together
/// has to be allowed for each device, which happens before the first launch that needs it. Any thread may use it.
class SharedMemoryAllowance {
public:
    /// Whether a launch with so many bytes needs no preparation; what every launch asks.
    bool covers(std::size_t size) const noexcept { return size <= usual_.load(std::memory_order_relaxed); }

    /// Allows the kernel as much as the stream's device has, if so many bytes need that. What the device does not have, the launch will
    /// be refused. Throws std::invalid_argument for a size that no launch can express.
    void prepare(StreamRef stream, driver::CUkernel kernel, std::size_t size);

private:
    void note_usual(unsigned int size) noexcept;

    // What needs nothing on any device seen so far; 0 until one was.
    std::atomic<unsigned int> usual_{0};
    // A bit for each device where all is allowed. Devices from the 64th on have none and are allowed it each time.
    std::atomic<std::uint64_t> allowed_on_{0};
};

}  // namespace cubind::detail
