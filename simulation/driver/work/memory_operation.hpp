// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "objects/context/context.hpp"
#include "work/operation_memory.hpp"
#include "work/plan.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A wait for a value in memory, a write of a value, or a barrier, which has no effect because the work of a stream runs in
/// order.
class MemoryOperation {
public:
    /// Reads the parameters. Returns CUDA_ERROR_INVALID_VALUE if they are invalid.
    static driver::CUresult parse(const driver::CUstreamBatchMemOpParams& parameters, MemoryOperation& operation);

    /// Checks the address of a node. Memory that an allocation node will allocate is valid, too. Memory that find() refuses is
    /// valid until the launch.
    driver::CUresult check(const OperationMemory& memory) const;
    /// Finds the memory and retains it. If `device` is null, any device that can access the memory performs the operation. Like
    /// the driver, refuses managed memory and memory of a pool with CUDA_ERROR_INVALID_VALUE.
    driver::CUresult find(const MemoryMap& memory, const Device* device);

    /// Performs the operation. A wait ends when the value satisfies the comparison, when the context is destroyed, or after a
    /// fault of the device.
    void perform(const Context& context) const;

private:
    enum class Kind { barrier, wait, write };

    bool is_satisfied() const noexcept;

    Kind kind_ = Kind::barrier;
    std::uintptr_t address_ = 0;
    std::size_t bytes_ = 4;
    std::uint64_t value_ = 0;
    unsigned comparison_ = 0;
    Operand place_;
};

/// Operations that a stream, or a node of a graph, performs one after the other.
struct MemoryOperations {
    static constexpr driver::CUgraphNodeType type = driver::CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;

    /// The most operations of one batch.
    static constexpr unsigned max_count = 256;

    /// Creates the operations that the parameters describe. Returns CUDA_ERROR_INVALID_VALUE if they are invalid.
    static driver::CUresult make(const driver::CUDA_BATCH_MEM_OP_NODE_PARAMS_v2& parameters, MemoryOperations& operations);

    driver::CUresult check(const OperationMemory& memory) const;
    driver::CUresult plan(Plan& plan) const;
    /// Returns whether an executable graph can replace the operations: their kinds must remain.
    bool can_update_to(const MemoryOperations& next) const noexcept;
    /// Returns the parameters of a node. The array in them is valid as long as this object exists.
    driver::CUDA_BATCH_MEM_OP_NODE_PARAMS_v2 parameters() const noexcept;

    /// Creates the work, which retains the memory. A wait ends if `in_context` is destroyed. See MemoryOperation::find().
    driver::CUresult make_work(const MemoryMap& memory, const Device* device, std::shared_ptr<const Context> in_context,
                               WorkQueue::Work& work) const;

    std::vector<driver::CUstreamBatchMemOpParams> requested;
    std::vector<MemoryOperation> operations;
    driver::CUcontext context = nullptr;
};

}  // namespace CUBIND_NAMESPACE::sim
