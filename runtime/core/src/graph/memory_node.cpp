// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device.hpp>
#include <cubind/core/graph/graph_definition.hpp>
#include <cubind/core/memory/memory_location.hpp>
#include <cubind/driver/graph.hpp>

#include <span>

#include "calls/driver.hpp"
#include "device/device_table.hpp"
#include "graph/definition_state.hpp"
#include "memory/refusals.hpp"

namespace CUBIND_NAMESPACE {

namespace {

driver::CUmemPoolProps pool_properties(MemoryType kind, Device device) {
    driver::CUmemPoolProps properties{};
    properties.allocType =
        kind == MemoryType::managed ? driver::CU_MEM_ALLOCATION_TYPE_MANAGED : driver::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = kind == MemoryType::host ? MemoryLocation(Host{}).native() : MemoryLocation(device).native();
    return properties;
}

void check_kind(const GraphAllocationOptions& options) {
    if (options.memory_type == MemoryType::unregistered) {
        detail::throw_misuse(
            "GraphAllocationOptions: a graph allocates device, host or managed memory, not MemoryType::unregistered");
    }
    if (options.memory_type == MemoryType::host && options.device) {
        detail::throw_misuse("GraphAllocationOptions sets device ", options.device->ordinal(),
                             " for host memory, which belongs to no device");
    }
}

}  // namespace

AllocationNode GraphPosition::allocate(std::size_t size, const GraphAllocationOptions& options) const {
    if (size == 0) detail::throw_misuse("a graph cannot allocate 0 bytes: an allocation needs at least 1 byte");
    check_kind(options);
    const detail::GraphPlace where = place();
    const Device device = options.device ? *options.device : where.state.context().device();
    std::vector<driver::CUmemAccessDesc> access;
    for (const Device peer : options.peer_accessible_by) {
        if (peer != device) access.push_back({MemoryLocation(peer).native(), driver::CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
    }
    driver::CUDA_MEM_ALLOC_NODE_PARAMS params{};
    params.poolProps = pool_properties(options.memory_type, device);
    params.accessDescs = access.data();
    params.accessDescCount = access.size();
    params.bytesize = size;
    const driver::CUgraphNode node = where.state.add({}, [&] {
        const auto added = driver::cuGraphAddMemAllocNode(where.graph, where.dependencies, where.count, params);
        if (added.status == driver::CUDA_ERROR_NOT_SUPPORTED && options.memory_type != MemoryType::device) {
            detail::throw_with_advice({added.status}, detail::concat("This driver allocates no ",
                                                                     options.memory_type == MemoryType::host ? "host" : "managed",
                                                                     " memory in graphs."));
        }
        if (added.status != driver::CUDA_SUCCESS) {
            detail::throw_not_allocated({added.status, 0}, size, StreamRef::legacy_default(), device, "a node of a graph");
        }
        return added.value1;
    });
    where.state.note_memory_node();
    return AllocationNode({state_, graph_, node});
}

FreeNode GraphPosition::free(const AllocationNode& allocation) const {
    return free(allocation.address());
}

FreeNode GraphPosition::free(driver::CUdeviceptr address) const {
    const detail::GraphPlace where = place();
    const driver::CUgraphNode node = where.state.add({}, [&] {
        const auto added = driver::cuGraphAddMemFreeNode(where.graph, where.dependencies, where.count, address);
        if (!added.ok()) {
            detail::throw_with_advice({added.status},
                                      "A graph can free memory that a node of a graph allocates, by the address of the "
                                      "allocation, and only once; in the graph of the allocation, the free must depend on the "
                                      "allocation.");
        }
        return added.value;
    });
    where.state.note_memory_node();
    return FreeNode({state_, graph_, node});
}

// ---- the parameters of nodes ----------------------------------------------------------------------------------------------

driver::CUdeviceptr AllocationNode::address() const {
    return check(driver::cuGraphMemAllocNodeGetParams(native_handle())).dptr;
}

std::size_t AllocationNode::size() const {
    return check(driver::cuGraphMemAllocNodeGetParams(native_handle())).bytesize;
}

std::span<std::byte> AllocationNode::bytes() const {
    return {reinterpret_cast<std::byte*>(address()), size()};
}

MemoryType AllocationNode::memory_type() const {
    const auto properties = check(driver::cuGraphMemAllocNodeGetParams(native_handle())).poolProps;
    if (properties.allocType == driver::CU_MEM_ALLOCATION_TYPE_MANAGED) return MemoryType::managed;
    return properties.location.type == driver::CU_MEM_LOCATION_TYPE_DEVICE ? MemoryType::device : MemoryType::host;
}

Device AllocationNode::device() const {
    const auto location = check(driver::cuGraphMemAllocNodeGetParams(native_handle())).poolProps.location;
    if (location.type != driver::CU_MEM_LOCATION_TYPE_DEVICE) {
        detail::throw_misuse("AllocationNode::device(): the node allocates host memory, which belongs to no device");
    }
    return Device(location.id);
}

std::vector<Device> AllocationNode::peer_accessible_by() const {
    const auto params = check(driver::cuGraphMemAllocNodeGetParams(native_handle()));
    std::vector<Device> devices;
    for (const driver::CUmemAccessDesc& each : std::span(params.accessDescs, params.accessDescCount)) {
        if (each.location.id != params.poolProps.location.id) devices.push_back(Device(each.location.id));
    }
    return devices;
}

driver::CUdeviceptr FreeNode::address() const {
    return check(driver::cuGraphMemFreeNodeGetParams(native_handle()));
}

}  // namespace CUBIND_NAMESPACE
