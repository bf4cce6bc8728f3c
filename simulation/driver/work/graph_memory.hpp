// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>

#include "objects/memory/memory_map.hpp"
#include "objects/pool/pool.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The memory of an allocation node: fixed addresses, and memory at them while a launch has allocated it. Guarded by the lock of
/// graphs.
class GraphMemory {
public:
    /// Returns null if the address space is exhausted.
    static std::shared_ptr<GraphMemory> make(Device& own_device, std::size_t bytes, MemoryKind own_kind = MemoryKind::device);

    GraphMemory(Device& own_device, std::size_t bytes, MemoryKind own_kind, std::uintptr_t address);

    bool contains(std::uintptr_t address, std::size_t bytes) const noexcept {
        return address >= base && bytes <= size && address - base <= size - bytes;
    }
    /// Adds the memory, which these other devices may use, to the map. Returns CUDA_ERROR_INVALID_VALUE if a previous launch's
    /// memory was not freed.
    driver::CUresult allocate(MemoryMap& memory, std::vector<driver::CUdevice> users, std::shared_ptr<Allocation>& allocation);
    /// Frees the memory of a previous launch, unless the program has freed it.
    void free(MemoryMap& memory) const;

    Device& device;
    const std::size_t size;
    const MemoryKind kind;  ///< device or managed; managed memory uses no device memory
    const std::uintptr_t base;

private:
    struct Addresses;
    struct Charge;
    const std::shared_ptr<Addresses> addresses_;
    std::weak_ptr<Charge> charge_;
};

/// The memory of all allocation nodes, by address. Guarded by the lock of graphs.
class GraphMemories {
public:
    void add(const std::shared_ptr<GraphMemory>& memory);
    void clear() { memories_.clear(); }
    /// Returns the memory that begins at the address, or null.
    std::shared_ptr<GraphMemory> find(driver::CUdeviceptr address) const;
    /// Checks whether all these bytes belong to one allocation node.
    bool contains(std::uintptr_t address, std::size_t bytes) const;

private:
    std::map<std::uintptr_t, std::weak_ptr<GraphMemory>> memories_;
};

}  // namespace CUBIND_NAMESPACE::sim
