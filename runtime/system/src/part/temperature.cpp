// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/device_queries.hpp>
#include <cubind/nvml/loading.hpp>
#include <cubind/system/temperature.hpp>

#include <algorithm>

#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;

int Temperature::celsius() const {
    if (!nvml::has(nvml::nvmlDeviceGetTemperatureV)) {
        return static_cast<int>(checked(nvml::nvmlDeviceGetTemperature(device_, nvml::NVML_TEMPERATURE_GPU)));
    }
    nvml::nvmlTemperature_t query{};
    query.sensorType = nvml::NVML_TEMPERATURE_GPU;
    return checked(nvml::nvmlDeviceGetTemperatureV(device_, query)).temperature;
}

int Temperature::threshold_celsius(TemperatureThreshold threshold) const {
    const auto native = static_cast<nvml::nvmlTemperatureThresholds_t>(threshold);
    return static_cast<int>(checked(nvml::nvmlDeviceGetTemperatureThreshold(device_, native)));
}

int Temperature::margin_celsius() const {
    return checked(nvml::nvmlDeviceGetMarginTemperature(device_, nvml::nvmlMarginTemperature_t{})).marginTemperature;
}

std::vector<ThermalSensor> Temperature::sensors() const {
    constexpr unsigned int all_sensors = nvml::NVML_THERMAL_TARGET_ALL;
    const nvml::nvmlGpuThermalSettings_t settings = checked(nvml::nvmlDeviceGetThermalSettings(device_, all_sensors));
    std::vector<ThermalSensor> sensors;
    for (unsigned int i = 0; i < std::min<unsigned int>(settings.count, nvml::NVML_MAX_THERMAL_SENSORS_PER_GPU); ++i) {
        const auto& sensor = settings.sensor[i];
        sensors.push_back({.controller = static_cast<ThermalController>(sensor.controller),
                           .target = static_cast<ThermalTarget>(sensor.target),
                           .celsius = sensor.currentTemp,
                           .min_celsius = sensor.defaultMinTemp,
                           .max_celsius = sensor.defaultMaxTemp});
    }
    return sensors;
}

}  // namespace CUBIND_NAMESPACE::system
