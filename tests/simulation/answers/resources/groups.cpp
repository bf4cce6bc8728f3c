// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "resources/groups.hpp"

#include <cstdlib>
#include <cstring>

namespace answers {

template <>
std::string text_of(CUdevResource resource) {
    switch (resource.type) {
        case CU_DEV_RESOURCE_TYPE_INVALID:
            return "no resource";
        case CU_DEV_RESOURCE_TYPE_SM:
            return std::to_string(resource.sm.smCount) + " multiprocessors, smallest " +
                   std::to_string(resource.sm.minSmPartitionSize) + " aligned " +
                   std::to_string(resource.sm.smCoscheduledAlignment) + " flags " + std::to_string(resource.sm.flags) +
                   (resource.nextResource != nullptr ? " and more" : "");
        case CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG:
            return "queues of device " + std::to_string(resource.wqConfig.device) + " limit " +
                   std::to_string(resource.wqConfig.wqConcurrencyLimit) + " scope " + text_of(resource.wqConfig.sharingScope);
        default:
            return "type " + std::to_string(static_cast<int>(resource.type));
    }
}

template <>
std::string text_of(CU_DEV_SM_RESOURCE_GROUP_PARAMS group) {
    return std::to_string(group.smCount) + " multiprocessors together " + std::to_string(group.coscheduledSmCount) +
           " preferred " + std::to_string(group.preferredCoscheduledSmCount) + " flags " + std::to_string(group.flags);
}

template <>
std::string text_of(CUtensorMap map) {
    unsigned char bytes[sizeof map];
    std::memcpy(bytes, &map, sizeof map);
    std::size_t count = sizeof map;
    while (count > 0 && bytes[count - 1] == 0) --count;
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += "0123456789abcdef"[bytes[i] >> 4];
        text += "0123456789abcdef"[bytes[i] & 15];
    }
    return text.empty() ? "0" : text;
}

CUcontext use_device() {
    if (!cuInit(0).ok()) std::exit(4);
    const auto [status, context] = cuDevicePrimaryCtxRetain(0);
    if (status != CUDA_SUCCESS || !cuCtxSetCurrent(context).ok()) std::exit(5);
    return context;
}

CUdevResource all_multiprocessors() {
    return cuDeviceGetDevResource(0, CU_DEV_RESOURCE_TYPE_SM).value;
}

std::vector<CUdevResource> groups_of(unsigned size, unsigned count) {
    std::vector<CUdevResource> groups(count);
    const CUdevResource input = all_multiprocessors();
    groups.resize(cuDevSmResourceSplitByCount(groups.data(), count, &input, 0, size).value1);
    return groups;
}

CUgreenCtx create_green_context(std::vector<CUdevResource> resources) {
    const auto [status, descriptor] = cuDevResourceGenerateDesc(resources.data(), static_cast<unsigned>(resources.size()));
    return status == CUDA_SUCCESS ? cuGreenCtxCreate(descriptor, 0, CU_GREEN_CTX_DEFAULT_STREAM).value : nullptr;
}

}  // namespace answers
