// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>

#include "ptx/run/memory.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// The memory that kernels allocate by malloc(). Allocations outlive the launch. Thread-safe.
class DeviceHeap {
public:
    DeviceHeap(GlobalMemory& memory, std::size_t limit) : memory_(memory), limit_(limit) {}

    /// Returns the address of new memory, or 0 if the limit or the memory of the host is exhausted.
    std::uint64_t allocate(std::uint64_t bytes);
    /// Frees memory. Returns false if no allocation has this address.
    bool free(std::uint64_t address);

private:
    GlobalMemory& memory_;
    const std::size_t limit_;
    std::mutex mutex_;
    std::size_t used_ = 0;
    std::map<std::uint64_t, std::size_t> sizes_;
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
