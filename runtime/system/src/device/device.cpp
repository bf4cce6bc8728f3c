// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/device_commands.hpp>
#include <cubind/nvml/device_queries.hpp>
#include <cubind/nvml/loading.hpp>
#include <cubind/nvml/system_queries.hpp>
#include <cubind/system/device.hpp>

#include <algorithm>
#include <stdexcept>

#include "support/checked.hpp"
#include "support/session.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;
using detail::is_on;
using detail::text_of;

namespace {

nvml::nvmlDevice_t handle_at(unsigned int index) {
    const unsigned int count = Device::count();
    if (index >= count) {
        throw std::invalid_argument("NVML has no device with index " + std::to_string(index) + ": this machine has " +
                                    std::to_string(count) + ", with indices from 0");
    }
    return checked(nvml::nvmlDeviceGetHandleByIndex_v2(index));
}

bool has_prefix(const std::string& uuid) {
    return uuid.starts_with("GPU-") || uuid.starts_with("MIG-");
}

void check_no_nul(const char* what, const std::string& text) {
    if (text.find('\0') == std::string::npos) return;
    throw std::invalid_argument(std::string(what) + " has a NUL at byte " + std::to_string(text.find('\0')) +
                                ": NVML would read only what precedes it");
}

}  // namespace

Device::Device(unsigned int index) : handle_(handle_at(index)) {}

Device Device::from_uuid(const std::string& uuid) {
    check_no_nul("the UUID", uuid);
    detail::initialize();
    if (has_prefix(uuid)) return Device(checked(nvml::nvmlDeviceGetHandleByUUID(uuid.c_str())));
    const auto is_wanted = [&](Device device) { return device.uuid_without_prefix() == uuid; };
    const std::vector<Device> gpus = all();
    if (const auto found = std::ranges::find_if(gpus, is_wanted); found != gpus.end()) return *found;
    for (Device gpu : gpus) {
        const std::vector<Device> parts = gpu.mig().devices();
        if (const auto found = std::ranges::find_if(parts, is_wanted); found != parts.end()) return *found;
    }
    throw std::invalid_argument("NVML has no device with UUID " + uuid + ": none of its " + std::to_string(gpus.size()) +
                                " devices and their parts has it");
}

Device Device::from_pci_bus_id(const std::string& bus_id) {
    check_no_nul("the PCI address", bus_id);
    detail::initialize();
    return Device(checked(nvml::nvmlDeviceGetHandleByPciBusId_v2(bus_id.c_str())));
}

Device Device::from_serial(const std::string& serial) {
    check_no_nul("the serial number", serial);
    detail::initialize();
    return Device(checked(nvml::nvmlDeviceGetHandleBySerial(serial.c_str())));
}

unsigned int Device::count() {
    detail::initialize();
    return detail::checked_count(checked(nvml::nvmlDeviceGetCount_v2()), "nvmlDeviceGetCount_v2", "devices");
}

std::vector<Device> Device::all() {
    std::vector<Device> devices;
    const unsigned int number = count();
    for (unsigned int i = 0; i < number; ++i) devices.emplace_back(checked(nvml::nvmlDeviceGetHandleByIndex_v2(i)));
    return devices;
}

// ---- identity ------------------------------------------------------------------------------------------------------------

unsigned int Device::index() const {
    return checked(nvml::nvmlDeviceGetIndex(handle_));
}

std::string Device::uuid() const {
    return text_of<nvml::NVML_DEVICE_UUID_V2_BUFFER_SIZE>(
        [&](char* buffer, unsigned int size) { return nvml::nvmlDeviceGetUUID(handle_, buffer, size); });
}

std::string Device::uuid_without_prefix() const {
    const std::string text = uuid();
    return has_prefix(text) ? text.substr(4) : text;
}

std::string Device::pci_bus_id() const {
    return pci().info().bus_id;
}

std::string Device::name() const {
    return text_of<nvml::NVML_DEVICE_NAME_V2_BUFFER_SIZE>(
        [&](char* buffer, unsigned int size) { return nvml::nvmlDeviceGetName(handle_, buffer, size); });
}

Brand Device::brand() const {
    return static_cast<Brand>(checked(nvml::nvmlDeviceGetBrand(handle_)));
}

Architecture Device::architecture() const {
    return static_cast<Architecture>(checked(nvml::nvmlDeviceGetArchitecture(handle_)));
}

Version Device::compute_capability() const {
    const auto [major, minor] = checked(nvml::nvmlDeviceGetCudaComputeCapability(handle_));
    return {major, minor};
}

std::string Device::serial() const {
    return text_of<nvml::NVML_DEVICE_SERIAL_BUFFER_SIZE>(
        [&](char* buffer, unsigned int size) { return nvml::nvmlDeviceGetSerial(handle_, buffer, size); });
}

unsigned int Device::module_id() const {
    return checked(nvml::nvmlDeviceGetModuleId(handle_));
}

unsigned int Device::minor_number() const {
    return checked(nvml::nvmlDeviceGetMinorNumber(handle_));
}

std::string Device::vbios_version() const {
    return text_of<nvml::NVML_DEVICE_VBIOS_VERSION_BUFFER_SIZE>(
        [&](char* buffer, unsigned int size) { return nvml::nvmlDeviceGetVbiosVersion(handle_, buffer, size); });
}

unsigned int Device::core_count() const {
    return checked(nvml::nvmlDeviceGetNumGpuCores(handle_));
}

unsigned int Device::memory_bus_width() const {
    return checked(nvml::nvmlDeviceGetMemoryBusWidth(handle_));
}

unsigned int Device::fan_count() const {
    return checked(nvml::nvmlDeviceGetNumFans(handle_));
}

}  // namespace CUBIND_NAMESPACE::system
