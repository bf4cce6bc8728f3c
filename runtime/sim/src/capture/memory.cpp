// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "capture/capture.hpp"
#include "graph/node_params.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Captures the node that the parameters describe.
CUresult capture_node(const StreamCheck& stream, CUgraphNodeParams& parameters) {
    const std::lock_guard lock(machine().graph_store.mutex);
    const auto capture = capture_of(*stream);
    if (capture == nullptr || capture->is_invalid) return capture_locked(stream, EmptyOperation{});  // returns the error
    Operation operation;
    if (const CUresult status = make_operation(parameters, *capture->graph, operation)) return status;
    if (const CUresult status = check(operation)) return status;
    return capture_locked(stream, std::move(operation));
}

}  // namespace

CUresult capture_allocation(const StreamCheck& stream, Device& device, std::size_t bytes, CUdeviceptr& address) {
    CUgraphNodeParams parameters{};
    parameters.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
    parameters.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    parameters.alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    parameters.alloc.poolProps.location.id = device.ordinal;
    parameters.alloc.bytesize = bytes;
    const CUresult status = capture_node(stream, parameters);
    if (status == CUDA_SUCCESS) address = parameters.alloc.dptr;
    return status;
}

CUresult capture_free(const StreamCheck& stream, CUdeviceptr address) {
    CUgraphNodeParams parameters{};
    parameters.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
    parameters.free.dptr = address;
    return capture_node(stream, parameters);
}

}  // namespace CUBIND_NAMESPACE::sim
