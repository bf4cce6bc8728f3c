// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/core/graph/memory_operation_node.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/driver/graph.hpp>

#include "calls/driver.hpp"
#include "graph/operation_nodes.hpp"
#include "memory/memory_operations.hpp"

namespace CUBIND_NAMESPACE {

namespace {

/// The parameters of a node, and what the node retains.
class MemoryOperationParameters {
public:
    MemoryOperationParameters(std::span<const MemoryOperation> operations, ContextRef context)
        : operations_(operations), array_(operations) {
        if (operations.empty()) {
            detail::throw_misuse(
                "a node for memory operations needs at least 1 operation, but there are 0: add an empty() node "
                "instead");
        }
        native_ = {context.native_handle(), array_.size(), array_.data(), 0};
    }
    MemoryOperationParameters(const MemoryOperationParameters&) = delete;
    MemoryOperationParameters& operator=(const MemoryOperationParameters&) = delete;

    const driver::CUDA_BATCH_MEM_OP_NODE_PARAMS* native() const noexcept { return &native_; }

    detail::NodeRecord record() const {
        detail::NodeObjects objects;
        for (const MemoryOperation& each : operations_) {
            const detail::MemoryView memory = detail::MemoryOperationAccess::memory(each);
            if (memory.buffer != nullptr) objects.retain(detail::share(*memory.buffer));
        }
        return {objects.take()};
    }

    void check_accepted(Result<driver::CUresult> called, const std::string& advice = {}) const {
        if (called.ok()) return;
        const ContextRef context(native_.ctx);
        detail::throw_rejected(called, operations_, context.device(), advice);
    }

private:
    std::span<const MemoryOperation> operations_;
    detail::OperationArray array_;
    driver::CUDA_BATCH_MEM_OP_NODE_PARAMS native_{};
};

}  // namespace

MemoryOperationNode GraphPosition::memory_operations(std::span<const MemoryOperation> operations) const {
    const detail::GraphPlace where = place();
    const MemoryOperationParameters parameters(operations, where.state.context());
    const driver::CUgraphNode node = detail::add_operations(
        where, parameters, [](auto... arguments) { return driver::cuGraphAddBatchMemOpNode(arguments...); });
    return MemoryOperationNode({state_, graph_, node});
}

MemoryOperationNode GraphPosition::memory_operations(std::initializer_list<MemoryOperation> operations) const {
    return memory_operations(std::span(operations.begin(), operations.size()));
}

std::vector<MemoryOperation> MemoryOperationNode::operations() const {
    const auto found = check(driver::cuGraphBatchMemOpNodeGetParams(native_handle()));
    std::vector<MemoryOperation> operations;
    operations.reserve(found.count);
    for (const auto& each : std::span(found.paramArray, found.count)) operations.push_back(MemoryOperation::from_native(each));
    return operations;
}

void MemoryOperationNode::update(std::span<const MemoryOperation> operations) const {
    const MemoryOperationParameters parameters(operations, detail::NodeAccess::state(*this).context());
    detail::change_operations(*this, parameters, driver::cuGraphBatchMemOpNodeSetParams);
}

// ---- executable graphs ----------------------------------------------------------------------------------------------------

ExecutableMemoryOperationNode GraphRef::operator[](const MemoryOperationNode& node) const {
    return ExecutableMemoryOperationNode(*this, node);
}

void ExecutableMemoryOperationNode::update(std::span<const MemoryOperation> operations) const {
    const MemoryOperationParameters parameters(operations, detail::NodeAccess::state(node_).context());
    detail::change_operations(graph_, node_, parameters, driver::cuGraphExecBatchMemOpNodeSetParams,
                              "The number and the kinds of the operations");
}

}  // namespace CUBIND_NAMESPACE
