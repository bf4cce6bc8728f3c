// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "objects/device/device.hpp"
#include "objects/pool/memory_kind.hpp"

namespace CUBIND_NAMESPACE::sim {

class AdviceMap;
class Mapping;
class Pool;

/// An allocation that the driver manages. Submitted work retains it, even if the program frees it in the meantime.
struct Allocation {
    ~Allocation();

    std::uintptr_t base = 0;
    std::size_t size = 0;
    MemoryKind kind = MemoryKind::device;
    driver::CUcontext context =
        nullptr;                        ///< context whose end frees the memory; null for memory of a pool, and for mapped memory
    unsigned long long context_id = 0;  ///< Context::id of this context; 0 without one
    std::vector<driver::CUdevice> users;  ///< other devices that kernels may use memory of a graph on
    Device* device = nullptr;             ///< device that has the memory, or for which it was allocated
    unsigned flags = 0;                   ///< flags of the allocating call
    std::size_t charged = 0;              ///< bytes charged to the device or the pool
    std::shared_ptr<Pool> pool;           ///< pool of the memory; null if none
    std::shared_ptr<void> address_owner;  ///< owner of the addresses, if they are not the allocation's own
    std::shared_ptr<Mapping> mapping;     ///< mapping of memory that the program mapped here; otherwise null
    std::shared_ptr<AdviceMap> advice;    ///< advice for managed memory; otherwise null
    unsigned long long id = 0;
    bool is_module_variable = false;       ///< whether it is a variable of a module, which a program cannot free
    bool is_read_only = false;             ///< whether devices must not write it
    bool is_constant = false;              ///< whether the variable is in the state space .const
    bool is_kernel_heap = false;           ///< whether a kernel allocated it, so that only kernels can free it
    bool is_being_freed = false;           ///< whether a stream will free it; guarded by the memory map
    std::atomic<bool> sync_memops{false};  ///< CU_POINTER_ATTRIBUTE_SYNC_MEMOPS as the program has set it

    bool contains(std::uintptr_t address, std::size_t bytes) const noexcept {
        return address >= base && bytes <= size && address - base <= size - bytes;
    }
};

/// Allocations use device memory in multiples of this many bytes.
constexpr std::size_t device_granularity = 512;

}  // namespace CUBIND_NAMESPACE::sim
