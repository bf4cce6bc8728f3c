// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "work/plan.hpp"

namespace CUBIND_NAMESPACE::sim {

/// An allocation that each launch performs, always at the same address.
struct AllocOperation {
    static constexpr driver::CUgraphNodeType type = driver::CU_GRAPH_NODE_TYPE_MEM_ALLOC;

    /// Checks the parameters of a node, reserves addresses, and writes them to the parameters.
    static driver::CUresult make(driver::CUDA_MEM_ALLOC_NODE_PARAMS_v2& requested, const Devices& devices,
                                 AllocOperation& operation);

    driver::CUresult check() const noexcept {
        return memory != nullptr ? driver::CUDA_SUCCESS : driver::CUDA_ERROR_INVALID_VALUE;
    }
    driver::CUresult plan(Plan& plan) const;
    bool can_update_to(const AllocOperation& next) const noexcept { return requested.bytesize == next.requested.bytesize; }
    /// Returns the parameters. The array in them is valid as long as this operation exists.
    driver::CUDA_MEM_ALLOC_NODE_PARAMS_v2 parameters() const;

    driver::CUDA_MEM_ALLOC_NODE_PARAMS_v2 requested;
    std::vector<driver::CUmemAccessDesc> access;
    std::shared_ptr<GraphMemory> memory;
};

/// A free of memory that an allocation node allocates.
struct FreeOperation {
    static constexpr driver::CUgraphNodeType type = driver::CU_GRAPH_NODE_TYPE_MEM_FREE;

    driver::CUresult check() const noexcept {
        return memory != nullptr ? driver::CUDA_SUCCESS : driver::CUDA_ERROR_INVALID_VALUE;
    }
    driver::CUresult plan(Plan& plan) const;
    bool can_update_to(const FreeOperation& next) const noexcept { return memory->base == next.memory->base; }

    std::shared_ptr<GraphMemory> memory;
};

}  // namespace CUBIND_NAMESPACE::sim
