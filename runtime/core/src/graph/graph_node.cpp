// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/driver/graph.hpp>

#include <algorithm>

#include "calls/driver.hpp"
#include "graph/definition_state.hpp"
#include "graph/node_description.hpp"
#include "graph/node_lists.hpp"

namespace CUBIND_NAMESPACE {

using detail::EdgeList;
using detail::NodeList;

// ---- positions ------------------------------------------------------------------------------------------------------------

detail::GraphPlace GraphPosition::place() const {
    if (state_ == nullptr) detail::throw_moved_from("GraphDefinition");
    if (list_ != nullptr) return {*state_, graph_, list_, count_};
    return {*state_, graph_, node_ != nullptr ? &node_ : nullptr, node_ != nullptr ? 1u : 0u};
}

NodesBefore GraphPosition::after(const std::vector<GraphNode>& nodes) const {
    const detail::GraphPlace before = place();
    std::vector<driver::CUgraphNode> all(before.dependencies, before.dependencies + before.count);
    all.reserve(all.size() + nodes.size());
    for (const GraphNode& node : nodes) {
        if (node.graph_ != graph_) detail::throw_misuse("a node can depend only on nodes of its own graph, not of another graph");
        if (std::find(all.begin(), all.end(), node.node_) == all.end()) all.push_back(node.node_);
    }
    return NodesBefore(state_, graph_, std::move(all));
}

EmptyNode GraphPosition::join(const std::vector<GraphNode>& nodes) const {
    return after(nodes).empty();
}

// ---- kinds ----------------------------------------------------------------------------------------------------------------

driver::CUgraphNodeType GraphNode::type() const {
    return check(driver::cuGraphNodeGetType(node_));
}

void GraphNode::check_type(driver::CUgraphNodeType expected) const {
    const driver::CUgraphNodeType actual = type();
    if (actual == expected) return;
    detail::throw_misuse("the node is of the kind \"", detail::name_of(actual), "\", not \"", detail::name_of(expected), "\"");
}

// ---- the graph of a node --------------------------------------------------------------------------------------------------

GraphDefinitionRef GraphNode::graph() const {
    return {state_, graph_};
}

bool GraphNode::is_valid() const {
    const NodeList nodes = detail::nodes_of(place().graph);
    return std::find(nodes.begin(), nodes.end(), node_) != nodes.end();
}

unsigned int GraphNode::id() const {
    return check(driver::cuGraphNodeGetLocalId(node_));
}

unsigned long long GraphNode::tools_id() const {
    return check(driver::cuGraphNodeGetToolsId(node_));
}

// ---- parameters -----------------------------------------------------------------------------------------------------------

driver::CUDA_HOST_NODE_PARAMS HostCallbackNode::parameters() const {
    return check(driver::cuGraphHostNodeGetParams(native_handle()));
}

EventRef EventRecordNode::event() const {
    return check(driver::cuGraphEventRecordNodeGetEvent(native_handle()));
}

EventRef EventWaitNode::event() const {
    return check(driver::cuGraphEventWaitNodeGetEvent(native_handle()));
}

GraphDefinitionRef ChildGraphNode::child_graph() const {
    return {state_, check(driver::cuGraphChildGraphNodeGetGraph(native_handle()))};
}

// ---- edges ----------------------------------------------------------------------------------------------------------------

std::vector<GraphNode> GraphNode::views(const std::vector<Handle>& nodes) const {
    std::vector<GraphNode> views;
    views.reserve(nodes.size());
    for (const Handle node : nodes) views.push_back(GraphNode(state_, graph_, node));
    return views;
}

std::vector<GraphNode> GraphNode::predecessors() const {
    return views(detail::edges_to(node_).from);
}

std::vector<GraphNode> GraphNode::successors() const {
    return views(detail::edges_from(node_).to);
}

namespace {

void append(EdgeList& edges, driver::CUgraphNode from, driver::CUgraphNode to, const driver::CUgraphEdgeData& data) {
    edges.from.push_back(from);
    edges.to.push_back(to);
    edges.data.push_back(data);
}

// Adds and removes edges so that `wanted` are the nodes at the other ends of the edges of `node`. `current` are the edges of
// `node` in one direction, and `end` selects their other ends.
void replace_ends(driver::CUgraph graph, driver::CUgraphNode node, const EdgeList& current, NodeList EdgeList::*end,
                  const NodeList& wanted) {
    EdgeList added;
    EdgeList removed;
    const auto contains = [](const NodeList& list, driver::CUgraphNode each) {
        return std::find(list.begin(), list.end(), each) != list.end();
    };
    for (const driver::CUgraphNode each : wanted) {
        if (contains(current.*end, each) || contains(added.*end, each)) continue;
        append(added, end == &EdgeList::from ? each : node, end == &EdgeList::from ? node : each, {});
    }
    for (std::size_t i = 0; i < current.from.size(); ++i) {
        if (!contains(wanted, (current.*end)[i])) append(removed, current.from[i], current.to[i], current.data[i]);
    }
    detail::add_edges(graph, added);
    try {
        detail::remove_edges(graph, removed);
    } catch (...) {
        try {
            detail::remove_edges(graph, added);
        } catch (...) {
            detail::report_exception_unless_released("remove the edges of a graph that were added before a failure");
        }
        throw;
    }
}

NodeList handles_of(const GraphNode& of, const std::vector<GraphNode>& nodes) {
    NodeList handles;
    for (const GraphNode& node : nodes) {
        if (node == of) detail::throw_misuse("a node of a graph cannot depend on itself");
        handles.push_back(node.native_handle());
    }
    return handles;
}

}  // namespace

void GraphNode::check_same_graph(const GraphNode& other) const {
    if (other.graph_ != graph_) detail::throw_misuse("an edge cannot connect nodes of different graphs");
}

void GraphNode::set_predecessors(const std::vector<GraphNode>& nodes) const {
    for (const GraphNode& node : nodes) check_same_graph(node);
    replace_ends(graph_, node_, detail::edges_to(node_), &EdgeList::from, handles_of(*this, nodes));
}

void GraphNode::set_successors(const std::vector<GraphNode>& nodes) const {
    for (const GraphNode& node : nodes) check_same_graph(node);
    replace_ends(graph_, node_, detail::edges_from(node_), &EdgeList::to, handles_of(*this, nodes));
}

void GraphNode::add_predecessor(const GraphNode& node) const {
    check_same_graph(node);
    const EdgeList current = detail::edges_to(node_);
    NodeList wanted = handles_of(*this, {node});
    wanted.insert(wanted.end(), current.from.begin(), current.from.end());
    replace_ends(graph_, node_, current, &EdgeList::from, wanted);
}

void GraphNode::add_successor(const GraphNode& node) const {
    node.add_predecessor(*this);
}

void GraphNode::remove_predecessor(const GraphNode& node) const {
    const EdgeList current = detail::edges_to(node_);
    NodeList wanted = current.from;
    std::erase(wanted, node.node_);
    replace_ends(graph_, node_, current, &EdgeList::from, wanted);
}

void GraphNode::remove_successor(const GraphNode& node) const {
    node.remove_predecessor(*this);
}

}  // namespace CUBIND_NAMESPACE
