// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/constants.hpp>

#include <climits>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "platform/process.hpp"
#include "state/write.hpp"

namespace CUBIND_NAMESPACE::sim::management {

namespace {

// All devices and all processors belong to one node of the machine, and every device has a bridge of its own.
constexpr nvmlGpuTopologyLevel_t level_of_devices = NVML_TOPOLOGY_NODE;

bool is_known(nvmlGpuTopologyLevel_t level) noexcept {
    return level <= NVML_TOPOLOGY_SYSTEM && level % 10 == 0;
}

// Sets the first `count` bits, and clears the others.
nvmlReturn_t write_bits(nvmlDevice_t device, unsigned int size, unsigned long* words, unsigned int count) {
    constexpr unsigned int bits = sizeof(unsigned long) * CHAR_BIT;
    const Valid<DeviceCheck> found(device);
    if (words == nullptr || size == 0) return NVML_ERROR_INVALID_ARGUMENT;
    if (count > std::size_t{size} * bits) return NVML_ERROR_INSUFFICIENT_SIZE;
    std::fill_n(words, size, 0ul);
    for (unsigned int bit = 0; bit < count; ++bit) words[bit / bits] |= 1ul << bit % bits;
    return NVML_SUCCESS;
}

bool is_scope(nvmlAffinityScope_t scope) noexcept {
    return scope == NVML_AFFINITY_SCOPE_NODE || scope == NVML_AFFINITY_SCOPE_SOCKET;
}

// `count` is the length of the list, and receives the number of its devices. Without a list, it receives the number of all.
nvmlReturn_t write_devices(const std::vector<nvmlDevice_t>& devices, unsigned int* count, nvmlDevice_t* list) {
    if (count == nullptr || (list == nullptr && *count != 0)) return NVML_ERROR_INVALID_ARGUMENT;
    const std::size_t written = list != nullptr ? std::min<std::size_t>(*count, devices.size()) : 0;
    std::copy_n(devices.begin(), written, list);
    *count = static_cast<unsigned int>(list != nullptr ? written : devices.size());
    return NVML_SUCCESS;
}

// Returns all devices except one.
std::vector<nvmlDevice_t> devices_except(int ordinal) {
    std::vector<nvmlDevice_t> devices;
    for (int each = 0; each < device_count(); ++each) {
        if (each != ordinal) devices.push_back(handle_of(each));
    }
    return devices;
}

}  // namespace

extern "C" {

nvmlReturn_t sim_nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t device1, nvmlDevice_t device2,
                                                     nvmlGpuTopologyLevel_t* pathInfo) {
    const Valid<DeviceCheck> first(device1);
    return write_of_device(device2, pathInfo, device1 == device2 ? NVML_TOPOLOGY_INTERNAL : level_of_devices);
}

nvmlReturn_t sim_nvmlDeviceGetTopologyNearestGpus(nvmlDevice_t device, nvmlGpuTopologyLevel_t level, unsigned int* count,
                                                  nvmlDevice_t* deviceArray) {
    const DeviceCheck found(device);
    if (found.failed() || !is_known(level)) return NVML_ERROR_INVALID_ARGUMENT;
    // NVML asks for the count by a null list only.
    if (count != nullptr && *count == 0 && deviceArray != nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    if (level != level_of_devices) return write_devices({}, count, deviceArray);
    return write_devices(devices_except(found.ordinal), count, deviceArray);
}

nvmlReturn_t sim_nvmlSystemGetTopologyGpuSet(unsigned int cpuNumber, unsigned int* count, nvmlDevice_t* deviceArray) {
    constexpr int no_ordinal = -1;
    if (cpuNumber >= cubind::detail::processor_count()) return NVML_ERROR_INVALID_ARGUMENT;
    return write_devices(devices_except(no_ordinal), count, deviceArray);
}

// As in the driver API, all devices can access each other's memory, and a device is no peer of itself. There is no NVLink.
nvmlReturn_t sim_nvmlDeviceGetP2PStatus(nvmlDevice_t device1, nvmlDevice_t device2, nvmlGpuP2PCapsIndex_t p2pIndex,
                                        nvmlGpuP2PStatus_t* p2pStatus) {
    const Valid<DeviceCheck> first(device1);
    if (device1 == device2) return write_output(p2pStatus, NVML_P2P_STATUS_NOT_SUPPORTED);
    if (p2pIndex >= NVML_P2P_CAPS_INDEX_UNKNOWN) return NVML_ERROR_INVALID_ARGUMENT;
    const bool is_supported = p2pIndex != NVML_P2P_CAPS_INDEX_NVLINK;
    return write_of_device(device2, p2pStatus, is_supported ? NVML_P2P_STATUS_OK : NVML_P2P_STATUS_NOT_SUPPORTED);
}

nvmlReturn_t sim_nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned int, nvmlEnableState_t* isActive) {
    return refuse_for_device(device, isActive);
}

nvmlReturn_t sim_nvmlDeviceGetNvLinkVersion(nvmlDevice_t device, unsigned int, unsigned int* version) {
    return refuse_for_device(device, version);
}

nvmlReturn_t sim_nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned int cpuSetSize, unsigned long* cpuSet) {
    return write_bits(device, cpuSetSize, cpuSet, cubind::detail::processor_count());
}

nvmlReturn_t sim_nvmlDeviceGetCpuAffinityWithinScope(nvmlDevice_t device, unsigned int cpuSetSize, unsigned long* cpuSet,
                                                     nvmlAffinityScope_t scope) {
    return is_scope(scope) ? write_bits(device, cpuSetSize, cpuSet, cubind::detail::processor_count())
                           : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t sim_nvmlDeviceGetMemoryAffinity(nvmlDevice_t device, unsigned int nodeSetSize, unsigned long* nodeSet,
                                             nvmlAffinityScope_t scope) {
    return is_scope(scope) ? write_bits(device, nodeSetSize, nodeSet, 1) : NVML_ERROR_INVALID_ARGUMENT;
}

// The memory of the device is not a node of the machine.
nvmlReturn_t sim_nvmlDeviceGetNumaNodeId(nvmlDevice_t device, unsigned int* node) {
    return refuse_for_device(device, node);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
