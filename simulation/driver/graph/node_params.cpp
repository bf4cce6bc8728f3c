// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/node_params.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

/// Writes the parameters of an operation, with one overload for each kind.
struct ParameterWriter {
    void operator()(const EmptyOperation&) const {}
    void operator()(const KernelOperation& kernel) const { parameters.kernel = kernel.parameters(); }
    void operator()(const HostOperation& host) const {
        parameters.host.fn = host.call.fn;
        parameters.host.userData = host.call.userData;
    }
    void operator()(const CopyOperation& copy) const { parameters.memcpy = copy.parameters(); }
    void operator()(const FillOperation& fill) const { parameters.memset = fill.parameters(); }
    void operator()(const RecordOperation& record) const { parameters.eventRecord.event = record.event->handle; }
    void operator()(const WaitOperation& wait) const { parameters.eventWait.event = wait.event->handle; }
    void operator()(const MemoryOperations& operations) const { parameters.memOp = operations.parameters(); }
    void operator()(const SemaphoreSignals& signals) const { parameters.extSemSignal = signals.parameters(); }
    void operator()(const SemaphoreWaits& waits) const { parameters.extSemWait = waits.parameters(); }
    void operator()(const AllocOperation& alloc) const { parameters.alloc = alloc.parameters(); }
    void operator()(const FreeOperation& free) const { parameters.free.dptr = free.memory->base; }
    void operator()(const ChildOperation& child) const {
        parameters.graph = {child.graph->handle, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE};
    }
    void operator()(const ConditionalOperation& conditional) const { parameters.conditional = conditional.parameters(); }

    CUgraphNodeParams& parameters;
};

}  // namespace

CUgraphNodeParams parameters_of(const Operation& operation) {
    CUgraphNodeParams parameters{};
    parameters.type = type_of(operation);
    std::visit(ParameterWriter{parameters}, operation);
    return parameters;
}

}  // namespace CUBIND_NAMESPACE::sim
