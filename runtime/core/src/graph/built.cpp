// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// What becomes of a graph that a builder has built.

#include <cubind/core/graph_builder.hpp>
#include <cubind/driver/graph.hpp>

#include "graph/capture.hpp"
#include "graph/graph_work.hpp"
#include "support/driver.hpp"
#include "support/relaxed_capture_mode.hpp"

namespace cubind {
namespace {

// In the order of GraphDebugPrintOptions, whose first member stands for all.
unsigned int dot_flags(const GraphDebugPrintOptions& options) {
    unsigned int flags = 0;
    const auto add = [&](bool wanted, driver::CUgraphDebugDot_flags flag) { flags |= wanted ? static_cast<unsigned int>(flag) : 0U; };
    add(options.verbose, driver::CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE);
    add(options.runtime_types, driver::CU_GRAPH_DEBUG_DOT_FLAGS_RUNTIME_TYPES);
    add(options.kernel_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS);
    add(options.memcpy_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS);
    add(options.memset_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS);
    add(options.host_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_HOST_NODE_PARAMS);
    add(options.event_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_EVENT_NODE_PARAMS);
    add(options.ext_semas_signal_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_SIGNAL_NODE_PARAMS);
    add(options.ext_semas_wait_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_EXT_SEMAS_WAIT_NODE_PARAMS);
    add(options.kernel_node_attributes, driver::CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_ATTRIBUTES);
    add(options.handles, driver::CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES);
    add(options.mem_alloc_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_MEM_ALLOC_NODE_PARAMS);
    add(options.mem_free_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_MEM_FREE_NODE_PARAMS);
    add(options.batch_mem_op_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_BATCH_MEM_OP_NODE_PARAMS);
    add(options.extra_topo_info, driver::CU_GRAPH_DEBUG_DOT_FLAGS_EXTRA_TOPO_INFO);
    add(options.conditional_node_params, driver::CU_GRAPH_DEBUG_DOT_FLAGS_CONDITIONAL_NODE_PARAMS);
    return flags;
}

driver::CUDA_GRAPH_INSTANTIATE_PARAMS native(const GraphCompleteOptions& options) {
    driver::CUDA_GRAPH_INSTANTIATE_PARAMS params{};
    if (options.auto_free_on_launch) params.flags |= driver::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    if (options.use_node_priority) params.flags |= driver::CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
    if (options.device_launch) params.flags |= driver::CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
    if (options.upload_stream) {
        params.flags |= driver::CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
        params.hUploadStream = options.upload_stream->native_handle();
    }
    return params;
}

}  // namespace

driver::CUgraph GraphBuilder::native_handle() const {
    const driver::CUgraph graph = state().built();
    state().keep_by_graph();
    return graph;
}

Graph GraphBuilder::complete(const GraphCompleteOptions& options) const {
    const driver::CUgraph built = state().built();
    auto of_graph = std::make_unique<detail::GraphState>(state().kept);
    const ScopedContext scope(state().context);
    const detail::RelaxedCaptureMode mode;
    const auto made = driver::cuGraphInstantiateWithParams(built, native(options));
    if (made.status != driver::CUDA_SUCCESS) {
        detail::throw_with_advice({made.status}, std::string("The graph cannot run: ").append(driver::to_string(made.value2.result_out)));
    }
    return Graph(made.value1, of_graph.release());
}

void GraphBuilder::debug_dot_print(const std::string& path, const GraphDebugPrintOptions& options) const {
    const auto printed = driver::cuGraphDebugDotPrint(state().built(), path.c_str(), dot_flags(options));
    if (printed.ok()) return;
    detail::throw_with_advice(printed, detail::concat("The file was to be \"", path, "\"; its folder has to be there and writable."));
}

// ---- a graph that can run ------------------------------------------------------------------------------------------------

Graph Graph::from_native_handle(Handle handle) {
    return Graph(handle, new detail::GraphState(nullptr));
}

void GraphRef::launch(StreamRef stream) const {
    if (state_ != nullptr) return state_->work().launch(native_handle(), stream);
    check(driver::cuGraphLaunch(native_handle(), stream.native_handle()));
}

void GraphRef::upload(StreamRef stream) const {
    check(driver::cuGraphUpload(native_handle(), stream.native_handle()));
}

void GraphRef::update(const GraphBuilder& builder) const {
    // Who only views a graph cannot keep anything for it.
    const driver::CUgraph built = state_ != nullptr ? builder.state().built() : builder.native_handle();
    auto work = state_ != nullptr ? std::make_unique<detail::GraphWork>(builder.state().kept) : nullptr;
    const auto [status, why] = driver::cuGraphExecUpdate(native_handle(), built);
    if (status == driver::CUDA_SUCCESS) {
        if (state_ != nullptr) state_->set_work(std::move(work));
        return;
    }
    detail::throw_with_advice({status}, std::string("The builder's graph is another one than this graph was made from: ")
                             .append(driver::to_string(why.result))
                             .append("; complete() the builder for a new graph."));
}

void GraphRef::destroy() const {
    const detail::RelaxedCaptureMode mode;
    check(driver::cuGraphExecDestroy(handle_));
    delete state_;
}

void GraphRef::destroy_quietly() const noexcept {
    const detail::RelaxedCaptureMode mode;
    detail::report_unless_released(driver::cuGraphExecDestroy(handle_), "destroy a graph that can run", handle_);
    delete state_;
}

GraphRef::Handle GraphRef::release_handle() const noexcept {
    state_->disown_work();
    delete state_;
    return handle_;
}

}  // namespace cubind
