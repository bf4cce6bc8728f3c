// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/graph_store.hpp"

#include "graph/capture/capture.hpp"
#include "graph/executable.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

void GraphStore::clear() {
    for (const auto& capture : captures) detach_all(*this, *capture);
    captures.clear();
    has_captures.store(false);
    const auto all = [](const auto&) { return true; };
    executables.remove_if(all);
    graphs.remove_if(all);
    nodes.remove_if(all);
    user_objects.remove_if(all);
    conditions.clear();
    removed_conditions.clear();
    memories.clear();
}

std::shared_ptr<Graph> GraphStore::add_graph(int depth, bool is_conditional) {
    return add_new(graphs, this, depth, is_conditional);
}

std::shared_ptr<Graph> GraphStore::adopt(const std::shared_ptr<Graph>& graph) {
    return {graph.get(), [this, graph](Graph*) { graphs.remove(graph->handle); }};
}

std::shared_ptr<Condition> GraphStore::find_condition(CUgraphConditionalHandle handle) const {
    const auto found = conditions.find(handle);
    return found != conditions.end() ? found->second : nullptr;
}

std::shared_ptr<Condition> GraphStore::find_used_condition(CUgraphConditionalHandle handle) const {
    if (auto condition = find_condition(handle)) return condition;
    const auto found = removed_conditions.find(handle);
    return found != removed_conditions.end() ? found->second.lock() : nullptr;
}

bool GraphStore::has_conditions_of(CUgraph graph) const {
    return std::ranges::any_of(conditions, [&](const auto& entry) { return entry.second->graph == graph; });
}

void GraphStore::remove_conditions_of(CUgraph graph) {
    std::erase_if(removed_conditions, [](const auto& entry) { return entry.second.expired(); });
    for (const auto& [handle, condition] : conditions) {
        if (condition->graph == graph) removed_conditions.emplace(handle, condition);
    }
    std::erase_if(conditions, [&](const auto& entry) { return entry.second->graph == graph; });
}

namespace {

CUresult copy_graph(std::shared_ptr<Graph>& graph, GraphStore* store, int depth, bool is_conditional) {
    const auto handle = reinterpret_cast<CUgraph>(new_handle_value());
    std::shared_ptr<Graph> copy;
    if (const CUresult status = graph->copy(handle, store, depth, is_conditional, copy)) return status;
    if (store != nullptr) {
        store->graphs.add(handle, copy);
        copy = store->adopt(copy);
    }
    graph = std::move(copy);
    return CUDA_SUCCESS;
}

}  // namespace

CUresult copy_inner_graphs(Operation& operation, GraphStore* store, int depth, bool is_conditional) {
    if (auto* const child = std::get_if<ChildOperation>(&operation)) {
        return copy_graph(child->graph, store, depth, is_conditional);
    }
    auto* const conditional = std::get_if<ConditionalOperation>(&operation);
    if (conditional == nullptr) return CUDA_SUCCESS;
    auto bodies = conditional->bodies;
    for (auto& body : bodies) {
        if (const CUresult status = copy_graph(body, store, depth, true)) return status;
    }
    conditional->set_bodies(std::move(bodies));
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
