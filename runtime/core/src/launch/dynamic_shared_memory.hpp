// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace CUBIND_NAMESPACE::detail {

/// The limit on the dynamic shared memory of a kernel's launches. Static and dynamic shared memory together are limited to 48 KB
/// unless the limit is raised on the device; this class raises it before the first launch that needs more. Any thread may use it.
class DynamicSharedMemoryLimit {
public:
    /// Returns whether a launch with `size` bytes needs no preparation. Every launch calls it.
    bool covers(std::size_t size) const noexcept { return size <= default_limit_.load(std::memory_order_relaxed); }

    /// Raises the kernel's limit to what the stream's device allows if a launch with `size` bytes needs that
    /// (cuKernelSetAttribute). If the device does not allow `size` bytes, does nothing, because the driver refuses the launch.
    /// Throws std::invalid_argument for a size of more than 32 bits.
    void prepare(StreamRef stream, driver::CUkernel kernel, std::size_t size);
    /// Raises the limit on the device with this ordinal.
    void prepare(int ordinal, driver::CUkernel kernel, std::size_t size);

private:
    void record_default_limit(unsigned int size) noexcept;

    // The size that needs no preparation on any device seen so far; 0 until a device was seen.
    std::atomic<unsigned int> default_limit_{0};
    // One bit for each device on which the limit was raised. Devices from the 64th on have no bit: their limit is raised each
    // time.
    std::atomic<std::uint64_t> raised_on_{0};
};

}  // namespace CUBIND_NAMESPACE::detail
