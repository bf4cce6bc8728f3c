// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/driver/graph.hpp>

#include "calls/driver.hpp"
#include "graph/capture.hpp"
#include "graph/definition_state.hpp"
#include "stream/host_call.hpp"

namespace CUBIND_NAMESPACE {

EmptyNode GraphPosition::empty() const {
    const detail::GraphPlace where = place();
    const driver::CUgraphNode node =
        where.state.add({}, [&] { return check(driver::cuGraphAddEmptyNode(where.graph, where.dependencies, where.count)); });
    return EmptyNode({state_, graph_, node});
}

driver::CUgraphNode detail::add_host_function(const GraphPlace& place, HostFunction function) {
    const std::shared_ptr<HostCall> host_call = HostCall::own(function);
    const driver::CUDA_HOST_NODE_PARAMS params{HostCall::call, host_call.get()};
    return place.state.add(
        {{host_call}}, [&] { return check(driver::cuGraphAddHostNode(place.graph, place.dependencies, place.count, &params)); });
}

EventRecordNode GraphPosition::record(EventRef event) const {
    const detail::GraphPlace where = place();
    const driver::CUevent handle = event.native_handle();
    const driver::CUgraphNode node = where.state.add(
        {}, [&] { return check(driver::cuGraphAddEventRecordNode(where.graph, where.dependencies, where.count, handle)); });
    return EventRecordNode({state_, graph_, node});
}

EventWaitNode GraphPosition::wait(EventRef event) const {
    const detail::GraphPlace where = place();
    const driver::CUevent handle = event.native_handle();
    const driver::CUgraphNode node = where.state.add(
        {}, [&] { return check(driver::cuGraphAddEventWaitNode(where.graph, where.dependencies, where.count, handle)); });
    return EventWaitNode({state_, graph_, node});
}

// ---- graphs within nodes --------------------------------------------------------------------------------------------------

void detail::check_embedded(Result<driver::CUresult> embedded) {
    if (embedded.ok()) return;
    throw_with_advice(embedded, embedded.status == driver::CUDA_ERROR_NOT_SUPPORTED
                                    ? "A graph that allocates or frees memory cannot be embedded."
                                    : "");
}

namespace {

driver::CUgraphNode add_child(driver::CUgraph graph, const driver::CUgraphNode* dependencies, std::size_t count,
                              driver::CUgraph child) {
    const auto added = driver::cuGraphAddChildGraphNode(graph, dependencies, count, child);
    detail::check_embedded({added.status});
    return added.value;
}

driver::CUgraphNode add_child(const detail::GraphPlace& place, driver::CUgraph child, detail::ObjectList objects) {
    return place.state.add({std::move(objects)}, [&] { return add_child(place.graph, place.dependencies, place.count, child); });
}

}  // namespace

ChildGraphNode GraphPosition::embed(const GraphDefinition& child) const {
    const detail::DefinitionState& state = child.place().state;
    return ChildGraphNode({state_, graph_, add_child(place(), child.graph_, state.all_objects())});
}

ChildGraphNode GraphPosition::embed(const GraphBuilder& child) const {
    const driver::CUgraph graph = child.state().captured_graph();
    return ChildGraphNode({state_, graph_, add_child(place(), graph, child.state().all_objects())});
}

void GraphBuilder::embed_graph(driver::CUgraph child, const std::vector<std::shared_ptr<const void>>& objects) const {
    const driver::CUstream handle = detail::StreamAccess::handle(stream());
    for (const auto& object : objects) state().retainer->retain(object);
    const detail::CaptureEnd end = detail::end_of_capture(handle);
    const ScopedContext scope(state().context);
    detail::continue_after(handle, add_child(end.graph, end.nodes.data(), end.nodes.size(), child));
}

void GraphBuilder::embed(const GraphBuilder& child) const {
    embed_graph(child.state().captured_graph(), child.state().all_objects());
}

void GraphBuilder::embed(const GraphDefinition& child) const {
    const detail::DefinitionState& state = detail::NodeAccess::state(child);
    embed_graph(state.graph(), state.all_objects());
}

}  // namespace CUBIND_NAMESPACE
