// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "work/kernel/launch_attributes.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

// Returns the first release whose driver accepts an attribute.
int first_release(CUlaunchAttributeID id) noexcept {
    switch (id) {
        case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
            return 12030;
        case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
            return 12040;
        case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            return 12050;
        case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
            return 12080;
        case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING:
            return 13000;
        case CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE:
        case CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE:
            return 13020;
        default:
            return 12000;
    }
}

bool is_valid(const CUlaunchAttribute& attribute) noexcept {
    switch (attribute.id) {
        case CU_LAUNCH_ATTRIBUTE_IGNORE:
        case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
        case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
        case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT:
        case CU_LAUNCH_ATTRIBUTE_PRIORITY:
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
        case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
        case CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT:
        case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
        case CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING:
        case CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE:
        case CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE:
            return true;
        case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
            return attribute.value.clusterSchedulingPolicyPreference <= CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING;
        case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
            return attribute.value.memSyncDomain <= CU_LAUNCH_MEM_SYNC_DOMAIN_REMOTE;
        case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
            return attribute.value.sharedMemCarveout <= 100;
        default:
            return false;  // SYNCHRONIZATION_POLICY applies to streams only
    }
}

}  // namespace

CUresult check_attributes(const CUlaunchConfig& config, int release) noexcept {
    if (config.numAttrs != 0 && config.attrs == nullptr) return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < config.numAttrs; ++i) {
        const bool is_known = release >= first_release(config.attrs[i].id);
        if (!is_known || !is_valid(config.attrs[i])) return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

const CUlaunchAttributeValue* find_attribute(const CUlaunchConfig& config, CUlaunchAttributeID id) noexcept {
    for (unsigned i = 0; i < config.numAttrs; ++i) {
        if (config.attrs[i].id == id) return &config.attrs[i].value;
    }
    return nullptr;
}

const CUevent* event_of(const CUlaunchAttribute& attribute) noexcept {
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT) return &attribute.value.programmaticEvent.event;
    if (attribute.id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT) return &attribute.value.launchCompletionEvent.event;
    return nullptr;
}

}  // namespace CUBIND_NAMESPACE::sim
