// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/node_operations.hpp"

#include <algorithm>

#include "graph/node_rules.hpp"
#include "machine/function_check.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

/// Makes a context current for a scope. If it is null, the current context stays.
class ScopedContext {
public:
    explicit ScopedContext(std::shared_ptr<Context> context) : is_pushed_(context != nullptr) {
        if (is_pushed_) context_stack().push_back({std::move(context), nullptr});
    }
    ~ScopedContext() {
        if (is_pushed_) context_stack().pop_back();
    }
    ScopedContext(const ScopedContext&) = delete;
    ScopedContext& operator=(const ScopedContext&) = delete;

private:
    const bool is_pushed_;
};

// Checks a context. Null means the current context.
bool is_context(CUcontext context) {
    return context == nullptr || !ContextCheck(context).failed();
}

CUresult make_copy(const CUDA_MEMCPY_NODE_PARAMS& requested, CopyOperation& operation) {
    if (requested.flags != 0 || requested.reserved != 0) return CUDA_ERROR_INVALID_VALUE;
    if (!is_context(requested.copyCtx)) return CUDA_ERROR_INVALID_CONTEXT;
    return CopyOperation::make(requested, machine().arrays, operation);
}

CUresult make_fill(const CUDA_MEMSET_NODE_PARAMS_v2& requested, FillOperation& operation) {
    if (!is_context(requested.ctx)) return CUDA_ERROR_INVALID_CONTEXT;
    return FillOperation::make(requested, operation);
}

CUresult make_memory_operations(const CUDA_BATCH_MEM_OP_NODE_PARAMS_v2& requested, MemoryOperations& operation) {
    if (!is_context(requested.ctx)) return CUDA_ERROR_INVALID_CONTEXT;
    return MemoryOperations::make(requested, operation);
}

template <class Parameters>
CUresult make_semaphore_operations(const Parameters& requested, SemaphoreOperations<Parameters>& operations) {
    if (!is_context(requested.ctx)) return CUDA_ERROR_INVALID_CONTEXT;
    return SemaphoreOperations<Parameters>::make(requested, machine().external_semaphores, operations);
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

CUresult make_alloc(CUDA_MEM_ALLOC_NODE_PARAMS_v2& requested, AllocOperation& operation) {
    const CUresult status = AllocOperation::make(requested, machine().devices, operation);
    if (status == CUDA_SUCCESS) machine().graph_store.memories.add(operation.memory);
    return status;
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

CUresult make_conditional(CUDA_CONDITIONAL_NODE_PARAMS& requested, const Graph& graph, ConditionalOperation& operation) {
    GraphStore& store = machine().graph_store;
    if (requested.ctx == nullptr || !is_context(requested.ctx)) return CUDA_ERROR_INVALID_CONTEXT;
    const auto condition = store.find_condition(requested.handle);
    if (condition == nullptr || !is_valid_count(requested.type, requested.size)) return CUDA_ERROR_INVALID_VALUE;
    const bool is_visible = condition->graph == graph.handle || std::ranges::count(graph.outer, condition->graph) != 0;
    const auto owner = store.graphs.find(condition->graph);
    if (!is_visible || owner == nullptr || owner->uses(*condition)) return CUDA_ERROR_INVALID_VALUE;
    if (graph.depth >= Graph::max_depth) return CUDA_ERROR_INVALID_VALUE;
    operation = {condition, requested.type, {}, {}};
    std::vector<std::shared_ptr<Graph>> bodies;
    for (unsigned i = 0; i < requested.size; ++i) {
        bodies.push_back(store.adopt(store.add_graph(graph.depth + 1, true)));
        bodies.back()->outer = graph.outer;
        bodies.back()->outer.push_back(graph.handle);
    }
    operation.set_bodies(std::move(bodies));
    requested.phGraph_out = operation.handles->data();
    return CUDA_SUCCESS;
}

// Creates the operation of one kind by `make(created)`.
template <class Kind, class Make>
CUresult create(Operation& operation, Make make) {
    Kind created;
    if (const CUresult status = make(created)) return status;
    operation = std::move(created);
    return CUDA_SUCCESS;
}

}  // namespace

CUresult make_kernel(const CUDA_KERNEL_NODE_PARAMS_v3& requested, std::vector<CUlaunchAttribute> attributes,
                     KernelOperation& operation) {
    // Without a current context, the driver ends the process.
    if (requested.func != nullptr && context_stack().empty()) return CUDA_ERROR_INVALID_CONTEXT;
    std::shared_ptr<Context> context;
    if (requested.func == nullptr && requested.ctx != nullptr) {
        const ContextCheck check(requested.ctx);
        if (check.failed()) return CUDA_ERROR_INVALID_CONTEXT;
        context = check.found.context;
    }
    const ScopedContext scoped_context(std::move(context));
    const CUlaunchConfig config{requested.gridDimX,       requested.gridDimY,
                                requested.gridDimZ,       requested.blockDimX,
                                requested.blockDimY,      requested.blockDimZ,
                                requested.sharedMemBytes, nullptr,
                                attributes.data(),        static_cast<unsigned>(attributes.size())};
    const CUfunction handle = requested.func != nullptr ? requested.func : reinterpret_cast<CUfunction>(requested.kern);
    const FunctionCheck function(handle, true);
    if (function.failed()) return function.status;
    LaunchRequest request;
    const CUresult status =
        make_launch(machine().launch_services, function.function, config, requested.kernelParams, requested.extra, request);
    if (status != CUDA_SUCCESS) return status;
    operation = KernelOperation(std::move(request));
    return CUDA_SUCCESS;
}

CUresult make_operation(CUgraphNodeParams& parameters, const Graph& graph, Operation& operation) {
    if (parameters.reserved2 != 0 || std::ranges::any_of(parameters.reserved0, [](int each) { return each != 0; })) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const auto event = [](CUevent handle) { return machine().events.find(handle); };
    switch (parameters.type) {
        case CU_GRAPH_NODE_TYPE_EMPTY:
            return operation = EmptyOperation{}, CUDA_SUCCESS;
        case CU_GRAPH_NODE_TYPE_KERNEL:
            return create<KernelOperation>(operation, [&](auto& created) { return make_kernel(parameters.kernel, {}, created); });
        case CU_GRAPH_NODE_TYPE_HOST:
            return operation = HostOperation{{parameters.host.fn, parameters.host.userData}}, CUDA_SUCCESS;
        case CU_GRAPH_NODE_TYPE_MEMCPY:
            return create<CopyOperation>(operation, [&](auto& created) { return make_copy(parameters.memcpy, created); });
        case CU_GRAPH_NODE_TYPE_MEMSET:
            return create<FillOperation>(operation, [&](auto& created) { return make_fill(parameters.memset, created); });
        case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
            return operation = RecordOperation{event(parameters.eventRecord.event)}, CUDA_SUCCESS;
        case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
            return operation = WaitOperation{event(parameters.eventWait.event)}, CUDA_SUCCESS;
        case CU_GRAPH_NODE_TYPE_GRAPH:
            return make_child(parameters.graph, graph, operation);
        case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
            return create<AllocOperation>(operation, [&](auto& created) { return make_alloc(parameters.alloc, created); });
        case CU_GRAPH_NODE_TYPE_MEM_FREE:
            return create<FreeOperation>(
                operation, [&](auto& free) { return make_free(machine().graph_store, graph, parameters.free.dptr, free); });
        case CU_GRAPH_NODE_TYPE_CONDITIONAL:
            return create<ConditionalOperation>(
                operation, [&](auto& created) { return make_conditional(parameters.conditional, graph, created); });
        case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
            return create<MemoryOperations>(operation,
                                            [&](auto& created) { return make_memory_operations(parameters.memOp, created); });
        case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
            return create<SemaphoreSignals>(
                operation, [&](auto& created) { return make_semaphore_operations(parameters.extSemSignal, created); });
        case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
            return create<SemaphoreWaits>(
                operation, [&](auto& created) { return make_semaphore_operations(parameters.extSemWait, created); });
        default:
            return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult make_changed_operation(CUgraphNodeParams& parameters, const Node& node, Operation& operation) {
    if (parameters.type != type_of(node.operation)) return CUDA_ERROR_INVALID_VALUE;
    switch (parameters.type) {
        case CU_GRAPH_NODE_TYPE_KERNEL:  // the attributes are preserved
            return create<KernelOperation>(operation, [&](auto& created) {
                return make_kernel(parameters.kernel, std::get<KernelOperation>(node.operation).attributes(), created);
            });
        case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        case CU_GRAPH_NODE_TYPE_MEM_FREE:
        case CU_GRAPH_NODE_TYPE_CONDITIONAL:
            return CUDA_ERROR_INVALID_VALUE;
        default:
            break;
    }
    if (const CUresult status = make_operation(parameters, node.graph, operation)) return status;
    return check(operation, machine().graph_store.memory);
}

}  // namespace CUBIND_NAMESPACE::sim
