// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/node_lists.hpp"

#include <cubind/driver/graph.hpp>
#include <cubind/driver/loading.hpp>

#include "calls/driver.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

// Returns whether the driver has edges with data: since CUDA 12.3. Its functions without data fail for such edges.
bool has_edge_data() {
    return driver::has(driver::cuGraphGetEdges_v2);
}

// Reads the nodes at the other ends of a node's edges. `newer` and `older` are the functions with and without data.
template <class Newer, class Older>
NodeList read_ends(driver::CUgraphNode node, EdgeDataList& data, const Newer& newer, const Older& older) {
    const bool has_data = has_edge_data();
    const auto read = [&](driver::CUgraphNode* ends, driver::CUgraphEdgeData* each, std::size_t count) {
        return check(has_data ? newer(node, ends, each, count) : older(node, ends, count));
    };
    NodeList ends(read(nullptr, nullptr, 0));
    data.resize(ends.size());
    if (!ends.empty()) (void)read(ends.data(), data.data(), ends.size());
    return ends;
}

template <class Function>
NodeList read_nodes(driver::CUgraph graph, const Function& function) {
    NodeList nodes(check(function(graph, nullptr, 0)));
    if (!nodes.empty()) (void)check(function(graph, nodes.data(), nodes.size()));
    return nodes;
}

}  // namespace

NodeList nodes_of(driver::CUgraph graph) {
    return read_nodes(graph, driver::cuGraphGetNodes);
}

NodeList root_nodes_of(driver::CUgraph graph) {
    return read_nodes(graph, driver::cuGraphGetRootNodes);
}

EdgeList edges_of(driver::CUgraph graph) {
    const bool has_data = has_edge_data();
    const auto read = [&](driver::CUgraphNode* from, driver::CUgraphNode* to, driver::CUgraphEdgeData* data, std::size_t count) {
        return check(has_data ? driver::cuGraphGetEdges_v2(graph, from, to, data, count)
                              : driver::cuGraphGetEdges_v1(graph, from, to, count));
    };
    const std::size_t count = read(nullptr, nullptr, nullptr, 0);
    EdgeList edges{NodeList(count), NodeList(count), EdgeDataList(count)};
    if (count != 0) (void)read(edges.from.data(), edges.to.data(), edges.data.data(), count);
    return edges;
}

EdgeList edges_to(driver::CUgraphNode node) {
    EdgeList edges;
    edges.from = read_ends(
        node, edges.data, [](auto... each) { return driver::cuGraphNodeGetDependencies_v2(each...); },
        [](auto... each) { return driver::cuGraphNodeGetDependencies_v1(each...); });
    edges.to.assign(edges.from.size(), node);
    return edges;
}

EdgeList edges_from(driver::CUgraphNode node) {
    EdgeList edges;
    edges.to = read_ends(
        node, edges.data, [](auto... each) { return driver::cuGraphNodeGetDependentNodes_v2(each...); },
        [](auto... each) { return driver::cuGraphNodeGetDependentNodes_v1(each...); });
    edges.from.assign(edges.to.size(), node);
    return edges;
}

void add_edges(driver::CUgraph graph, const EdgeList& edges) {
    const auto& [from, to, data] = edges;
    if (from.empty()) return;
    check(has_edge_data() ? driver::cuGraphAddDependencies_v2(graph, from.data(), to.data(), data.data(), from.size())
                          : driver::cuGraphAddDependencies_v1(graph, from.data(), to.data(), from.size()));
}

void remove_edges(driver::CUgraph graph, const EdgeList& edges) {
    const auto& [from, to, data] = edges;
    if (from.empty()) return;
    const auto removed = has_edge_data()
                             ? driver::cuGraphRemoveDependencies_v2(graph, from.data(), to.data(), data.data(), from.size())
                             : driver::cuGraphRemoveDependencies_v1(graph, from.data(), to.data(), from.size());
    if (removed.ok()) return;
    throw_with_advice(removed, removed.status == driver::CUDA_ERROR_NOT_SUPPORTED
                                   ? "The driver does not remove edges of graphs that allocate or free memory."
                                   : "");
}

}  // namespace CUBIND_NAMESPACE::detail
