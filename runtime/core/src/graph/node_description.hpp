// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <string>

namespace CUBIND_NAMESPACE::detail {

/// Returns the name of a kind of nodes, such as "kernel".
const char* name_of(driver::CUgraphNodeType type) noexcept;

/// Describes a node of the graph for a message, such as `node 2, of kind "kernel", kernel "add"`. Nodes are counted from 0 in the
/// order of GraphDefinitionRef::nodes(). Describes a node of another graph as such. Does not throw Error.
std::string describe_node(driver::CUgraph graph, driver::CUgraphNode node);

}  // namespace CUBIND_NAMESPACE::detail
