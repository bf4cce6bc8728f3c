// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "launch/native_launch.hpp"

#include <cstring>

namespace cubind::detail {

NativeLaunch::NativeLaunch(const LaunchConfig& config, driver::CUstream stream)
    : config_{config.grid.x,  config.grid.y,
              config.grid.z,  config.block.x,
              config.block.y, config.block.z,
              static_cast<unsigned int>(config.shared_memory_size),
              stream,         attributes_,
              0} {
    add_common(config);
    add_rare(config);
}

driver::CUlaunchAttributeValue& NativeLaunch::add(driver::CUlaunchAttributeID id) noexcept {
    driver::CUlaunchAttribute& attribute = attributes_[config_.numAttrs++];
    std::memset(&attribute, 0, sizeof attribute);
    attribute.id = id;
    return attribute.value;
}

void NativeLaunch::add_common(const LaunchConfig& config) {
    if (config.cluster) {
        add(driver::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim = {config.cluster->x, config.cluster->y, config.cluster->z};
    }
    if (config.cooperative) add(driver::CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative = 1;
    if (config.programmatic_stream_serialization) {
        add(driver::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION).programmaticStreamSerializationAllowed = 1;
    }
    if (config.priority) add(driver::CU_LAUNCH_ATTRIBUTE_PRIORITY).priority = *config.priority;
    if (const auto& window = config.access_policy_window) {
        add(driver::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW).accessPolicyWindow = {window->data, window->size, window->hit_ratio, window->hit,
                                                                                   window->miss};
    }
    if (config.preferred_shared_memory_carveout) {
        add(driver::CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT).sharedMemCarveout = *config.preferred_shared_memory_carveout;
    }
}

void NativeLaunch::add_rare(const LaunchConfig& config) {
    if (const auto& cluster = config.preferred_cluster) {
        add(driver::CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION).preferredClusterDim = {cluster->x, cluster->y, cluster->z};
    }
    if (const auto& policy = config.cluster_scheduling_policy_preference) {
        add(driver::CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE).clusterSchedulingPolicyPreference = *policy;
    }
    if (const auto& mode = config.portable_cluster_size_mode) {
        add(driver::CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE).portableClusterSizeMode = *mode;
    }
    if (const auto& mode = config.shared_memory_mode) add(driver::CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE).sharedMemoryMode = *mode;
    if (config.mem_sync_domain) add(driver::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN).memSyncDomain = *config.mem_sync_domain;
    if (const auto& map = config.mem_sync_domain_map) {
        add(driver::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP).memSyncDomainMap = {map->default_domain, map->remote_domain};
    }
    if (const auto& event = config.programmatic_event) {
        add(driver::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT).programmaticEvent = {event->event.native_handle(), static_cast<int>(event->flags),
                                                                                 event->trigger_at_block_start ? 1 : 0};
    }
    if (const auto& event = config.launch_completion_event) {
        add(driver::CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT).launchCompletionEvent = {event->event.native_handle(),
                                                                                          static_cast<int>(event->flags)};
    }
    if (const auto& preferred = config.nvlink_util_centric_scheduling) {
        add(driver::CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING).nvlinkUtilCentricScheduling = *preferred ? 1 : 0;
    }
    if (config.device_updatable_kernel_node != nullptr) {
        add(driver::CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE).deviceUpdatableKernelNode = {1, nullptr};
    }
}

void NativeLaunch::write_back(const LaunchConfig& config) const noexcept {
    if (config.device_updatable_kernel_node == nullptr) return;
    // It was added last.
    *config.device_updatable_kernel_node = attributes_[config_.numAttrs - 1].value.deviceUpdatableKernelNode.devNode;
}

}  // namespace cubind::detail
