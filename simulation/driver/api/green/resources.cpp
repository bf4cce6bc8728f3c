// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/green_check.hpp"
#include "machine/stream_check.hpp"
#include "objects/green/sm_resource.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Checks the type of a query. CU_DEV_RESOURCE_TYPE_WORKQUEUE is invalid, because simulated contexts have no work queues to share.
CUresult check_query(const CUdevResource* resource, CUdevResourceType type) {
    if (resource == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (type == CU_DEV_RESOURCE_TYPE_SM) return CUDA_SUCCESS;
    constexpr int first_release_of_queues = 13010;
    const bool has_queues = type == CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG && machine().release >= first_release_of_queues;
    return has_queues ? CUDA_SUCCESS : CUDA_ERROR_INVALID_RESOURCE_TYPE;
}

CUresult query(const Device& device, CUdevResource* resource, CUdevResourceType type) {
    if (const CUresult status = check_query(resource, type)) return status;
    return write_output(resource, type == CU_DEV_RESOURCE_TYPE_SM ? multiprocessors_of(device) : work_queues_of(device));
}

// Writes the resource of a green context. If the green context was created without one of this type, writes the resource of its
// device. Several groups of multiprocessors are merged.
CUresult query(const GreenContext& green, CUdevResource* resource, CUdevResourceType type) {
    if (const CUresult status = check_query(resource, type)) return status;
    const Device& device = green.context->device;
    return has_resource(green.resources, type) ? write_output(resource, merged_resource(device, green.resources, type))
                                               : query(device, resource, type);
}

constexpr int first_release_of_groups = 13010;  // the first with cuDevSmResourceSplit

// Before that release, results of a split do not tell how they can be split.
void hide_granularity(CUdevResource& resource) {
    if (resource.type != CU_DEV_RESOURCE_TYPE_SM) return;
    resource.sm.minSmPartitionSize = 0;
    resource.sm.smCoscheduledAlignment = 0;
}

CUresult query_stream(CUstream handle, CUdevResource* resource, CUdevResourceType type) {
    const Valid<StreamCheck> stream(handle);
    const auto green = stream.green();
    return green != nullptr ? query(*green, resource, type) : query(stream->context->device, resource, type);
}

}  // namespace

extern "C" {

CUresult sim_cuDeviceGetDevResource(CUdevice device, CUdevResource* resource, CUdevResourceType type) {
    const Valid<DeviceCheck> found(device);
    return query(*found, resource, type);
}

CUresult sim_cuCtxGetDevResource(CUcontext hCtx, CUdevResource* resource, CUdevResourceType type) {
    const Valid<ContextCheck> context(hCtx);
    if (!context->is_alive()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    const auto& green = context.found.green;
    return green != nullptr ? query(*green, resource, type) : query(context->device, resource, type);
}

CUresult sim_cuGreenCtxGetDevResource(CUgreenCtx hCtx, CUdevResource* resource, CUdevResourceType type) {
    const Valid<GreenCheck> green(hCtx);
    return query(*green.green, resource, type);
}

CUresult sim_cuStreamGetDevResource(CUstream hStream, CUdevResource* resource, CUdevResourceType type) {
    return query_stream(hStream, resource, type);
}

CUresult sim_cuDevSmResourceSplitByCount(CUdevResource* result, unsigned int* nbGroups, const CUdevResource* input,
                                         CUdevResource* remainder, unsigned int flags, unsigned int minCount) {
    if (const CUresult status = check_initialized()) return status;
    if (nbGroups == nullptr || input == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (result != nullptr && *nbGroups == 0) return CUDA_ERROR_INVALID_VALUE;
    const CUresult status = split_by_count(result, *nbGroups, *input, remainder, flags, minCount);
    if (status != CUDA_SUCCESS || result == nullptr || machine().release >= first_release_of_groups) return status;
    for (unsigned i = 0; i < *nbGroups; ++i) hide_granularity(result[i]);
    if (remainder != nullptr) hide_granularity(*remainder);
    return CUDA_SUCCESS;
}

CUresult sim_cuDevSmResourceSplit(CUdevResource* result, unsigned int nbGroups, const CUdevResource* input,
                                  CUdevResource* remainder, unsigned int flags, CU_DEV_SM_RESOURCE_GROUP_PARAMS* groupParams) {
    if (const CUresult status = check_initialized()) return status;
    if (input == nullptr || groupParams == nullptr || nbGroups == 0 || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    ResourceOrigin origin{};
    if (input->type != CU_DEV_RESOURCE_TYPE_SM) return CUDA_ERROR_INVALID_RESOURCE_TYPE;
    const Device* const device = read_origin(*input, origin) ? find_device(origin.device) : nullptr;
    if (device == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return split(result, nbGroups, *input, remainder, groupParams, *device);
}

// A descriptor exists until the process ends.
CUresult sim_cuDevResourceGenerateDesc(CUdevResourceDesc* phDesc, CUdevResource* resources, unsigned int nbResources) {
    if (const CUresult status = check_initialized()) return status;
    if (phDesc == nullptr || resources == nullptr || nbResources == 0) return CUDA_ERROR_INVALID_VALUE;
    CUdevice device = 0;
    // According to its documentation, every release makes this check. As the answers of a GPU show, 13.0 does not.
    const bool needs_one_split = machine().release >= first_release_of_groups;
    if (const CUresult status = check_resources(resources, nbResources, needs_one_split, device)) return status;
    std::vector<CUdevResource> copies(resources, resources + nbResources);
    return write_output(phDesc, add_new(machine().resource_descriptors, device, std::move(copies))->handle);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
