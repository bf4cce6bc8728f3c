// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Which CPUs, memories and other devices are near a device.
#include <cubind/nvml/affinity.hpp>
#include <cubind/nvml/device_queries.hpp>
#include <cubind/nvml/system_queries.hpp>
#include <cubind/system/device.hpp>

#include <climits>

#include <algorithm>

#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;

namespace {

// Returns the numbers of the bits that the query sets. NVML ignores words beyond its own number of bits.
template <class Query>
std::vector<unsigned int> members_of_set(Query query) {
    constexpr unsigned int bits_of_word = sizeof(unsigned long) * CHAR_BIT;
    constexpr unsigned int max_members = 8192;  // the greatest number of CPUs that Linux supports
    std::vector<unsigned long> words(max_members / bits_of_word);
    checked(query(static_cast<unsigned int>(words.size()), words.data()));
    std::vector<unsigned int> members;
    for (unsigned int number = 0; number < max_members; ++number) {
        if ((words[number / bits_of_word] >> number % bits_of_word & 1) != 0) members.push_back(number);
    }
    return members;
}

// Returns the devices that the query writes. There cannot be more than the machine has.
template <class Query>
std::vector<Device> devices_of(Query query) {
    std::vector<nvml::nvmlDevice_t> handles(Device::count());
    if (handles.empty()) return {};
    const std::size_t count = checked(query(static_cast<unsigned int>(handles.size()), handles.data()));
    handles.resize(std::min(count, handles.size()));
    return {handles.begin(), handles.end()};
}

}  // namespace

std::vector<Device> Device::all_with_cpu_affinity(unsigned int cpu) {
    return devices_of([cpu](unsigned int count, nvml::nvmlDevice_t* devices) {
        return nvml::nvmlSystemGetTopologyGpuSet(cpu, count, devices);
    });
}

unsigned int Device::numa_node_id() const {
    return checked(nvml::nvmlDeviceGetNumaNodeId(handle_));
}

std::vector<unsigned int> Device::cpu_affinity(AffinityScope scope) const {
    return members_of_set([&](unsigned int size, unsigned long* words) {
        return nvml::nvmlDeviceGetCpuAffinityWithinScope(handle_, size, words, static_cast<nvml::nvmlAffinityScope_t>(scope));
    });
}

std::vector<unsigned int> Device::memory_affinity(AffinityScope scope) const {
    return members_of_set([&](unsigned int size, unsigned long* words) {
        return nvml::nvmlDeviceGetMemoryAffinity(handle_, size, words, static_cast<nvml::nvmlAffinityScope_t>(scope));
    });
}

void Device::set_cpu_affinity() const {
    checked(nvml::nvmlDeviceSetCpuAffinity(handle_));
}

void Device::clear_cpu_affinity() const {
    checked(nvml::nvmlDeviceClearCpuAffinity(handle_));
}

std::vector<Device> Device::nearest_devices(TopologyLevel level) const {
    return devices_of([&](unsigned int count, nvml::nvmlDevice_t* devices) {
        return nvml::nvmlDeviceGetTopologyNearestGpus(handle_, static_cast<nvml::nvmlGpuTopologyLevel_t>(level), count, devices);
    });
}

TopologyLevel topology_common_ancestor(Device first, Device second) {
    return static_cast<TopologyLevel>(
        checked(nvml::nvmlDeviceGetTopologyCommonAncestor(first.native_handle(), second.native_handle())));
}

P2PStatus p2p_status(Device first, Device second, P2PCapability capability) {
    return static_cast<P2PStatus>(checked(nvml::nvmlDeviceGetP2PStatus(first.native_handle(), second.native_handle(),
                                                                       static_cast<nvml::nvmlGpuP2PCapsIndex_t>(capability))));
}

}  // namespace CUBIND_NAMESPACE::system
