// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "graph/capture/capture.hpp"
#include "graph/node_rules.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

// Captures the operation that `make(graph, operation)` creates.
template <class Kind, class Make>
CUresult capture_created(GraphStore& store, const std::shared_ptr<Stream>& stream, Make make) {
    const std::lock_guard lock(store.mutex);
    const auto capture = capture_of(store, *stream);
    if (capture == nullptr || capture->is_invalid) return capture_locked(store, stream, EmptyOperation{});  // returns the error
    Kind operation;
    if (const CUresult status = make(*capture->graph, operation)) return status;
    if (const CUresult status = operation.check()) return status;
    return capture_locked(store, stream, std::move(operation));
}

}  // namespace

CUresult capture_allocation(GraphStore& store, const Devices& devices, const std::shared_ptr<Stream>& stream,
                            const Device& device, std::size_t bytes, CUdeviceptr& address) {
    CUDA_MEM_ALLOC_NODE_PARAMS_v2 parameters{};
    parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    parameters.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    parameters.poolProps.location.id = device.ordinal;
    parameters.bytesize = bytes;
    const CUresult status = capture_created<AllocOperation>(store, stream, [&](const Graph&, AllocOperation& operation) {
        const CUresult made = AllocOperation::make(parameters, devices, operation);
        if (made == CUDA_SUCCESS) store.memories.add(operation.memory);
        return made;
    });
    if (status == CUDA_SUCCESS) address = parameters.dptr;
    return status;
}

CUresult capture_free(GraphStore& store, const std::shared_ptr<Stream>& stream, CUdeviceptr address) {
    return capture_created<FreeOperation>(
        store, stream, [&](const Graph& graph, FreeOperation& operation) { return make_free(store, graph, address, operation); });
}

}  // namespace CUBIND_NAMESPACE::sim
