// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/system/detail/device_part.hpp>
#include <cubind/system/values.hpp>

namespace CUBIND_NAMESPACE::system {

/// The error correction of a device's memory, from Device::ecc(). cuda.core has no counterpart. Each query throws Error, with
/// NVML_ERROR_NOT_SUPPORTED if the device does not have it.
class CUBIND_EXPORT Ecc : detail::DevicePart {
public:
    using DevicePart::DevicePart;

    /// Returns whether ECC is on, and whether it will be on after a restart of the device (nvmlDeviceGetEccMode).
    [[nodiscard]] PendingSwitch mode() const;
    /// Switches ECC on or off from the next restart of the device (nvmlDeviceSetEccMode). Needs an administrator.
    void set_enabled(bool enabled) const;
    /// Returns whether ECC is on by default (nvmlDeviceGetDefaultEccMode).
    [[nodiscard]] bool is_enabled_by_default() const;
    /// Returns the number of errors in all memories of the device (nvmlDeviceGetTotalEccErrors). Needs ECC to be on.
    [[nodiscard]] unsigned long long error_count(MemoryError error, EccCounter counter = EccCounter::volatile_count) const;
    /// Sets the counters to 0 (nvmlDeviceClearEccErrorCounts). Needs an administrator.
    void clear_error_counts(EccCounter counter = EccCounter::volatile_count) const;
    /// Returns the rows that were replaced by spare rows (nvmlDeviceGetRemappedRows).
    [[nodiscard]] RemappedRows remapped_rows() const;
};

}  // namespace CUBIND_NAMESPACE::system
