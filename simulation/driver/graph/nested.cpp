// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/nested.hpp"

#include "graph/graph.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

using Steps = std::vector<WorkQueue::Work>;

// Plans a body separately. Only its steps are separate; all else becomes part of the launch.
CUresult plan_body(const Graph& graph, Plan& plan, Steps& steps) {
    steps.swap(plan.steps);
    const CUresult status = graph.plan(plan);
    steps.swap(plan.steps);
    return status;
}

void run_selected_body(CUgraphConditionalNodeType kind, const std::atomic<unsigned>& value, const std::vector<Steps>& bodies,
                       const Context& context) {
    switch (kind) {
        case CU_GRAPH_COND_TYPE_IF:
            if (value.load() != 0) {
                run_steps(bodies[0]);
            } else if (bodies.size() > 1) {
                run_steps(bodies[1]);
            }
            break;
        case CU_GRAPH_COND_TYPE_WHILE:
            while (value.load() != 0 && context.is_alive() && context.device.fault() == CUDA_SUCCESS) run_steps(bodies[0]);
            break;
        case CU_GRAPH_COND_TYPE_SWITCH:
            if (const unsigned chosen = value.load(); chosen < bodies.size()) run_steps(bodies[chosen]);
            break;
    }
}

}  // namespace

CUresult ChildOperation::plan(Plan& plan) const {
    return graph->plan(plan);
}

CUresult ConditionalOperation::plan(Plan& plan) const {
    std::vector<Steps> planned(bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (const CUresult status = plan_body(*bodies[i], plan, planned[i])) return status;
    }
    plan.starts.push_back([condition = condition] {
        if (condition->is_reset_by_launches) condition->value.store(condition->initial_value);
    });
    plan.steps.push_back([kind = kind, condition = condition, planned = std::move(planned), context = plan.context] {
        run_selected_body(kind, condition->value, planned, *context);
    });
    return CUDA_SUCCESS;
}

CUDA_CONDITIONAL_NODE_PARAMS ConditionalOperation::parameters() const {
    return {.handle = condition->handle,
            .type = kind,
            .size = static_cast<unsigned>(bodies.size()),
            .phGraph_out = handles->data(),
            .ctx = condition->context};
}

void ConditionalOperation::set_bodies(std::vector<std::shared_ptr<Graph>> graphs) {
    bodies = std::move(graphs);
    handles = std::make_shared<std::vector<CUgraph>>();
    for (const auto& body : bodies) handles->push_back(body->handle);
}

}  // namespace CUBIND_NAMESPACE::sim
