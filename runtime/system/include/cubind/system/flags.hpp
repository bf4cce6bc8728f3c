// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/nvml/constants.hpp>

#include <concepts>

namespace CUBIND_NAMESPACE::system {

/// A set of enumerators that NVML represents as bits. A newer driver may set bits that have no enumerator.
///
///     if (device.current_clock_event_reasons().has(ClockEventReason::hardware_slowdown)) ...
template <class Flag>
class Flags {
public:
    /// Creates an empty set.
    constexpr Flags() = default;
    /// Creates the set of one enumerator.
    constexpr Flags(Flag flag) : bits_(static_cast<unsigned long long>(flag)) {}
    /// Creates the set with these bits of NVML.
    constexpr explicit Flags(unsigned long long bits) : bits_(bits) {}

    /// Returns the bits of NVML.
    [[nodiscard]] constexpr unsigned long long bits() const noexcept { return bits_; }
    /// Returns whether the set has no bit.
    [[nodiscard]] constexpr bool is_empty() const noexcept { return bits_ == 0; }
    /// Returns whether the set has this enumerator.
    [[nodiscard]] constexpr bool has(Flag flag) const noexcept { return (bits_ & static_cast<unsigned long long>(flag)) != 0; }

    /// Returns the union.
    [[nodiscard]] friend constexpr Flags operator|(Flags left, Flags right) noexcept { return Flags(left.bits_ | right.bits_); }
    /// Returns the intersection.
    [[nodiscard]] friend constexpr Flags operator&(Flags left, Flags right) noexcept { return Flags(left.bits_ & right.bits_); }
    /// Returns whether both sets have the same bits.
    [[nodiscard]] friend constexpr bool operator==(Flags, Flags) noexcept = default;

private:
    unsigned long long bits_ = 0;
};

/// A reason for clocks that are lower than requested (nvmlClocksEventReason...).
enum class ClockEventReason : unsigned long long {
    gpu_idle = nvml::nvmlClocksEventReasonGpuIdle,
    application_clocks = nvml::nvmlClocksEventReasonApplicationsClocksSetting,
    software_power_cap = nvml::nvmlClocksEventReasonSwPowerCap,
    hardware_slowdown = nvml::nvmlClocksThrottleReasonHwSlowdown,
    sync_boost = nvml::nvmlClocksEventReasonSyncBoost,
    software_thermal_slowdown = nvml::nvmlClocksEventReasonSwThermalSlowdown,
    hardware_thermal_slowdown = nvml::nvmlClocksThrottleReasonHwThermalSlowdown,
    hardware_power_brake = nvml::nvmlClocksThrottleReasonHwPowerBrakeSlowdown,
    display_clocks = nvml::nvmlClocksEventReasonDisplayClockSetting,
    board_limit = nvml::nvmlClocksEventReasonBoardLimit,
    reliability = nvml::nvmlClocksEventReasonReliability,
};

/// A kind of event of a device (nvmlEventType...).
enum class EventType : unsigned long long {
    single_bit_ecc_error = nvml::nvmlEventTypeSingleBitEccError,
    double_bit_ecc_error = nvml::nvmlEventTypeDoubleBitEccError,
    performance_state = nvml::nvmlEventTypePState,
    xid_critical_error = nvml::nvmlEventTypeXidCriticalError,
    clock = nvml::nvmlEventTypeClock,
    power_source_change = nvml::nvmlEventTypePowerSourceChange,
    mig_configuration_change = nvml::nvmlEventMigConfigChange,
    single_bit_ecc_error_storm = nvml::nvmlEventTypeSingleBitEccErrorStorm,
    dram_retirement = nvml::nvmlEventTypeDramRetirementEvent,
    dram_retirement_failure = nvml::nvmlEventTypeDramRetirementFailure,
    non_fatal_poison_error = nvml::nvmlEventTypeNonFatalPoisonError,
    fatal_poison_error = nvml::nvmlEventTypeFatalPoisonError,
    gpu_unavailable = nvml::nvmlEventTypeGpuUnavailableError,
    gpu_recovery_action = nvml::nvmlEventTypeGpuRecoveryAction,
};

/// A kind of event of the machine (nvmlSystemEventType...).
enum class SystemEventType : unsigned long long {
    gpu_driver_unbind = nvml::nvmlSystemEventTypeGpuDriverUnbind,
    gpu_driver_bind = nvml::nvmlSystemEventTypeGpuDriverBind,
};

/// An enumeration whose values Flags combines.
template <class Type>
concept FlagEnumeration =
    std::same_as<Type, ClockEventReason> || std::same_as<Type, EventType> || std::same_as<Type, SystemEventType>;

/// Returns the set of both.
template <FlagEnumeration Flag>
[[nodiscard]] constexpr Flags<Flag> operator|(Flag left, Flag right) noexcept {
    return Flags<Flag>(left) | Flags<Flag>(right);
}

}  // namespace CUBIND_NAMESPACE::system
