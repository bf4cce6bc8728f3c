// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/constants.hpp>

#include <chrono>

#include "state/idle_device.hpp"
#include "state/write.hpp"

namespace CUBIND_NAMESPACE::sim::management {

namespace {

void set_number(nvmlFieldValue_t& field, unsigned int number) noexcept {
    field.valueType = NVML_VALUE_TYPE_UNSIGNED_INT;
    field.value.uiVal = number;
}

// Returns whether the field exists.
bool read_field(const DeviceCheck& device, nvmlFieldValue_t& field) noexcept {
    switch (field.fieldId) {
        case NVML_FI_DEV_ECC_CURRENT:
        case NVML_FI_DEV_ECC_PENDING:
            set_number(field, device->has_ecc ? 1 : 0);
            return true;
        case NVML_FI_DEV_MEMORY_TEMP:
            set_number(field, idle::memory_celsius);
            return true;
        case NVML_FI_DEV_PCIE_REPLAY_COUNTER:
        case NVML_FI_DEV_NVLINK_LINK_COUNT:
        case NVML_FI_DEV_REMAPPED_COR:
        case NVML_FI_DEV_REMAPPED_UNC:
        case NVML_FI_DEV_REMAPPED_PENDING:
        case NVML_FI_DEV_REMAPPED_FAILURE:
            set_number(field, 0);
            return true;
        case NVML_FI_DEV_POWER_AVERAGE:
        case NVML_FI_DEV_POWER_INSTANT:
            set_number(field, idle::milliwatts);
            return true;
        case NVML_FI_DEV_POWER_MIN_LIMIT:
            set_number(field, idle::min_limit_milliwatts);
            return true;
        case NVML_FI_DEV_POWER_MAX_LIMIT:
        case NVML_FI_DEV_POWER_DEFAULT_LIMIT:
        case NVML_FI_DEV_POWER_CURRENT_LIMIT:
        case NVML_FI_DEV_POWER_REQUESTED_LIMIT:
            set_number(field, idle::max_limit_milliwatts);
            return true;
        default:
            return false;
    }
}

// In microseconds since 1970.
long long now() noexcept {
    using Microseconds = std::chrono::duration<long long, std::micro>;
    return std::chrono::duration_cast<Microseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

extern "C" {

// Each value has a status of its own.
nvmlReturn_t sim_nvmlDeviceGetFieldValues(nvmlDevice_t device, int valuesCount, nvmlFieldValue_t* values) {
    const Valid<DeviceCheck> found(device);
    if (values == nullptr || valuesCount <= 0) return NVML_ERROR_INVALID_ARGUMENT;
    for (int index = 0; index < valuesCount; ++index) {
        nvmlFieldValue_t& field = values[index];
        field.timestamp = now();
        field.latencyUsec = 0;
        field.value = {};
        field.nvmlReturn = NVML_ERROR_NOT_SUPPORTED;
        if (read_field(found, field)) {
            field.nvmlReturn = NVML_SUCCESS;
        } else if (field.fieldId == NVML_FI_DEV_TOTAL_ENERGY_CONSUMPTION) {
            field.valueType = NVML_VALUE_TYPE_UNSIGNED_LONG_LONG;
            field.nvmlReturn = sim_nvmlDeviceGetTotalEnergyConsumption(device, &field.value.ullVal);
        }
    }
    return NVML_SUCCESS;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
