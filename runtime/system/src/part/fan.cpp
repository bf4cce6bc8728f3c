// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/device_commands.hpp>
#include <cubind/nvml/device_queries.hpp>
#include <cubind/system/fan.hpp>

#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;

unsigned int Fan::speed_percent() const {
    return checked(nvml::nvmlDeviceGetFanSpeed_v2(device_, index_));
}

void Fan::set_speed_percent(unsigned int percent) const {
    checked(nvml::nvmlDeviceSetFanSpeed_v2(device_, index_, percent));
}

void Fan::set_default_speed() const {
    checked(nvml::nvmlDeviceSetDefaultFanSpeed_v2(device_, index_));
}

unsigned int Fan::speed_rpm() const {
    nvml::nvmlFanSpeedInfo_t query{};
    query.fan = index_;
    return checked(nvml::nvmlDeviceGetFanSpeedRPM(device_, query)).speed;
}

unsigned int Fan::target_speed_percent() const {
    return checked(nvml::nvmlDeviceGetTargetFanSpeed(device_, index_));
}

Limits<unsigned int> Fan::speed_limits_percent() const {
    const auto [min, max] = checked(nvml::nvmlDeviceGetMinMaxFanSpeed(device_));
    return {min, max};
}

FanPolicy Fan::control_policy() const {
    return static_cast<FanPolicy>(checked(nvml::nvmlDeviceGetFanControlPolicy_v2(device_, index_)));
}

void Fan::set_control_policy(FanPolicy policy) const {
    checked(nvml::nvmlDeviceSetFanControlPolicy(device_, index_, static_cast<nvml::nvmlFanControlPolicy_t>(policy)));
}

}  // namespace CUBIND_NAMESPACE::system
