// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/constants.hpp>

#include <cstdio>

#include "state/idle_device.hpp"
#include "state/names.hpp"
#include "state/write.hpp"

namespace CUBIND_NAMESPACE::sim::management {

namespace {

// The domain has eight digits, and four in the older form.
template <std::size_t size>
void write_bus_id(char (&text)[size], const PciAddress& address) noexcept {
    const char* const format = size > 16 ? "%08X:%02X:%02X.%X" : "%04X:%02X:%02X.%X";
    std::snprintf(text, size, format, address.domain & 0xffff, address.bus & 0xff, address.device & 0x1f, address.function & 7);
}

nvmlReturn_t write_pci_info(nvmlDevice_t device, nvmlPciInfo_t* pci) {
    const Valid<DeviceCheck> found(device);
    const PciAddress address = address_of(found.facts);
    nvmlPciInfo_t info = {};
    write_bus_id(info.busIdLegacy, address);
    info.domain = address.domain;
    info.bus = address.bus;
    info.device = address.device;
    info.pciDeviceId = idle::vendor_and_device;
    info.pciSubSystemId = idle::subsystem;
    write_bus_id(info.busId, address);
    return write_output(pci, info);
}

}  // namespace

extern "C" {

nvmlReturn_t sim_nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t* pci) {
    return write_pci_info(device, pci);
}

nvmlReturn_t sim_nvmlDeviceGetPciInfo_v2(nvmlDevice_t device, nvmlPciInfo_t* pci) {
    return write_pci_info(device, pci);
}

nvmlReturn_t sim_nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci) {
    return write_pci_info(device, pci);
}

nvmlReturn_t sim_nvmlDeviceGetPciInfoExt(nvmlDevice_t device, nvmlPciInfoExt_t* pci) {
    const DeviceCheck found(device);
    if (const nvmlReturn_t status = check_version(found, pci, nvmlPciInfoExt_v1)) return status;
    const PciAddress address = address_of(found.facts);
    pci->domain = address.domain;
    pci->bus = address.bus;
    pci->device = address.device;
    pci->pciDeviceId = idle::vendor_and_device;
    pci->pciSubSystemId = idle::subsystem;
    pci->baseClass = idle::display_class;
    pci->subClass = idle::controller_3d;
    write_bus_id(pci->busId, address);
    return NVML_SUCCESS;
}

nvmlReturn_t sim_nvmlDeviceGetBusType(nvmlDevice_t device, nvmlBusType_t* type) {
    return write_of_device(device, type, NVML_BUS_TYPE_PCIE);
}

nvmlReturn_t sim_nvmlDeviceGetCurrPcieLinkGeneration(nvmlDevice_t device, unsigned int* currLinkGen) {
    return write_of_device(device, currLinkGen, idle::link_generation);
}

nvmlReturn_t sim_nvmlDeviceGetMaxPcieLinkGeneration(nvmlDevice_t device, unsigned int* maxLinkGen) {
    return write_of_device(device, maxLinkGen, idle::link_generation);
}

nvmlReturn_t sim_nvmlDeviceGetGpuMaxPcieLinkGeneration(nvmlDevice_t device, unsigned int* maxLinkGenDevice) {
    return write_of_device(device, maxLinkGenDevice, idle::link_generation);
}

nvmlReturn_t sim_nvmlDeviceGetCurrPcieLinkWidth(nvmlDevice_t device, unsigned int* currLinkWidth) {
    return write_of_device(device, currLinkWidth, idle::link_width);
}

nvmlReturn_t sim_nvmlDeviceGetMaxPcieLinkWidth(nvmlDevice_t device, unsigned int* maxLinkWidth) {
    return write_of_device(device, maxLinkWidth, idle::link_width);
}

nvmlReturn_t sim_nvmlDeviceGetPcieSpeed(nvmlDevice_t device, unsigned int* pcieSpeed) {
    return write_of_device(device, pcieSpeed, idle::link_mbps);
}

nvmlReturn_t sim_nvmlDeviceGetPcieLinkMaxSpeed(nvmlDevice_t device, unsigned int* maxSpeed) {
    return write_of_device(device, maxSpeed, NVML_PCIE_LINK_MAX_SPEED_32000MBPS);
}

nvmlReturn_t sim_nvmlDeviceGetPcieReplayCounter(nvmlDevice_t device, unsigned int* value) {
    return write_of_device(device, value, 0);
}

nvmlReturn_t sim_nvmlDeviceGetPcieThroughput(nvmlDevice_t device, nvmlPcieUtilCounter_t counter, unsigned int* value) {
    const Valid<DeviceCheck> found(device);
    return counter < NVML_PCIE_UTIL_COUNT ? write_output(value, 0) : NVML_ERROR_INVALID_ARGUMENT;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
