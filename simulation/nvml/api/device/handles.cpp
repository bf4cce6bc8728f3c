// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/constants.hpp>

#include <cstring>
#include <string>
#include <string_view>

#include "state/names.hpp"
#include "state/write.hpp"

namespace CUBIND_NAMESPACE::sim::management {

namespace {

template <class Selects>
nvmlReturn_t find_handle(nvmlDevice_t* device, Selects selects) {
    const std::optional<int> found = find_device(selects);
    if (!found) return NVML_ERROR_NOT_FOUND;
    *device = handle_of(*found);
    return NVML_SUCCESS;
}

nvmlReturn_t find_by_uuid_text(std::string_view text, nvmlDevice_t* device) {
    return find_handle(device, [&](int, const DeviceFacts& facts) { return uuid_text(facts) == text; });
}

}  // namespace

extern "C" {

nvmlReturn_t sim_nvmlDeviceGetCount_v2(unsigned int* deviceCount) {
    return write_output(deviceCount, static_cast<unsigned int>(device_count()));
}

nvmlReturn_t sim_nvmlDeviceGetCount(unsigned int* deviceCount) {
    return sim_nvmlDeviceGetCount_v2(deviceCount);
}

nvmlReturn_t sim_nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device) {
    if (device == nullptr || index >= static_cast<unsigned int>(device_count())) return NVML_ERROR_INVALID_ARGUMENT;
    *device = handle_of(static_cast<int>(index));
    return NVML_SUCCESS;
}

nvmlReturn_t sim_nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t* device) {
    return sim_nvmlDeviceGetHandleByIndex_v2(index, device);
}

nvmlReturn_t sim_nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device) {
    if (uuid == nullptr || device == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    return find_by_uuid_text(uuid, device);
}

nvmlReturn_t sim_nvmlDeviceGetHandleByUUIDV(const nvmlUUID_t* uuid, nvmlDevice_t* device) {
    if (const nvmlReturn_t status = check_version(uuid, nvmlUUID_v1)) return status;
    if (device == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    if (uuid->type == NVML_UUID_TYPE_ASCII) {
        return find_by_uuid_text({uuid->value.str, ::strnlen(uuid->value.str, sizeof uuid->value.str)}, device);
    }
    if (uuid->type != NVML_UUID_TYPE_BINARY) return NVML_ERROR_INVALID_ARGUMENT;
    return find_handle(device, [&](int, const DeviceFacts& facts) {
        return std::memcmp(facts.uuid, uuid->value.bytes, sizeof facts.uuid) == 0;
    });
}

nvmlReturn_t sim_nvmlDeviceGetHandleBySerial(const char* serial, nvmlDevice_t* device) {
    if (serial == nullptr || device == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    return find_handle(device, [&](int ordinal, const DeviceFacts&) { return serial_text(ordinal) == serial; });
}

nvmlReturn_t sim_nvmlDeviceGetHandleByPciBusId_v2(const char* pciBusId, nvmlDevice_t* device) {
    PciAddress requested;
    if (pciBusId == nullptr || device == nullptr || !read_address(pciBusId, requested)) return NVML_ERROR_INVALID_ARGUMENT;
    return find_handle(device, [&](int, const DeviceFacts& facts) { return address_of(facts) == requested; });
}

nvmlReturn_t sim_nvmlDeviceGetHandleByPciBusId(const char* pciBusId, nvmlDevice_t* device) {
    return sim_nvmlDeviceGetHandleByPciBusId_v2(pciBusId, device);
}

nvmlReturn_t sim_nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int* index) {
    const Valid<DeviceCheck> found(device);
    return write_output(index, static_cast<unsigned int>(found.ordinal));
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
