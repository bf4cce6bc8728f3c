// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/device_commands.hpp>
#include <cubind/nvml/device_queries.hpp>
#include <cubind/system/ecc.hpp>

#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;
using detail::is_on;

PendingSwitch Ecc::mode() const {
    const auto [current, pending] = checked(nvml::nvmlDeviceGetEccMode(device_));
    return {is_on(current), is_on(pending)};
}

void Ecc::set_enabled(bool enabled) const {
    checked(nvml::nvmlDeviceSetEccMode(device_, detail::state_of(enabled)));
}

bool Ecc::is_enabled_by_default() const {
    return is_on(checked(nvml::nvmlDeviceGetDefaultEccMode(device_)));
}

unsigned long long Ecc::error_count(MemoryError error, EccCounter counter) const {
    return checked(nvml::nvmlDeviceGetTotalEccErrors(device_, static_cast<nvml::nvmlMemoryErrorType_t>(error),
                                                     static_cast<nvml::nvmlEccCounterType_t>(counter)));
}

void Ecc::clear_error_counts(EccCounter counter) const {
    checked(nvml::nvmlDeviceClearEccErrorCounts(device_, static_cast<nvml::nvmlEccCounterType_t>(counter)));
}

RemappedRows Ecc::remapped_rows() const {
    const auto [correctable, uncorrectable, is_pending, has_failed] = checked(nvml::nvmlDeviceGetRemappedRows(device_));
    return {correctable, uncorrectable, is_pending != 0, has_failed != 0};
}

}  // namespace CUBIND_NAMESPACE::system
