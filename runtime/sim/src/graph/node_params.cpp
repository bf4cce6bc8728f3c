// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/node_params.hpp"

#include <algorithm>

#include "graph/add_node.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Checks a context. Null means the current context.
bool is_context(CUcontext context) {
    return context == nullptr || machine().contexts.find(context) != nullptr;
}

CUresult make_copy(const CUDA_MEMCPY_NODE_PARAMS& requested, Operation& operation) {
    if (requested.flags != 0 || requested.reserved != 0) return CUDA_ERROR_INVALID_VALUE;
    if (!is_context(requested.copyCtx)) return CUDA_ERROR_INVALID_CONTEXT;
    operation = CopyOperation{requested.copyParams, requested.copyCtx};
    return CUDA_SUCCESS;
}

CUresult make_fill(const CUDA_MEMSET_NODE_PARAMS_v2& requested, Operation& operation) {
    if (!is_context(requested.ctx)) return CUDA_ERROR_INVALID_CONTEXT;
    operation = FillOperation{requested};
    return CUDA_SUCCESS;
}

CUresult make_kernel(const CUDA_KERNEL_NODE_PARAMS_v3& requested, std::vector<CUlaunchAttribute> attributes,
                     Operation& operation) {
    KernelOperation kernel;
    if (const CUresult status = KernelOperation::make(requested, std::move(attributes), kernel)) return status;
    operation = std::move(kernel);
    return CUDA_SUCCESS;
}

CUresult make_child(const CUDA_CHILD_GRAPH_NODE_PARAMS& requested, const Graph& graph, Operation& operation) {
    GraphStore& store = machine().graph_store;
    const auto child = store.graphs.find(requested.graph);
    if (child == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (requested.ownership != CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE) return CUDA_ERROR_NOT_SUPPORTED;
    if (is_single_instance(*child)) return CUDA_ERROR_NOT_SUPPORTED;
    operation = ChildOperation{child};
    return copy_inner_graphs(operation, &store, graph.depth + 1, graph.is_conditional);
}

CUresult make_alloc(CUDA_MEM_ALLOC_NODE_PARAMS_v2& requested, Operation& operation) {
    AllocOperation alloc;
    if (const CUresult status = AllocOperation::make(requested, alloc)) return status;
    machine().graph_store.add_memory(alloc.memory);
    operation = std::move(alloc);
    return CUDA_SUCCESS;
}

CUresult make_free(CUdeviceptr address, const Graph& graph, Operation& operation) {
    const bool is_freed = std::ranges::any_of(graph.nodes(), [&](const auto& node) {
        const auto* const free = std::get_if<FreeOperation>(&node->operation);
        return free != nullptr && free->memory->base == address;
    });
    if (is_freed) return CUDA_ERROR_INVALID_VALUE;
    operation = FreeOperation{machine().graph_store.find_memory(address)};
    return CUDA_SUCCESS;
}

// Checks the number of body graphs of a conditional node.
bool is_valid_count(CUgraphConditionalNodeType kind, unsigned count) noexcept {
    constexpr unsigned max_cases = 1024;
    switch (kind) {
        case CU_GRAPH_COND_TYPE_IF:
            return count == 1 || count == 2;
        case CU_GRAPH_COND_TYPE_WHILE:
            return count == 1;
        case CU_GRAPH_COND_TYPE_SWITCH:
            return count >= 1 && count <= max_cases;
        default:
            return false;
    }
}

CUresult make_conditional(CUDA_CONDITIONAL_NODE_PARAMS& requested, const Graph& graph, Operation& operation) {
    GraphStore& store = machine().graph_store;
    if (requested.ctx == nullptr || !is_context(requested.ctx)) return CUDA_ERROR_INVALID_CONTEXT;
    const auto condition = store.find_condition(requested.handle);
    if (condition == nullptr || !is_valid_count(requested.type, requested.size)) return CUDA_ERROR_INVALID_VALUE;
    const bool is_visible = condition->graph == graph.handle || std::ranges::count(graph.outer, condition->graph) != 0;
    const auto owner = store.graphs.find(condition->graph);
    if (!is_visible || owner == nullptr || owner->uses(*condition)) return CUDA_ERROR_INVALID_VALUE;
    if (graph.depth >= Graph::max_depth) return CUDA_ERROR_INVALID_VALUE;
    ConditionalOperation conditional{condition, requested.type, {}, {}};
    std::vector<std::shared_ptr<Graph>> bodies;
    for (unsigned i = 0; i < requested.size; ++i) {
        bodies.push_back(store.adopt(store.add_graph(graph.depth + 1, true)));
        bodies.back()->outer = graph.outer;
        bodies.back()->outer.push_back(graph.handle);
    }
    conditional.set_bodies(std::move(bodies));
    requested.phGraph_out = conditional.handles->data();
    operation = std::move(conditional);
    return CUDA_SUCCESS;
}

}  // namespace

CUresult make_operation(CUgraphNodeParams& parameters, const Graph& graph, Operation& operation) {
    if (parameters.reserved2 != 0 || std::ranges::any_of(parameters.reserved0, [](int each) { return each != 0; })) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const auto event = [](CUevent handle) { return machine().events.find(handle); };
    switch (parameters.type) {
        case CU_GRAPH_NODE_TYPE_EMPTY:
            return operation = EmptyOperation{}, CUDA_SUCCESS;
        case CU_GRAPH_NODE_TYPE_KERNEL:
            return make_kernel(parameters.kernel, {}, operation);
        case CU_GRAPH_NODE_TYPE_HOST:
            return operation = HostOperation{{parameters.host.fn, parameters.host.userData}}, CUDA_SUCCESS;
        case CU_GRAPH_NODE_TYPE_MEMCPY:
            return make_copy(parameters.memcpy, operation);
        case CU_GRAPH_NODE_TYPE_MEMSET:
            return make_fill(parameters.memset, operation);
        case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
            return operation = RecordOperation{event(parameters.eventRecord.event)}, CUDA_SUCCESS;
        case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
            return operation = WaitOperation{event(parameters.eventWait.event)}, CUDA_SUCCESS;
        case CU_GRAPH_NODE_TYPE_GRAPH:
            return make_child(parameters.graph, graph, operation);
        case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
            return make_alloc(parameters.alloc, operation);
        case CU_GRAPH_NODE_TYPE_MEM_FREE:
            return make_free(parameters.free.dptr, graph, operation);
        case CU_GRAPH_NODE_TYPE_CONDITIONAL:
            return make_conditional(parameters.conditional, graph, operation);
        case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
        case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
            return CUDA_ERROR_NOT_SUPPORTED;
        default:
            return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult make_changed_operation(CUgraphNodeParams& parameters, const Node& node, Operation& operation) {
    if (parameters.type != type_of(node.operation)) return CUDA_ERROR_INVALID_VALUE;
    switch (parameters.type) {
        case CU_GRAPH_NODE_TYPE_KERNEL:  // the attributes are preserved
            return make_kernel(parameters.kernel, std::get<KernelOperation>(node.operation).attributes(), operation);
        case CU_GRAPH_NODE_TYPE_GRAPH:
        case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        case CU_GRAPH_NODE_TYPE_MEM_FREE:
        case CU_GRAPH_NODE_TYPE_CONDITIONAL:
            return CUDA_ERROR_INVALID_VALUE;
        default:
            break;
    }
    if (const CUresult status = make_operation(parameters, node.graph, operation)) return status;
    return check(operation);
}

namespace {

/// Writes the parameters of an operation, with one overload for each kind.
struct ParameterWriter {
    void operator()(const EmptyOperation&) const {}
    void operator()(const KernelOperation& kernel) const { parameters.kernel = kernel.parameters(); }
    void operator()(const HostOperation& host) const {
        parameters.host.fn = host.call.fn;
        parameters.host.userData = host.call.userData;
    }
    void operator()(const CopyOperation& copy) const { parameters.memcpy = {0, 0, copy.context, copy.copy}; }
    void operator()(const FillOperation& fill) const { parameters.memset = fill.fill; }
    void operator()(const RecordOperation& record) const { parameters.eventRecord.event = record.event->handle; }
    void operator()(const WaitOperation& wait) const { parameters.eventWait.event = wait.event->handle; }
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
