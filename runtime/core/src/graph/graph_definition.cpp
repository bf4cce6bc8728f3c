// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/driver/graph.hpp>

#include <algorithm>
#include <utility>

#include "calls/driver.hpp"
#include "graph/definition_state.hpp"
#include "graph/instantiation.hpp"
#include "graph/node_lists.hpp"

namespace CUBIND_NAMESPACE {

// ---- lifetime -------------------------------------------------------------------------------------------------------------

GraphDefinition::GraphDefinition(Device device) : GraphDefinition(device.context()) {}

GraphDefinition::GraphDefinition(ContextRef context) : GraphDefinition() {
    auto state = std::make_unique<detail::DefinitionState>(nullptr, context.native_handle());
    graph_ = check(driver::cuGraphCreate(0));
    state->set_graph(graph_);
    state_ = state.release();
}

GraphDefinition GraphDefinition::from_native_handle(Handle graph, Device device) {
    if (graph == nullptr) detail::throw_misuse("GraphDefinition::from_native_handle: the handle is null");
    auto state = detail::DefinitionState::of_graph(graph, device.context());
    GraphDefinition definition;
    definition.graph_ = graph;
    definition.state_ = state.release();
    return definition;
}

GraphDefinition::GraphDefinition(GraphDefinition&& other) noexcept
    : GraphDefinitionRef(std::exchange(other.state_, nullptr), std::exchange(other.graph_, nullptr)) {}

GraphDefinition& GraphDefinition::operator=(GraphDefinition&& other) noexcept {
    if (this == &other) return *this;
    reset();
    state_ = std::exchange(other.state_, nullptr);
    graph_ = std::exchange(other.graph_, nullptr);
    return *this;
}

GraphDefinition::~GraphDefinition() {
    reset();
}

void GraphDefinition::reset() noexcept {
    const std::unique_ptr<detail::DefinitionState> state(std::exchange(state_, nullptr));
    const Handle graph = std::exchange(graph_, nullptr);
    if (graph != nullptr) detail::report_unless_released(driver::cuGraphDestroy(graph), "destroy a graph", graph);
}

void GraphDefinition::close() {
    const std::unique_ptr<detail::DefinitionState> state(std::exchange(state_, nullptr));
    const Handle graph = std::exchange(graph_, nullptr);
    if (graph != nullptr) check(driver::cuGraphDestroy(graph));
}

GraphDefinition::Handle GraphDefinition::release() {
    if (state_ == nullptr) return nullptr;
    state_->retain_in_graph();
    delete std::exchange(state_, nullptr);
    return std::exchange(graph_, nullptr);
}

// ---- the graph ------------------------------------------------------------------------------------------------------------

GraphDefinitionRef::Handle GraphDefinitionRef::native_handle() const {
    place().state.retain_in_graph();
    return graph_;
}

unsigned int GraphDefinitionRef::id() const {
    return check(driver::cuGraphGetId(place().graph));
}

std::vector<GraphNode> GraphDefinitionRef::views(const std::vector<driver::CUgraphNode>& nodes) const {
    std::vector<GraphNode> views;
    views.reserve(nodes.size());
    for (const driver::CUgraphNode node : nodes) views.push_back(GraphNode(state_, graph_, node));
    return views;
}

std::vector<GraphNode> GraphDefinitionRef::root_nodes() const {
    return views(detail::root_nodes_of(place().graph));
}

std::vector<GraphNode> GraphDefinitionRef::nodes() const {
    return views(detail::nodes_of(place().graph));
}

std::vector<GraphEdge> GraphDefinitionRef::edges() const {
    const auto [from, to, data] = detail::edges_of(place().graph);
    std::vector<GraphEdge> views;
    views.reserve(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        views.push_back({GraphNode(state_, graph_, from[i]), GraphNode(state_, graph_, to[i]), data[i]});
    }
    return views;
}

void GraphDefinitionRef::remove(const GraphNode& node) const {
    detail::DefinitionState& state = place().state;
    if (node.graph_ != graph_)
        detail::throw_misuse("a GraphDefinition can remove only its own nodes, not those of another graph");
    const auto destroyed = driver::cuGraphDestroyNode(node.native_handle());
    if (!destroyed.ok()) {
        detail::throw_with_advice(destroyed, destroyed.status == driver::CUDA_ERROR_NOT_SUPPORTED
                                                 ? "The driver does not remove nodes of graphs that allocate or free memory."
                                                 : "");
    }
    state.erase_record(node.native_handle());
}

void GraphDefinitionRef::debug_dot_print(const std::string& path, const GraphDebugPrintOptions& options) const {
    detail::print_dot(place().graph, path, options);
}

Graph GraphDefinition::instantiate(const GraphCompleteOptions& options) const {
    const detail::DefinitionState& state = place().state;
    return detail::instantiate(graph_, state.context(), state.objects(), options);
}

// ---- copies ---------------------------------------------------------------------------------------------------------------

GraphDefinition GraphDefinition::clone() const {
    const detail::DefinitionState& state = place().state;
    const auto cloned = driver::cuGraphClone(graph_);
    if (!cloned.ok()) {
        detail::throw_with_advice({cloned.status}, cloned.status == driver::CUDA_ERROR_NOT_SUPPORTED
                                                       ? "The driver does not clone graphs that allocate or free memory, or that "
                                                         "have conditions."
                                                       : "");
    }
    GraphDefinition clone;
    clone.graph_ = cloned.value;
    clone.state_ = new detail::DefinitionState(cloned.value, state.context());
    detail::ObjectList others;  // of nodes in graphs within nodes, whose counterparts are not known
    const detail::NodeList nodes = detail::nodes_of(graph_);
    for (const auto& [node, record] : state.records().map()) {
        if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) {
            others.push_back(record);
        } else {
            clone.state_->put_record(check(driver::cuGraphNodeFindInClone(node, cloned.value)), record);
        }
    }
    if (!others.empty()) {
        clone.state_->put_record(nullptr, std::make_shared<const detail::NodeRecord>(detail::NodeRecord{std::move(others)}));
    }
    return clone;
}

GraphNode GraphDefinition::find_counterpart(const GraphNode& original) const {
    const auto found = driver::cuGraphNodeFindInClone(original.native_handle(), place().graph);
    if (!found.ok()) {
        detail::throw_with_advice({found.status},
                                  "The node has no counterpart: this graph is not a clone of the node's graph, or "
                                  "the counterpart was removed.");
    }
    return GraphNode(state_, graph_, found.value);
}

}  // namespace CUBIND_NAMESPACE
