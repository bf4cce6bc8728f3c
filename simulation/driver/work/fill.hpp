// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "work/operation_memory.hpp"
#include "work/plan.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A fill of one or several rows with elements of 1, 2 or 4 bytes.
struct FillOperation {
    static constexpr driver::CUgraphNodeType type = driver::CU_GRAPH_NODE_TYPE_MEMSET;

    /// Creates the fill that the parameters of a node describe. Returns CUDA_ERROR_INVALID_VALUE if it cannot exist.
    static driver::CUresult make(const driver::CUDA_MEMSET_NODE_PARAMS_v2& parameters, FillOperation& operation);

    driver::CUresult check(const OperationMemory& memory) const;
    driver::CUresult plan(Plan& plan) const;
    /// Returns whether an executable graph can replace this operation by `next`: the number of dimensions must be the same.
    bool can_update_to(const FillOperation& next) const noexcept { return (extent.height > 1) == (next.extent.height > 1); }
    /// Returns the parameters of a node that performs the fill.
    driver::CUDA_MEMSET_NODE_PARAMS_v2 parameters() const noexcept;

    /// Creates the work of the fill, which retains the memory. If `device` is null, any device that can access the memory
    /// performs it.
    driver::CUresult make_work(const MemoryMap& memory, const Device* device, WorkQueue::Work& work) const;

    Place to;
    BoxExtent extent;  ///< its width is in bytes
    unsigned value = 0;
    std::size_t size = 1;  ///< bytes of an element
    driver::CUcontext context = nullptr;
};

}  // namespace CUBIND_NAMESPACE::sim
