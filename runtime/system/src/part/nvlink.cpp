// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/nvlink.hpp>
#include <cubind/system/nvlink.hpp>

#include "support/checked.hpp"
#include "support/pci_info.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;

bool NvLink::is_active() const {
    return detail::is_on(checked(nvml::nvmlDeviceGetNvLinkState(device_, index_)));
}

unsigned int NvLink::version() const {
    return checked(nvml::nvmlDeviceGetNvLinkVersion(device_, index_));
}

bool NvLink::has(NvLinkCapability capability) const {
    return checked(nvml::nvmlDeviceGetNvLinkCapability(device_, index_, static_cast<nvml::nvmlNvLinkCapability_t>(capability))) !=
           0;
}

unsigned long long NvLink::error_count(NvLinkErrorCounter counter) const {
    return checked(nvml::nvmlDeviceGetNvLinkErrorCounter(device_, index_, static_cast<nvml::nvmlNvLinkErrorCounter_t>(counter)));
}

void NvLink::reset_error_counts() const {
    checked(nvml::nvmlDeviceResetNvLinkErrorCounters(device_, index_));
}

NvLinkDeviceType NvLink::remote_device_type() const {
    return static_cast<NvLinkDeviceType>(checked(nvml::nvmlDeviceGetNvLinkRemoteDeviceType(device_, index_)));
}

PciInfo NvLink::remote_pci_info() const {
    return detail::pci_info_of(checked(nvml::nvmlDeviceGetNvLinkRemotePciInfo_v2(device_, index_)));
}

}  // namespace CUBIND_NAMESPACE::system
