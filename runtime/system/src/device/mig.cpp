// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/error.hpp>
#include <cubind/nvml/multi_instance_gpu.hpp>
#include <cubind/system/device.hpp>

#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;

bool Mig::is_mig_device() const {
    return checked(nvml::nvmlDeviceIsMigDeviceHandle(device_)) != 0;
}

PendingSwitch Mig::mode() const {
    const auto [current, pending] = checked(nvml::nvmlDeviceGetMigMode(device_));
    return {current != 0, pending != 0};
}

void Mig::set_enabled(bool enabled) const {
    const nvml::nvmlReturn_t activation = checked(nvml::nvmlDeviceSetMigMode(device_, enabled ? 1 : 0));
    if (activation == nvml::NVML_SUCCESS) return;
    throw Error(Error("nvml", "nvmlDeviceSetMigMode", static_cast<int>(activation), nvml::to_string(activation),
                      nvml::describe(activation)),
                "The driver accepted the mode but did not activate it: end the processes that use the GPU and restart the GPU.");
}

unsigned int Mig::max_device_count() const {
    return checked(nvml::nvmlDeviceGetMaxMigDeviceCount(device_));
}

Device Mig::device(unsigned int index) const {
    return Device(checked(nvml::nvmlDeviceGetMigDeviceHandleByIndex(device_, index)));
}

std::vector<Device> Mig::devices() const {
    std::vector<Device> devices;
    const unsigned int count = detail::checked_count(max_device_count(), "nvmlDeviceGetMaxMigDeviceCount", "parts of a device");
    for (unsigned int i = 0; i < count; ++i) {
        // Indices without a part are gaps between others.
        auto result = nvml::nvmlDeviceGetMigDeviceHandleByIndex(device_, i);
        if (result.status == nvml::NVML_ERROR_NOT_FOUND) continue;
        devices.emplace_back(checked(std::move(result)));
    }
    return devices;
}

Device Mig::parent() const {
    return Device(checked(nvml::nvmlDeviceGetDeviceHandleFromMigDeviceHandle(device_)));
}

unsigned int Mig::gpu_instance_id() const {
    return checked(nvml::nvmlDeviceGetGpuInstanceId(device_));
}

unsigned int Mig::compute_instance_id() const {
    return checked(nvml::nvmlDeviceGetComputeInstanceId(device_));
}

}  // namespace CUBIND_NAMESPACE::system
