// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/system/detail/device_part.hpp>
#include <cubind/system/values.hpp>

namespace CUBIND_NAMESPACE::system {

/// One NVLink of a device, from Device::nvlink(). Throws Error, with NVML_ERROR_NOT_SUPPORTED for devices without NVLink.
class CUBIND_EXPORT NvLink : detail::DevicePart {
public:
    /// Creates the link with this index, from 0 to Device::nvlink_count() - 1; Device::nvlink() does the same.
    NvLink(nvml::nvmlDevice_t device, unsigned int index) noexcept : DevicePart(device), index_(index) {}

    /// Returns the index of the link.
    [[nodiscard]] unsigned int index() const noexcept { return index_; }

    /// Returns whether the link is active (nvmlDeviceGetNvLinkState).
    [[nodiscard]] bool is_active() const;
    /// Returns the version of an active link as NVML counts it, nvml::NVML_NVLINK_VERSION_4_0 for instance
    /// (nvmlDeviceGetNvLinkVersion).
    [[nodiscard]] unsigned int version() const;
    /// Returns whether the link has the ability (nvmlDeviceGetNvLinkCapability).
    [[nodiscard]] bool has(NvLinkCapability capability) const;
    /// Returns the number of errors of this kind since the counters were reset (nvmlDeviceGetNvLinkErrorCounter).
    [[nodiscard]] unsigned long long error_count(NvLinkErrorCounter counter) const;
    /// Sets all error counters of the link to 0 (nvmlDeviceResetNvLinkErrorCounters). Needs an administrator.
    void reset_error_counts() const;
    /// Returns the kind of the device at the other end (nvmlDeviceGetNvLinkRemoteDeviceType).
    [[nodiscard]] NvLinkDeviceType remote_device_type() const;
    /// Returns the PCI address of the device at the other end (nvmlDeviceGetNvLinkRemotePciInfo_v2).
    [[nodiscard]] PciInfo remote_pci_info() const;

private:
    unsigned int index_;
};

}  // namespace CUBIND_NAMESPACE::system
