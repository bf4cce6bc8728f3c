// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/system/detail/device_part.hpp>
#include <cubind/system/values.hpp>

namespace CUBIND_NAMESPACE::system {

/// The connection of a device to the PCI bus, from Device::pci(). Each query throws Error, with NVML_ERROR_NOT_SUPPORTED if the
/// device does not have it.
class CUBIND_EXPORT Pci : detail::DevicePart {
public:
    using DevicePart::DevicePart;

    /// Returns address and identifiers of the device (nvmlDeviceGetPciInfo_v3).
    [[nodiscard]] PciInfo info() const;
    /// Returns the class of the device (nvmlDeviceGetPciInfoExt, since CUDA 12.4).
    [[nodiscard]] PciClass device_class() const;
    /// Returns the PCIe generation of the link now; it falls while the device is idle (nvmlDeviceGetCurrPcieLinkGeneration).
    [[nodiscard]] unsigned int link_generation() const;
    /// Returns the greatest generation that device and machine support (nvmlDeviceGetMaxPcieLinkGeneration).
    [[nodiscard]] unsigned int max_link_generation() const;
    /// Returns the greatest generation that the device supports (nvmlDeviceGetGpuMaxPcieLinkGeneration).
    [[nodiscard]] unsigned int device_max_link_generation() const;
    /// Returns the number of lanes in use (nvmlDeviceGetCurrPcieLinkWidth).
    [[nodiscard]] unsigned int link_width() const;
    /// Returns the greatest number of lanes (nvmlDeviceGetMaxPcieLinkWidth).
    [[nodiscard]] unsigned int max_link_width() const;
    /// Returns the speed of a lane in megabits per second (nvmlDeviceGetPcieSpeed).
    [[nodiscard]] unsigned int link_speed_mbps() const;
    /// Returns the traffic in KiB per second, measured over 20 ms, for which the call blocks (nvmlDeviceGetPcieThroughput).
    [[nodiscard]] unsigned int throughput_kib_per_second(PcieCounter direction) const;
    /// Returns the number of repeated transfers (nvmlDeviceGetPcieReplayCounter).
    [[nodiscard]] unsigned int replay_count() const;
};

}  // namespace CUBIND_NAMESPACE::system
