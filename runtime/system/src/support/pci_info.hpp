// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/system/values.hpp>

#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::system::detail {

/// Returns NVML's description of a PCI device.
inline PciInfo pci_info_of(const nvml::nvmlPciInfo_t& info) {
    return {.domain = info.domain,
            .bus = info.bus,
            .device = info.device,
            .vendor_id = info.pciDeviceId & 0xFFFFu,
            .device_id = info.pciDeviceId >> 16,
            .subsystem_vendor_id = info.pciSubSystemId & 0xFFFFu,
            .subsystem_id = info.pciSubSystemId >> 16,
            .bus_id = text_in(info.busId)};
}

}  // namespace CUBIND_NAMESPACE::system::detail
