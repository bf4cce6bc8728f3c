// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/device_queries.hpp>
#include <cubind/system/clock.hpp>

#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;

namespace {

nvml::nvmlClockType_t native(ClockType type) {
    return static_cast<nvml::nvmlClockType_t>(type);
}

}  // namespace

unsigned int Clock::current_mhz() const {
    return checked(nvml::nvmlDeviceGetClockInfo(device_, native(type_)));
}

unsigned int Clock::max_mhz() const {
    return checked(nvml::nvmlDeviceGetMaxClockInfo(device_, native(type_)));
}

unsigned int Clock::max_customer_boost_mhz() const {
    return checked(nvml::nvmlDeviceGetMaxCustomerBoostClock(device_, native(type_)));
}

Limits<unsigned int> Clock::limits_mhz(PerformanceState state) const {
    const auto [min, max] =
        checked(nvml::nvmlDeviceGetMinMaxClockOfPState(device_, native(type_), static_cast<nvml::nvmlPstates_t>(state)));
    return {min, max};
}

ClockOffset Clock::offset(PerformanceState state) const {
    nvml::nvmlClockOffset_t query{};
    query.type = native(type_);
    query.pstate = static_cast<nvml::nvmlPstates_t>(state);
    const nvml::nvmlClockOffset_t found = checked(nvml::nvmlDeviceGetClockOffsets(device_, query));
    return {found.clockOffsetMHz, found.minClockOffsetMHz, found.maxClockOffsetMHz};
}

}  // namespace CUBIND_NAMESPACE::system
