// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "work/graph_memory.hpp"
#include "work/place.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The memory that an operation can refer to. Guarded by the lock of graphs.
struct OperationMemory {
    MemoryMap& map;
    GraphMemories& graph_memories;  ///< memory that allocation nodes will allocate
};

/// Checks one end of a copy or a fill. Memory that an allocation node will allocate is valid, too.
inline driver::CUresult check_place(const OperationMemory& memory, const Place& place, const BoxExtent& extent, bool writes) {
    std::size_t bytes = 0;
    const bool is_address = place.array == nullptr && place.span(extent, bytes);
    if (is_address && memory.graph_memories.contains(place.address, bytes)) return driver::CUDA_SUCCESS;
    Operand operand;
    return find_place(memory.map, place, extent, {nullptr, writes}, operand);
}

}  // namespace CUBIND_NAMESPACE::sim
