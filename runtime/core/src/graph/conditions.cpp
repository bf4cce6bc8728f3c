// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/conditions.hpp"

#include <cubind/driver/constants.hpp>
#include <cubind/driver/graph.hpp>

#include "calls/driver.hpp"
#include "calls/required_release.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

constexpr int first_release = 12030;
constexpr int first_release_of_else = 12080;

}  // namespace

driver::CUgraphConditionalHandle create_condition(const char* function, driver::CUgraph graph, driver::CUcontext context,
                                                  std::optional<unsigned int> initial) {
    require_release(function, first_release);
    return cubind::check(driver::cuGraphConditionalHandleCreate(graph, context, initial.value_or(0),
                                                                initial ? driver::CU_GRAPH_COND_ASSIGN_DEFAULT : 0));
}

void ConditionalNodeDescription::check() const {
    if (count == 0) throw_misuse(function, ": the count of graphs is 0, but it must be at least 1");
    const bool is_simple = kind != driver::CU_GRAPH_COND_TYPE_SWITCH && count == 1;
    require_release(function, is_simple ? first_release : first_release_of_else);
}

AddedConditionalNode add_conditional_node(const ConditionalNodePlace& place, const ConditionalNodeDescription& description) {
    driver::CUgraphNodeParams params{};
    params.type = driver::CU_GRAPH_NODE_TYPE_CONDITIONAL;
    params.conditional = {description.condition, description.kind, description.count, nullptr, place.context};
    const auto added = driver::cuGraphAddNode_v2(place.graph, place.dependencies, place.edges, place.count, params);
    if (added.status != driver::CUDA_SUCCESS) {
        throw_with_advice(
            {added.status},
            concat(description.function, ": a condition belongs to the graph that created it, and to one node of that graph."));
    }
    return {added.value1, added.value2.conditional};
}

}  // namespace CUBIND_NAMESPACE::detail
