// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/memory.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

CUresult AllocOperation::make(CUDA_MEM_ALLOC_NODE_PARAMS_v2& requested, const Devices& devices, AllocOperation& operation) {
    const CUmemPoolProps& props = requested.poolProps;
    const bool is_managed = props.allocType == CU_MEM_ALLOCATION_TYPE_MANAGED;
    if (requested.bytesize == 0 || (!is_managed && props.allocType != CU_MEM_ALLOCATION_TYPE_PINNED))
        return CUDA_ERROR_INVALID_VALUE;
    if (props.handleTypes != CU_MEM_HANDLE_TYPE_NONE) return CUDA_ERROR_NOT_SUPPORTED;
    if (props.location.type != CU_MEM_LOCATION_TYPE_DEVICE) {
        const bool exists =
            props.location.type == CU_MEM_LOCATION_TYPE_HOST || props.location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA;
        return is_managed || exists ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_INVALID_VALUE;
    }
    Device* const device = find_device(devices, props.location.id);
    const bool is_access_valid =
        requested.accessDescCount <= devices.size() && (requested.accessDescCount == 0 || requested.accessDescs != nullptr);
    if (device == nullptr || !is_access_valid) return CUDA_ERROR_INVALID_VALUE;
    operation.memory = GraphMemory::make(*device, requested.bytesize, is_managed ? MemoryKind::managed : MemoryKind::device);
    if (operation.memory == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
    if (requested.accessDescCount != 0) {
        operation.access.assign(requested.accessDescs, requested.accessDescs + requested.accessDescCount);
    }
    requested.dptr = operation.memory->base;
    operation.requested = requested;
    return CUDA_SUCCESS;
}

CUDA_MEM_ALLOC_NODE_PARAMS_v2 AllocOperation::parameters() const {
    CUDA_MEM_ALLOC_NODE_PARAMS_v2 parameters = requested;
    parameters.accessDescs = access.empty() ? nullptr : access.data();
    return parameters;
}

CUresult AllocOperation::plan(Plan& plan) const {
    if (plan.frees_first) memory->free(plan.memory);
    plan.allocated.emplace_back();  // added first, so that roll_back() finds the allocation
    std::vector<CUdevice> users;
    for (const CUmemAccessDesc& each : access) {
        if (each.location.type == CU_MEM_LOCATION_TYPE_DEVICE && each.flags != CU_MEM_ACCESS_FLAGS_PROT_NONE)
            users.push_back(each.location.id);
    }
    const CUresult status = memory->allocate(plan.memory, std::move(users), plan.allocated.back());
    if (status != CUDA_SUCCESS) plan.allocated.pop_back();
    return status;
}

CUresult FreeOperation::plan(Plan& plan) const {
    const auto allocation = plan.memory.find(memory->base);
    if (allocation == nullptr || allocation->is_being_freed) return CUDA_ERROR_INVALID_VALUE;
    plan.freed.push_back(memory->base);
    plan.steps.push_back([&map = plan.memory, allocation] {
        map.remove(allocation->base, [&](const Allocation& each) { return &each == allocation.get(); });
    });
    return CUDA_SUCCESS;
}

}  // namespace CUBIND_NAMESPACE::sim
