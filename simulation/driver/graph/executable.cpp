// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/executable.hpp"

#include <algorithm>
#include <iterator>

#include "graph/compare.hpp"
#include "objects/context/context.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

// Returns the user objects of the graph and of all inner graphs. Launches retain them, because an update replaces them.
std::vector<std::shared_ptr<const void>> user_objects_of(const Graph& graph) {
    std::vector<std::shared_ptr<const void>> all;
    if (!graph.user_objects->empty()) all.push_back(graph.user_objects);
    for (const auto& node : graph.nodes()) {
        for (const auto& inner : graphs_in(node->operation)) std::ranges::move(user_objects_of(*inner), std::back_inserter(all));
    }
    return all;
}

}  // namespace

GraphExec::GraphExec(CUgraphExec own_handle, cuuint64_t own_flags, std::shared_ptr<Graph> copy)
    : handle(own_handle), flags(own_flags), graph(std::move(copy)) {
    graph->for_each_node([this](Node& node) { nodes_.emplace(node.original, &node); });
}

const Node* GraphExec::find(CUgraphNode original) const {
    const auto found = nodes_.find(original);
    return found != nodes_.end() ? found->second : nullptr;
}

Node& GraphExec::change(CUgraphNode original) {
    is_changed_ = true;
    return *nodes_.at(original);
}

CUresult GraphExec::launch(Stream& stream) {
    Plan plan(stream.context, (flags & CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH) != 0);
    try {
        const CUresult status = submit(stream, plan);
        if (status != CUDA_SUCCESS) plan.roll_back();
        return status;
    } catch (...) {
        plan.roll_back();
        throw;
    }
}

CUresult GraphExec::submit(Stream& stream, Plan& plan) {
    if (const CUresult status = graph->plan(plan)) return status;
    upload();
    auto work = [starts = std::move(plan.starts), steps = GraphSteps{device_handle(), std::move(plan.steps)},
                 retained_graph = graph, retained_objects = user_objects_of(*graph)]() mutable {
        run_steps(starts);
        GraphRun::run(std::move(steps));
    };
    // The work of the launch waits for this ticket. It is done once the launch's events and frees are published, which
    // happens only if the stream accepts the launch.
    const auto committed = std::make_shared<Progress>();
    if (const CUresult status = stream.context->order.submit(stream, std::move(work), {last_, {committed, 1}}, &last_))
        return status;
    plan.commit();
    committed->advance();
    return CUDA_SUCCESS;
}

CUgraphExecUpdateResultInfo GraphExec::update(const Graph& next, const OperationMemory& memory) {
    const CUgraphExecUpdateResultInfo info = compare(*graph, next, memory);
    if (info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS) {
        is_changed_ = true;
        replace_operations(*graph, next);
    }
    return info;
}

void GraphExec::upload() {
    if (!is_for_device() || !is_changed_) return;
    uploaded_ = graph->enabled_operations();
    is_changed_ = false;
}

bool GraphExec::plan_for_device(const std::shared_ptr<const Context>& context, GraphSteps& steps) const {
    if (!uploaded_) return false;
    Plan plan(context, false);  // of kernels, copies and fills, which have nothing to commit
    const auto is_planned = [&](const Operation& operation) { return sim::plan(operation, plan) == CUDA_SUCCESS; };
    if (!std::ranges::all_of(*uploaded_, is_planned)) return false;
    steps = {handle, std::move(plan.steps)};
    return true;
}

}  // namespace CUBIND_NAMESPACE::sim
