// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace answers {

namespace {

CUgraphNodeParams conditional(CUgraphConditionalHandle handle, CUgraphConditionalNodeType type, unsigned size,
                              CUcontext context) {
    CUgraphNodeParams parameters{};
    parameters.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    parameters.conditional.handle = handle;
    parameters.conditional.type = type;
    parameters.conditional.size = size;
    parameters.conditional.ctx = context;
    return parameters;
}

struct Added {
    CUresult status;
    CUgraph body;
};

Added add(const char* name, CUgraph graph, const CUgraphNodeParams& parameters) {
    const auto result = ask(name, [&] { return cuGraphAddNode(graph, nullptr, nullptr, 0, parameters); });
    const bool has_body = result.ok() && result.value2.conditional.phGraph_out != nullptr;
    return {result.status, has_body ? result.value2.conditional.phGraph_out[0] : nullptr};
}

// Creates a handle without printing it. text_of() would print its value like any integer, and the value may differ in each run.
CUgraphConditionalHandle create_handle(CUgraph graph, CUcontext context) {
    return cuGraphConditionalHandleCreate(graph, context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT).value;
}

void ask_about_kinds(CUcontext context) {
    for (int type = 0; type <= 3; ++type) {
        for (const unsigned size : {0u, 1u, 2u, 3u}) {
            const CUgraph graph = cuGraphCreate(0).value;
            const auto parameters =
                conditional(create_handle(graph, context), static_cast<CUgraphConditionalNodeType>(type), size, context);
            const std::string kind = "type " + std::to_string(type) + " size " + std::to_string(size);
            add(("conditional node of " + kind).c_str(), graph, parameters);
            ask(("cuGraphDestroy " + kind).c_str(), [&] { return cuGraphDestroy(graph); });
        }
    }
}

void ask_about_bodies(CUcontext context, CUstream stream) {
    const CUgraph graph = cuGraphCreate(0).value;
    const CUgraphConditionalHandle outer = create_handle(graph, context);
    const CUgraphConditionalHandle inner = create_handle(graph, context);
    const CUgraphConditionalHandle third = create_handle(graph, context);
    const CUgraph other = cuGraphCreate(0).value;
    add("conditional with a handle of another graph", other, conditional(outer, CU_GRAPH_COND_TYPE_IF, 1, context));
    add("conditional with an unknown handle", graph, conditional(12345, CU_GRAPH_COND_TYPE_IF, 1, context));
    add("conditional without a context", graph, conditional(third, CU_GRAPH_COND_TYPE_IF, 1, nullptr));
    const Added first = add("conditional in a graph", graph, conditional(outer, CU_GRAPH_COND_TYPE_IF, 1, context));
    add("second conditional with the same handle", graph, conditional(outer, CU_GRAPH_COND_TYPE_IF, 1, context));
    const Added nested = add("conditional in a body with a handle of the graph around it", first.body,
                             conditional(inner, CU_GRAPH_COND_TYPE_IF, 1, context));
    const auto of_body = cuGraphConditionalHandleCreate(first.body, context, 1, CU_GRAPH_COND_ASSIGN_DEFAULT);
    report("status of a handle of a body", text_of(of_body.status));
    if (of_body.ok()) {
        add("conditional in a body with a handle of the body", first.body,
            conditional(of_body.value, CU_GRAPH_COND_TYPE_WHILE, 1, context));
    }
    report("nested body", nested.body);
    const CUdeviceptr memory = cuMemAlloc(64).value;
    CUDA_MEMSET_NODE_PARAMS fill{};
    fill.dst = memory;
    fill.elementSize = 1;
    fill.width = 64;
    fill.height = 1;
    const CUDA_HOST_NODE_PARAMS call{[](void*) {}, nullptr};
    ASK(cuGraphAddMemsetNode(first.body, nullptr, 0, &fill, context));
    ASK(cuGraphAddHostNode(first.body, nullptr, 0, &call));
    ASK(cuGraphAddEventRecordNode(first.body, nullptr, 0, cuEventCreate(0).value));
    ASK(cuGraphAddEmptyNode(first.body, nullptr, 0));
    ASK(cuGraphDestroy(first.body));
    ASK(cuGraphClone(graph));
    ASK(cuGraphAddChildGraphNode(cuGraphCreate(0).value, nullptr, 0, graph));
    ASK(cuGraphInstantiate(graph, 0));
    ASK(cuStreamSynchronize(stream));
}

void ask_about_launches(CUcontext context, CUstream stream) {
    const CUgraph graph = cuGraphCreate(0).value;
    const Added added =
        add("conditional to launch", graph, conditional(create_handle(graph, context), CU_GRAPH_COND_TYPE_IF, 1, context));
    ASK(cuGraphAddEmptyNode(added.body, nullptr, 0));
    const CUgraphExec exec = ASK(cuGraphInstantiate(graph, 0)).value;
    ASK(cuGraphInstantiate(graph, 0));
    ASK(cuGraphLaunch(exec, stream));
    ASK(cuStreamSynchronize(stream));
    ASK(cuGraphExecUpdate(exec, graph));
    ASK(cuGraphClone(graph));
    const CUgraph unused = cuGraphCreate(0).value;
    create_handle(unused, context);
    ASK(cuGraphInstantiate(unused, 0));
}

}  // namespace

void ask_about_conditionals() {
    const CUcontext context = use_device();
    const CUstream stream = cuStreamCreate(CU_STREAM_NON_BLOCKING).value;
    const CUgraph graph = cuGraphCreate(0).value;
    ask("cuGraphConditionalHandleCreate",
        [&] { return cubind::Result<CUresult>{cuGraphConditionalHandleCreate(graph, context, 0, 0).status}; });
    ASK(cuGraphConditionalHandleCreate(graph, context, 0, 6));
    ASK(cuGraphConditionalHandleCreate(nullptr, context, 0, 0));
    ask("cuGraphConditionalHandleCreate without a context",
        [&] { return cubind::Result<CUresult>{cuGraphConditionalHandleCreate(graph, nullptr, 0, 0).status}; });
    ask_about_kinds(context);
    ask_about_bodies(context, stream);
    ask_about_launches(context, stream);
}

}  // namespace answers
