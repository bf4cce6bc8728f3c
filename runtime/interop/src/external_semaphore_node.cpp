// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/interop/external_semaphore_node.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "calls/driver.hpp"
#include "graph/operation_nodes.hpp"
#include "semaphore_batch.hpp"

namespace CUBIND_NAMESPACE {

namespace {

using detail::SignalParameters;
using detail::WaitParameters;
using Operations = std::span<const ExternalSemaphoreOperation>;
/// The semaphores that the objects of a node retain, with their kinds: NodeRecord::details.
using RetainedSemaphores = std::vector<ExternalSemaphoreRef>;

/// The parameters of a node, and what the node retains. `Parameters` are SignalParameters or WaitParameters.
template <class Parameters>
class SemaphoreParameters {
public:
    using Batch = detail::SemaphoreBatch<Parameters>;
    using Native =
        std::conditional_t<Batch::is_signal, driver::CUDA_EXT_SEM_SIGNAL_NODE_PARAMS, driver::CUDA_EXT_SEM_WAIT_NODE_PARAMS>;

    explicit SemaphoreParameters(Operations operations) : operations_(operations), batch_(operations) {
        if (operations.empty()) {
            detail::throw_misuse("a node for external semaphores needs at least 1 ", Batch::is_signal ? "signal" : "wait",
                                 ", but there are 0: add an empty() node instead");
        }
        native_ = {const_cast<driver::CUexternalSemaphore*>(batch_.handles()), batch_.parameters(), batch_.count()};
    }
    SemaphoreParameters(const SemaphoreParameters&) = delete;
    SemaphoreParameters& operator=(const SemaphoreParameters&) = delete;

    const Native* native() const noexcept { return &native_; }

    detail::NodeRecord record() const {
        detail::NodeObjects objects;
        RetainedSemaphores retained;
        for (const ExternalSemaphoreOperation& each : operations_) {
            auto shared = detail::share(each.semaphore);
            if (shared != nullptr) retained.push_back(each.semaphore);
            objects.retain(std::move(shared));
        }
        detail::NodeRecord record;
        record.objects = objects.take();
        record.details = std::make_shared<const RetainedSemaphores>(std::move(retained));
        return record;
    }

    void check_accepted(Result<driver::CUresult> called, const std::string& advice = {}) const {
        if (called.ok()) return;
        detail::throw_with_advice(
            called, detail::concat("The call was for: ", detail::describe(operations_), ".", advice.empty() ? "" : " ", advice));
    }

private:
    Operations operations_;
    Batch batch_;
    Native native_{};
};

/// Returns a view of the semaphore, which has its kind if the definition retains the semaphore for this node.
ExternalSemaphoreRef view_of(driver::CUexternalSemaphore handle, const detail::NodeRecordPointer& record) {
    const ExternalSemaphoreRef foreign(handle);
    if (record == nullptr || record->details == nullptr) return foreign;
    const auto& retained = *static_cast<const RetainedSemaphores*>(record->details.get());
    const auto known = std::find(retained.begin(), retained.end(), foreign);
    return known != retained.end() ? *known : foreign;
}

/// Returns the operations of a node, from the parameters that the driver reports.
template <class Native>
std::vector<ExternalSemaphoreOperation> operations_of(const GraphNode& node, const Native& found) {
    const detail::NodeRecordPointer record = detail::NodeAccess::state(node).record(node.native_handle());
    std::vector<ExternalSemaphoreOperation> operations;
    operations.reserve(found.numExtSems);
    for (unsigned int i = 0; i < found.numExtSems; ++i) {
        const auto& native = found.paramsArray[i];
        ExternalSemaphoreOperation each{view_of(found.extSemArray[i], record)};
        const auto kind = each.semaphore.kind();
        if (!kind || *kind == ExternalSemaphoreKind::timeline) each.value = native.params.fence.value;
        each.fence = native.params.nvSciSync.fence;
        each.skip_memory_synchronization = native.flags != 0;
        operations.push_back(each);
    }
    return operations;
}

constexpr const char* number_of_operations = "Their number";

}  // namespace

// ---- signals --------------------------------------------------------------------------------------------------------------

ExternalSemaphoreSignalNode GraphPosition::signal_semaphores(Operations operations) const {
    const driver::CUgraphNode node =
        detail::add_operations(place(), SemaphoreParameters<SignalParameters>(operations),
                               [](auto... arguments) { return driver::cuGraphAddExternalSemaphoresSignalNode(arguments...); });
    return ExternalSemaphoreSignalNode({state_, graph_, node});
}

ExternalSemaphoreSignalNode GraphPosition::signal_semaphores(std::initializer_list<ExternalSemaphoreOperation> operations) const {
    return signal_semaphores(Operations(operations.begin(), operations.size()));
}

std::vector<ExternalSemaphoreOperation> ExternalSemaphoreSignalNode::operations() const {
    return operations_of(*this, check(driver::cuGraphExternalSemaphoresSignalNodeGetParams(native_handle())));
}

void ExternalSemaphoreSignalNode::update(Operations operations) const {
    detail::change_operations(*this, SemaphoreParameters<SignalParameters>(operations),
                              driver::cuGraphExternalSemaphoresSignalNodeSetParams);
}

ExecutableExternalSemaphoreSignalNode GraphRef::operator[](const ExternalSemaphoreSignalNode& node) const {
    return ExecutableExternalSemaphoreSignalNode(*this, node);
}

void ExecutableExternalSemaphoreSignalNode::update(Operations operations) const {
    detail::change_operations(graph_, node_, SemaphoreParameters<SignalParameters>(operations),
                              driver::cuGraphExecExternalSemaphoresSignalNodeSetParams, number_of_operations);
}

// ---- waits ----------------------------------------------------------------------------------------------------------------

ExternalSemaphoreWaitNode GraphPosition::wait_semaphores(Operations operations) const {
    const driver::CUgraphNode node =
        detail::add_operations(place(), SemaphoreParameters<WaitParameters>(operations),
                               [](auto... arguments) { return driver::cuGraphAddExternalSemaphoresWaitNode(arguments...); });
    return ExternalSemaphoreWaitNode({state_, graph_, node});
}

ExternalSemaphoreWaitNode GraphPosition::wait_semaphores(std::initializer_list<ExternalSemaphoreOperation> operations) const {
    return wait_semaphores(Operations(operations.begin(), operations.size()));
}

std::vector<ExternalSemaphoreOperation> ExternalSemaphoreWaitNode::operations() const {
    return operations_of(*this, check(driver::cuGraphExternalSemaphoresWaitNodeGetParams(native_handle())));
}

void ExternalSemaphoreWaitNode::update(Operations operations) const {
    detail::change_operations(*this, SemaphoreParameters<WaitParameters>(operations),
                              driver::cuGraphExternalSemaphoresWaitNodeSetParams);
}

ExecutableExternalSemaphoreWaitNode GraphRef::operator[](const ExternalSemaphoreWaitNode& node) const {
    return ExecutableExternalSemaphoreWaitNode(*this, node);
}

void ExecutableExternalSemaphoreWaitNode::update(Operations operations) const {
    detail::change_operations(graph_, node_, SemaphoreParameters<WaitParameters>(operations),
                              driver::cuGraphExecExternalSemaphoresWaitNodeSetParams, number_of_operations);
}

}  // namespace CUBIND_NAMESPACE
