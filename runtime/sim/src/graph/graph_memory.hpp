// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "memory/allocation.hpp"
#include "memory/pool.hpp"

namespace cubind::sim {

/// What an allocation node stands for: addresses of its own, and memory behind them while a launch has allocated it. Guarded by
/// the lock of graphs.
class GraphMemory {
public:
    /// Null where there are no such addresses left.
    static std::shared_ptr<GraphMemory> make(Device& on, std::size_t bytes);

    GraphMemory(Device& on, std::size_t bytes, std::uintptr_t address);

    bool contains(std::uintptr_t address, std::size_t bytes) const noexcept {
        return address >= base && bytes <= size && address - base <= size - bytes;
    }
    /// Makes the memory known to the machine. CUDA_ERROR_INVALID_VALUE while a former launch's is there and nobody frees it.
    CUresult allocate(std::shared_ptr<Allocation>& allocation);
    /// Takes away what a former launch allocated, if the program has not freed it.
    void release();

    Device& device;
    const std::size_t size;
    const std::uintptr_t base;

private:
    struct Addresses;
    struct Charge;
    const std::shared_ptr<Addresses> addresses_;
    std::weak_ptr<Charge> charge_;
};

}  // namespace cubind::sim
