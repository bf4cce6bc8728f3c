// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "launch/native_launch.hpp"

#include <cubind/driver/availability.hpp>

#include <cstring>
#include <tuple>
#include <type_traits>

namespace CUBIND_NAMESPACE::detail {
namespace {

using Value = driver::CUlaunchAttributeValue;

/// An attribute: the member of LaunchConfig that sets it, and how its value is written. At most one native attribute results from
/// it.
template <class Member, class Write>
struct Attribute {
    driver::CUlaunchAttributeID id;
    int since;  // the first release with it
    Member LaunchConfig::*member;
    Write write;
};
// clang++ before 17 deduces the arguments of an aggregate only with a guide.
template <class Member, class Write>
Attribute(driver::CUlaunchAttributeID, int, Member LaunchConfig::*, Write) -> Attribute<Member, Write>;

#define CUBIND_ATTRIBUTE(name) driver::CU_LAUNCH_ATTRIBUTE_##name, driver::availability("CU_LAUNCH_ATTRIBUTE_" #name).since

// All attributes of a launch. The native array, the values and the releases of the attributes all derive from this list.
constexpr std::tuple attributes{
    Attribute{CUBIND_ATTRIBUTE(CLUSTER_DIMENSION), &LaunchConfig::cluster,
              [](Value& value, const Dim3& cluster) {
                  value.clusterDim = {cluster.x, cluster.y, cluster.z};
              }},
    Attribute{CUBIND_ATTRIBUTE(COOPERATIVE), &LaunchConfig::cooperative, [](Value& value, bool) { value.cooperative = 1; }},
    Attribute{CUBIND_ATTRIBUTE(PROGRAMMATIC_STREAM_SERIALIZATION), &LaunchConfig::programmatic_stream_serialization,
              [](Value& value, bool) { value.programmaticStreamSerializationAllowed = 1; }},
    Attribute{CUBIND_ATTRIBUTE(PRIORITY), &LaunchConfig::priority, [](Value& value, int priority) { value.priority = priority; }},
    Attribute{CUBIND_ATTRIBUTE(ACCESS_POLICY_WINDOW), &LaunchConfig::access_policy_window,
              [](Value& value, const AccessPolicyWindow& window) {
                  value.accessPolicyWindow = {window.data, window.size, window.hit_ratio, window.hit, window.miss};
              }},
    Attribute{CUBIND_ATTRIBUTE(PREFERRED_SHARED_MEMORY_CARVEOUT), &LaunchConfig::preferred_shared_memory_carveout,
              [](Value& value, int percent) { value.sharedMemCarveout = static_cast<unsigned int>(percent); }},
    Attribute{CUBIND_ATTRIBUTE(PREFERRED_CLUSTER_DIMENSION), &LaunchConfig::preferred_cluster,
              [](Value& value, const Dim3& cluster) {
                  value.preferredClusterDim = {cluster.x, cluster.y, cluster.z};
              }},
    Attribute{CUBIND_ATTRIBUTE(CLUSTER_SCHEDULING_POLICY_PREFERENCE), &LaunchConfig::cluster_scheduling_policy_preference,
              [](Value& value, driver::CUclusterSchedulingPolicy policy) { value.clusterSchedulingPolicyPreference = policy; }},
    Attribute{CUBIND_ATTRIBUTE(PORTABLE_CLUSTER_SIZE_MODE), &LaunchConfig::portable_cluster_size_mode,
              [](Value& value, driver::CUlaunchAttributePortableClusterMode mode) { value.portableClusterSizeMode = mode; }},
    Attribute{CUBIND_ATTRIBUTE(SHARED_MEMORY_MODE), &LaunchConfig::shared_memory_mode,
              [](Value& value, driver::CUsharedMemoryMode mode) { value.sharedMemoryMode = mode; }},
    Attribute{CUBIND_ATTRIBUTE(MEM_SYNC_DOMAIN), &LaunchConfig::mem_sync_domain,
              [](Value& value, driver::CUlaunchMemSyncDomain domain) { value.memSyncDomain = domain; }},
    Attribute{CUBIND_ATTRIBUTE(MEM_SYNC_DOMAIN_MAP), &LaunchConfig::mem_sync_domain_map,
              [](Value& value, const MemSyncDomainMap& map) {
                  value.memSyncDomainMap = {map.default_domain, map.remote_domain};
              }},
    Attribute{CUBIND_ATTRIBUTE(PROGRAMMATIC_EVENT), &LaunchConfig::programmatic_event,
              [](Value& value, const ProgrammaticEvent& event) {
                  value.programmaticEvent = {event.event.native_handle(), static_cast<int>(event.flags),
                                             event.trigger_at_block_start ? 1 : 0};
              }},
    Attribute{CUBIND_ATTRIBUTE(LAUNCH_COMPLETION_EVENT), &LaunchConfig::launch_completion_event,
              [](Value& value, const LaunchCompletionEvent& event) {
                  value.launchCompletionEvent = {event.event.native_handle(), static_cast<int>(event.flags)};
              }},
    Attribute{CUBIND_ATTRIBUTE(NVLINK_UTIL_CENTRIC_SCHEDULING), &LaunchConfig::nvlink_util_centric_scheduling,
              [](Value& value, bool is_preferred) { value.nvlinkUtilCentricScheduling = is_preferred ? 1 : 0; }},
    Attribute{CUBIND_ATTRIBUTE(DEVICE_UPDATABLE_KERNEL_NODE), &LaunchConfig::device_updatable_kernel_node,
              [](Value& value, const driver::CUgraphDeviceNode&) {
                  value.deviceUpdatableKernelNode = {1, nullptr};
              }},
};

#undef CUBIND_ATTRIBUTE

static_assert(std::tuple_size_v<decltype(attributes)> == NativeLaunch::max_attributes,
              "set NativeLaunch::max_attributes to the list's length");
static_assert(std::apply([](const auto&... each) { return ((each.since != 0) && ...); }, attributes),
              "a name is not in the generated data");

// The value of a member that sets an attribute, or nullptr.
const bool* value_of(const bool& is_set) noexcept {
    return is_set ? &is_set : nullptr;
}
const Dim3* value_of(const Dim3& cluster) noexcept {
    return cluster != Dim3() ? &cluster : nullptr;
}
template <class Enum>
requires std::is_enum_v<Enum>
const Enum* value_of(const Enum& value) noexcept {
    return value != Enum{} ? &value : nullptr;  // 0 is DEFAULT
}
template <class Type>
const Type* value_of(const std::optional<Type>& member) noexcept {
    return member ? &*member : nullptr;
}
const driver::CUgraphDeviceNode* value_of(driver::CUgraphDeviceNode* member) noexcept {
    return member;
}

// This is a separate function, so that the code for attributes does not slow down launches without attributes, which are most
// launches.
[[gnu::noinline]] Value& append(driver::CUlaunchConfig& config, driver::CUlaunchAttributeID id) noexcept {
    driver::CUlaunchAttribute& attribute = config.attrs[config.numAttrs++];
    std::memset(&attribute, 0, sizeof attribute);
    attribute.id = id;
    return attribute.value;
}

}  // namespace

NativeLaunch::NativeLaunch(const LaunchConfig& config, driver::CUstream stream)
    : config_{config.grid.x,
              config.grid.y,
              config.grid.z,
              config.block.x,
              config.block.y,
              config.block.z,
              static_cast<unsigned int>(config.shared_memory_size),
              stream,
              attributes_,
              0} {
    const auto add = [&](const auto& attribute) {
        const auto* const value = value_of(config.*attribute.member);
        if (value != nullptr) [[unlikely]]
            attribute.write(append(config_, attribute.id), *value);
    };
    std::apply([&](const auto&... each) { (add(each), ...); }, attributes);
}

void NativeLaunch::write_back(const LaunchConfig& config) const noexcept {
    if (config.device_updatable_kernel_node == nullptr) return;
    for (unsigned int i = 0; i < config_.numAttrs; ++i) {
        if (attributes_[i].id != driver::CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE) continue;
        *config.device_updatable_kernel_node = attributes_[i].value.deviceUpdatableKernelNode.devNode;
    }
}

int first_release_of(driver::CUlaunchAttributeID attribute) noexcept {
    int since = 0;
    std::apply([&](const auto&... each) { ((each.id == attribute ? void(since = each.since) : void()), ...); }, attributes);
    return since;
}

}  // namespace CUBIND_NAMESPACE::detail
