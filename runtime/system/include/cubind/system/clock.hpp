// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/system/detail/device_part.hpp>
#include <cubind/system/values.hpp>

namespace CUBIND_NAMESPACE::system {

/// One clock of a device, from Device::clock(). Frequencies are in MHz. Each query throws Error, with NVML_ERROR_NOT_SUPPORTED if
/// the device does not have it.
class CUBIND_EXPORT Clock : detail::DevicePart {
public:
    /// Creates the clock of this type; Device::clock() does the same.
    Clock(nvml::nvmlDevice_t device, ClockType type) noexcept : DevicePart(device), type_(type) {}

    /// Returns which clock this is.
    [[nodiscard]] ClockType type() const noexcept { return type_; }

    /// Returns the frequency now (nvmlDeviceGetClockInfo).
    [[nodiscard]] unsigned int current_mhz() const;
    /// Returns the greatest frequency of the device (nvmlDeviceGetMaxClockInfo).
    [[nodiscard]] unsigned int max_mhz() const;
    /// Returns the greatest frequency that an administrator can select (nvmlDeviceGetMaxCustomerBoostClock).
    [[nodiscard]] unsigned int max_customer_boost_mhz() const;
    /// Returns the range of frequencies in a performance state (nvmlDeviceGetMinMaxClockOfPState).
    [[nodiscard]] Limits<unsigned int> limits_mhz(PerformanceState state) const;
    /// Returns the offset in a performance state, and its range (nvmlDeviceGetClockOffsets, since CUDA 12.5).
    [[nodiscard]] ClockOffset offset(PerformanceState state) const;

private:
    ClockType type_;
};

}  // namespace CUBIND_NAMESPACE::system
