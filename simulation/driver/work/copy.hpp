// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/registry.hpp"
#include "work/operation_memory.hpp"
#include "work/plan.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A copy of a box.
struct CopyOperation {
    static constexpr driver::CUgraphNodeType type = driver::CU_GRAPH_NODE_TYPE_MEMCPY;

    /// Creates the copy that the parameters of a node describe. Returns CUDA_ERROR_INVALID_VALUE if it is empty, or one of its
    /// ends cannot exist.
    static driver::CUresult make(const driver::CUDA_MEMCPY_NODE_PARAMS& parameters,
                                 const Registry<driver::CUarray, Array>& arrays, CopyOperation& operation);

    driver::CUresult check(const OperationMemory& memory) const;
    driver::CUresult plan(Plan& plan) const;
    /// Returns whether an executable graph can replace this operation by `next`: the memory types of both ends and the number of
    /// dimensions must be the same.
    bool can_update_to(const CopyOperation& next, const OperationMemory& memory) const;
    /// Returns the parameters of a node that performs the copy.
    driver::CUDA_MEMCPY_NODE_PARAMS parameters() const;

    /// Finds the memory of both ends. If `device` is null, any device that can access the memory performs the copy.
    driver::CUresult find(const MemoryMap& memory, const Device* device, Operand& target, Operand& source) const;
    /// Performs the copy.
    void run(const Operand& target, const Operand& source) const;
    /// Returns the work of the copy. The work retains the memory.
    WorkQueue::Work work(const Operand& target, const Operand& source) const;
    /// Reads the source, and returns the work of writing it. The work retains the target.
    WorkQueue::Work staged_work(const Operand& target, const Operand& source) const;

    Place to;
    Place from;
    BoxExtent extent;
    /// Parameters from which make() created the copy; null for a copy by a stream, which may be captured.
    std::shared_ptr<const driver::CUDA_MEMCPY_NODE_PARAMS> requested = nullptr;
};

}  // namespace CUBIND_NAMESPACE::sim
