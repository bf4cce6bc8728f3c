// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/external_semaphore_node.hpp>
#include <cubind/core/graph_definition.hpp>
#include <cubind/driver/graph.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>

#include "graph/definition_state.hpp"
#include "graph/instantiation.hpp"
#include "interop/semaphore_batch.hpp"
#include "support/driver.hpp"

namespace CUBIND_NAMESPACE {

namespace {

using detail::SignalParameters;
using detail::WaitParameters;
using Operations = std::span<const ExternalSemaphoreOperation>;

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
        detail::NodeRecord record;
        for (const ExternalSemaphoreOperation& each : operations_) {
            auto shared = detail::share(each.semaphore);
            if (shared != nullptr) record.semaphores.push_back(each.semaphore);
            objects.retain(std::move(shared));
        }
        record.objects = objects.take();
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

/// Adds a node by `call(graph, dependencies, count, parameters)`.
template <class Parameters, class Call>
driver::CUgraphNode add(const detail::GraphPlace& where, Operations operations, const Call& call) {
    const SemaphoreParameters<Parameters> parameters(operations);
    return where.state.add(parameters.record(), [&] {
        const auto added = call(where.graph, where.dependencies, where.count, parameters.native());
        parameters.check_accepted({added.status});
        return added.value;
    });
}

/// Changes a node of a definition by `call(node, parameters)`.
template <class Parameters, class Call>
void change(const GraphNode& node, Operations operations, const Call& call) {
    const SemaphoreParameters<Parameters> parameters(operations);
    const driver::CUgraphNode handle = node.native_handle();
    detail::NodeAccess::state(node).update(handle, parameters.record(),
                                           [&] { parameters.check_accepted(call(handle, parameters.native())); });
}

/// Changes a node of an executable graph by `call(graph, node, parameters)`.
template <class Parameters, class Call>
void change(GraphRef graph, const GraphNode& node, Operations operations, const Call& call) {
    const SemaphoreParameters<Parameters> parameters(operations);
    const driver::CUgraphNode handle = node.native_handle();
    const ContextRef context = detail::NodeAccess::state(node).context();
    detail::work_of(graph).update(handle, parameters.record(), [&] {
        const ScopedContext scope(context);
        parameters.check_accepted(call(graph.native_handle(), handle, parameters.native()),
                                  "Their number must remain, and the node must belong to the definition that this graph was "
                                  "instantiated from.");
    });
}

/// Returns a view of the semaphore, which has its kind if the definition retains the semaphore for this node.
ExternalSemaphoreRef view_of(driver::CUexternalSemaphore handle, const detail::NodeRecordPointer& record) {
    const ExternalSemaphoreRef foreign(handle);
    if (record == nullptr) return foreign;
    const auto known = std::find(record->semaphores.begin(), record->semaphores.end(), foreign);
    return known != record->semaphores.end() ? *known : foreign;
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

}  // namespace

// ---- signals --------------------------------------------------------------------------------------------------------------

ExternalSemaphoreSignalNode GraphPosition::signal_semaphores(Operations operations) const {
    const driver::CUgraphNode node = add<SignalParameters>(
        place(), operations, [](auto... arguments) { return driver::cuGraphAddExternalSemaphoresSignalNode(arguments...); });
    return ExternalSemaphoreSignalNode({state_, graph_, node});
}

ExternalSemaphoreSignalNode GraphPosition::signal_semaphores(std::initializer_list<ExternalSemaphoreOperation> operations) const {
    return signal_semaphores(Operations(operations.begin(), operations.size()));
}

std::vector<ExternalSemaphoreOperation> ExternalSemaphoreSignalNode::operations() const {
    return operations_of(*this, check(driver::cuGraphExternalSemaphoresSignalNodeGetParams(native_handle())));
}

void ExternalSemaphoreSignalNode::update(Operations operations) const {
    change<SignalParameters>(*this, operations, driver::cuGraphExternalSemaphoresSignalNodeSetParams);
}

ExecutableExternalSemaphoreSignalNode GraphRef::operator[](const ExternalSemaphoreSignalNode& node) const {
    return ExecutableExternalSemaphoreSignalNode(*this, node);
}

void ExecutableExternalSemaphoreSignalNode::update(Operations operations) const {
    change<SignalParameters>(graph_, node_, operations, driver::cuGraphExecExternalSemaphoresSignalNodeSetParams);
}

// ---- waits ----------------------------------------------------------------------------------------------------------------

ExternalSemaphoreWaitNode GraphPosition::wait_semaphores(Operations operations) const {
    const driver::CUgraphNode node = add<WaitParameters>(
        place(), operations, [](auto... arguments) { return driver::cuGraphAddExternalSemaphoresWaitNode(arguments...); });
    return ExternalSemaphoreWaitNode({state_, graph_, node});
}

ExternalSemaphoreWaitNode GraphPosition::wait_semaphores(std::initializer_list<ExternalSemaphoreOperation> operations) const {
    return wait_semaphores(Operations(operations.begin(), operations.size()));
}

std::vector<ExternalSemaphoreOperation> ExternalSemaphoreWaitNode::operations() const {
    return operations_of(*this, check(driver::cuGraphExternalSemaphoresWaitNodeGetParams(native_handle())));
}

void ExternalSemaphoreWaitNode::update(Operations operations) const {
    change<WaitParameters>(*this, operations, driver::cuGraphExternalSemaphoresWaitNodeSetParams);
}

ExecutableExternalSemaphoreWaitNode GraphRef::operator[](const ExternalSemaphoreWaitNode& node) const {
    return ExecutableExternalSemaphoreWaitNode(*this, node);
}

void ExecutableExternalSemaphoreWaitNode::update(Operations operations) const {
    change<WaitParameters>(graph_, node_, operations, driver::cuGraphExecExternalSemaphoresWaitNodeSetParams);
}

}  // namespace CUBIND_NAMESPACE
