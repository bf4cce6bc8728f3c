// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/device_queries.hpp>
#include <cubind/system/pci.hpp>

#include "support/checked.hpp"
#include "support/pci_info.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;

PciInfo Pci::info() const {
    return detail::pci_info_of(checked(nvml::nvmlDeviceGetPciInfo_v3(device_)));
}

PciClass Pci::device_class() const {
    const nvml::nvmlPciInfoExt_t info = checked(nvml::nvmlDeviceGetPciInfoExt(device_, nvml::nvmlPciInfoExt_t{}));
    return {info.baseClass, info.subClass};
}

unsigned int Pci::link_generation() const {
    return checked(nvml::nvmlDeviceGetCurrPcieLinkGeneration(device_));
}

unsigned int Pci::max_link_generation() const {
    return checked(nvml::nvmlDeviceGetMaxPcieLinkGeneration(device_));
}

unsigned int Pci::device_max_link_generation() const {
    return checked(nvml::nvmlDeviceGetGpuMaxPcieLinkGeneration(device_));
}

unsigned int Pci::link_width() const {
    return checked(nvml::nvmlDeviceGetCurrPcieLinkWidth(device_));
}

unsigned int Pci::max_link_width() const {
    return checked(nvml::nvmlDeviceGetMaxPcieLinkWidth(device_));
}

unsigned int Pci::link_speed_mbps() const {
    return checked(nvml::nvmlDeviceGetPcieSpeed(device_));
}

unsigned int Pci::throughput_kib_per_second(PcieCounter direction) const {
    return checked(nvml::nvmlDeviceGetPcieThroughput(device_, static_cast<nvml::nvmlPcieUtilCounter_t>(direction)));
}

unsigned int Pci::replay_count() const {
    return checked(nvml::nvmlDeviceGetPcieReplayCounter(device_));
}

}  // namespace CUBIND_NAMESPACE::system
