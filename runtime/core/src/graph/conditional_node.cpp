// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_condition.hpp>
#include <cubind/driver/graph.hpp>

#include <optional>

#include "calls/driver.hpp"
#include "calls/required_release.hpp"
#include "graph/conditions.hpp"
#include "graph/definition_state.hpp"

namespace CUBIND_NAMESPACE {

namespace {

GraphCondition::Handle create_handle(const detail::GraphPlace& place, std::optional<unsigned int> initial) {
    return detail::create_condition("GraphDefinitionRef::create_condition", place.graph, detail::context_of(place), initial);
}

}  // namespace

GraphCondition GraphDefinitionRef::create_condition() const {
    return GraphCondition(create_handle(place(), std::nullopt));
}

GraphCondition GraphDefinitionRef::create_condition(unsigned int initial) const {
    return GraphCondition(create_handle(place(), initial));
}

// ---- nodes ----------------------------------------------------------------------------------------------------------------

GraphNode GraphPosition::add_conditional(const char* function, const GraphCondition& condition,
                                         driver::CUgraphConditionalNodeType kind, unsigned int count) const {
    const detail::GraphPlace where = place();
    const detail::ConditionalNodeDescription description{function, condition.native_handle(), kind, count};
    description.check();
    const auto record = std::make_shared<detail::NodeRecord>();
    const driver::CUgraphNode node = where.state.add_shared(record, [&] {
        const auto [added, parameters] = detail::add_conditional_node(
            {where.graph, detail::context_of(where), where.dependencies, nullptr, where.count}, description);
        record->conditional = parameters;
        return added;
    });
    return GraphNode(state_, graph_, node);
}

IfNode GraphPosition::if_then(const GraphCondition& condition) const {
    return IfNode(add_conditional("GraphPosition::if_then", condition, driver::CU_GRAPH_COND_TYPE_IF, 1));
}

IfElseNode GraphPosition::if_else(const GraphCondition& condition) const {
    return IfElseNode(add_conditional("GraphPosition::if_else", condition, driver::CU_GRAPH_COND_TYPE_IF, 2));
}

WhileNode GraphPosition::while_loop(const GraphCondition& condition) const {
    return WhileNode(add_conditional("GraphPosition::while_loop", condition, driver::CU_GRAPH_COND_TYPE_WHILE, 1));
}

SwitchNode GraphPosition::switch_on(const GraphCondition& condition, unsigned int count) const {
    return SwitchNode(add_conditional("GraphPosition::switch_on", condition, driver::CU_GRAPH_COND_TYPE_SWITCH, count));
}

// ---- parameters -----------------------------------------------------------------------------------------------------------

namespace {

driver::CUDA_CONDITIONAL_NODE_PARAMS parameters_of(const ConditionalNode& node) {
    const auto record = detail::NodeAccess::state(node).record(node.native_handle());
    if (record != nullptr && record->conditional.size != 0) return record->conditional;
    detail::require_release("the description of a conditional node that cubind did not add", 13020);
    return check(driver::cuGraphNodeGetParams(node.native_handle())).conditional;
}

}  // namespace

driver::CUgraphConditionalNodeType ConditionalNode::kind() const {
    return parameters_of(*this).type;
}

GraphCondition ConditionalNode::condition() const {
    return GraphCondition(parameters_of(*this).handle);
}

std::vector<GraphDefinitionRef> ConditionalNode::branches() const {
    const auto params = parameters_of(*this);
    std::vector<GraphDefinitionRef> branches;
    branches.reserve(params.size);
    for (unsigned int i = 0; i < params.size; ++i) branches.push_back(GraphDefinitionRef(state_, params.phGraph_out[i]));
    return branches;
}

GraphDefinitionRef ConditionalNode::branch_at(std::size_t index) const {
    const auto params = parameters_of(*this);
    if (index >= params.size) {
        detail::throw_misuse("the conditional node has ", params.size, " graphs, so there is no graph with the index ", index);
    }
    return {state_, params.phGraph_out[index]};
}

}  // namespace CUBIND_NAMESPACE
