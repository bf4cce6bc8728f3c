// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <vector>

/// The lists that the driver returns in two calls: one for the length, and one for the elements.
namespace CUBIND_NAMESPACE::detail {

using NodeList = std::vector<driver::CUgraphNode>;
using EdgeDataList = std::vector<driver::CUgraphEdgeData>;

/// Edges of a graph, as lists of the same length.
struct EdgeList {
    NodeList from = {};
    NodeList to = {};
    EdgeDataList data = {};  ///< zero before CUDA 12.3, which has ordinary edges only
};

/// Returns the nodes of a graph (cuGraphGetNodes).
NodeList nodes_of(driver::CUgraph graph);
/// Returns the nodes that depend on no other node (cuGraphGetRootNodes).
NodeList root_nodes_of(driver::CUgraph graph);
/// Returns the edges of a graph (cuGraphGetEdges).
EdgeList edges_of(driver::CUgraph graph);
/// Returns the edges that end at a node (cuGraphNodeGetDependencies).
EdgeList edges_to(driver::CUgraphNode node);
/// Returns the edges that begin at a node (cuGraphNodeGetDependentNodes).
EdgeList edges_from(driver::CUgraphNode node);

/// Adds edges (cuGraphAddDependencies).
void add_edges(driver::CUgraph graph, const EdgeList& edges);
/// Removes edges (cuGraphRemoveDependencies).
void remove_edges(driver::CUgraph graph, const EdgeList& edges);

}  // namespace CUBIND_NAMESPACE::detail
