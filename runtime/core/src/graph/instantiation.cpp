// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/instantiation.hpp"

#include <cubind/core/stream/detail/stream_access.hpp>
#include <cubind/driver/graph.hpp>
#include <cubind/driver/strings.hpp>

#include "calls/driver.hpp"
#include "graph/node_description.hpp"
#include "lifetime/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

driver::CUDA_GRAPH_INSTANTIATE_PARAMS native(const GraphCompleteOptions& options) {
    driver::CUDA_GRAPH_INSTANTIATE_PARAMS params{};
    if (options.auto_free_on_launch) params.flags |= driver::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    if (options.use_node_priority) params.flags |= driver::CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
    if (options.device_launch) params.flags |= driver::CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH;
    if (options.upload_stream) {
        params.flags |= driver::CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD;
        params.hUploadStream = StreamAccess::handle(*options.upload_stream);
    }
    return params;
}

}  // namespace

Graph instantiate(driver::CUgraph graph, ContextRef context, GraphObjects objects, const GraphCompleteOptions& options) {
    auto state = std::make_unique<GraphState>(std::move(objects));
    const ScopedContext scope(context);
    const RelaxedCaptureMode mode;
    const auto [status, executable, params] = driver::cuGraphInstantiateWithParams(graph, native(options));
    if (status != driver::CUDA_SUCCESS) {
        std::string reason = concat("The graph cannot be instantiated: ", driver::to_string(params.result_out));
        if (params.hErrNode_out != nullptr) reason.append("; the node is ").append(describe_node(graph, params.hErrNode_out));
        throw_with_advice({status}, reason.append("."));
    }
    destroy_ready_objects();  // of earlier graphs
    return GraphAccess::make(executable, state.release());
}

}  // namespace CUBIND_NAMESPACE::detail
