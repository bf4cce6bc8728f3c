// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "device/device.hpp"

namespace cubind::sim {

class AdviceMap;
class Mapping;
class Pool;

enum class MemoryKind { device, host, managed, registered, mapped };

/// One piece of memory that the driver knows. Work that is under way keeps it, though the program may have freed it.
struct Allocation {
    ~Allocation();

    std::uintptr_t base = 0;
    std::size_t size = 0;
    MemoryKind kind = MemoryKind::device;
    CUcontext context = nullptr;     ///< that it ends with; null for memory of a pool, and for what is mapped
    Device* device = nullptr;        ///< on which it lies, or for which it was made
    unsigned flags = 0;              ///< as the program gave them
    std::size_t charged = 0;         ///< bytes of the device's memory
    std::shared_ptr<Pool> pool;      ///< that it came from, if any
    std::shared_ptr<void> room;      ///< what its addresses belong to, where they are not its own
    std::shared_ptr<Mapping> mapping;  ///< of memory that the program has mapped here itself; otherwise null
    std::shared_ptr<AdviceMap> advice;  ///< for managed memory; otherwise null
    unsigned long long id = 0;
    bool is_of_module = false;       ///< a variable, which a program cannot free
    bool is_being_freed = false;     ///< by work of a stream; guarded by the map
    std::atomic<bool> sync_memops{false};  ///< as the program has set it

    bool contains(std::uintptr_t address, std::size_t bytes) const noexcept {
        return address >= base && bytes <= size && address - base <= size - bytes;
    }
};

/// Bytes of the device that an allocation of this size takes.
constexpr std::size_t device_granularity = 512;

}  // namespace cubind::sim
