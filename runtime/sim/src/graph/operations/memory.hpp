// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "graph/plan.hpp"

namespace cubind::sim {

/// Memory that each launch allocates, always at the same address.
struct AllocOperation {
    static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;

    /// Finds addresses for what is asked for, and writes them there.
    static CUresult make(CUDA_MEM_ALLOC_NODE_PARAMS_v2& wanted, AllocOperation& operation);

    CUresult check() const noexcept { return memory != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
    CUresult plan(Plan& plan) const;
    bool may_become(const AllocOperation& next) const noexcept { return wanted.bytesize == next.wanted.bytesize; }
    /// What was asked for; the array in it lives as long as this does.
    CUDA_MEM_ALLOC_NODE_PARAMS_v2 parameters() const;

    CUDA_MEM_ALLOC_NODE_PARAMS_v2 wanted;
    std::vector<CUmemAccessDesc> access;
    std::shared_ptr<GraphMemory> memory;
};

/// The end of such memory.
struct FreeOperation {
    static constexpr CUgraphNodeType type = CU_GRAPH_NODE_TYPE_MEM_FREE;

    CUresult check() const noexcept { return memory != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
    CUresult plan(Plan& plan) const;
    bool may_become(const FreeOperation& next) const noexcept { return memory->base == next.memory->base; }

    std::shared_ptr<GraphMemory> memory;
};

}  // namespace cubind::sim
