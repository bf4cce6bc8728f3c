// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "stand_in.hpp"
#include "system_test.hpp"

namespace cubind::testing {

using namespace nvml;

namespace {

void add_cooling(Functions& functions) {
    add(functions, "nvmlDeviceGetFanSpeed_v2", [](nvmlDevice_t, unsigned int index, unsigned int* value) -> nvmlReturn_t {
        *value = 40 + index;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetTargetFanSpeed", [](nvmlDevice_t, unsigned int index, unsigned int* value) -> nvmlReturn_t {
        *value = 50 + index;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetFanControlPolicy_v2", [](nvmlDevice_t, unsigned int index, unsigned int* value) -> nvmlReturn_t {
        *value = NVML_FAN_POLICY_MANUAL + 0 * index;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceSetFanSpeed_v2", [](nvmlDevice_t, unsigned int fan, unsigned int speed) -> nvmlReturn_t {
        if (fan != 1 || speed != 60) return NVML_ERROR_INVALID_ARGUMENT;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceSetDefaultFanSpeed_v2", [](nvmlDevice_t, unsigned int fan) -> nvmlReturn_t {
        if (fan != 1) return NVML_ERROR_INVALID_ARGUMENT;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceSetFanControlPolicy",
        [](nvmlDevice_t, unsigned int fan, nvmlFanControlPolicy_t policy) -> nvmlReturn_t {
            if (fan != 1 || policy != NVML_FAN_POLICY_MANUAL) return NVML_ERROR_INVALID_ARGUMENT;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetFanSpeedRPM", [](nvmlDevice_t, nvmlFanSpeedInfo_t* value) -> nvmlReturn_t {
        if (value->version != nvmlFanSpeedInfo_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        value->speed = 1500 + value->fan;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetMinMaxFanSpeed", [](nvmlDevice_t, unsigned int* min, unsigned int* max) -> nvmlReturn_t {
        *min = 30;
        *max = 100;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetTemperatureV", [](nvmlDevice_t, nvmlTemperature_t* value) -> nvmlReturn_t {
        if (value->version != nvmlTemperature_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        value->temperature = value->sensorType == NVML_TEMPERATURE_GPU ? -7 : 0;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetTemperature", [](nvmlDevice_t, nvmlTemperatureSensors_t, unsigned int* value) -> nvmlReturn_t {
        *value = 66;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetTemperatureThreshold",
        [](nvmlDevice_t, nvmlTemperatureThresholds_t threshold, unsigned int* value) -> nvmlReturn_t {
            *value = 90 + threshold;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetMarginTemperature", [](nvmlDevice_t, nvmlMarginTemperature_t* value) -> nvmlReturn_t {
        if (value->version != nvmlMarginTemperature_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        value->marginTemperature = 23;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetThermalSettings",
        [](nvmlDevice_t, unsigned int index, nvmlGpuThermalSettings_t* settings) -> nvmlReturn_t {
            if (index != NVML_THERMAL_TARGET_ALL) return NVML_ERROR_INVALID_ARGUMENT;
            *settings = {};
            settings->count = 1;
            settings->sensor[0] = {NVML_THERMAL_CONTROLLER_ADM1032, 1, 120, 55, NVML_THERMAL_TARGET_BOARD};
            return NVML_SUCCESS;
        });
}

void add_power(Functions& functions) {
    add(functions, "nvmlDeviceGetPowerUsage", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 201000;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetPowerManagementLimit", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 202000;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetPowerManagementDefaultLimit", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 203000;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetEnforcedPowerLimit", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 204000;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceSetPowerManagementLimit", [](nvmlDevice_t, unsigned int limit) -> nvmlReturn_t {
        if (limit != 250000) return NVML_ERROR_INVALID_ARGUMENT;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetPowerManagementLimitConstraints",
        [](nvmlDevice_t, unsigned int* min, unsigned int* max) -> nvmlReturn_t {
            *min = 100000;
            *max = 700000;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetTotalEnergyConsumption", [](nvmlDevice_t, unsigned long long* value) -> nvmlReturn_t {
        *value = 1ull << 40;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetClockInfo", [](nvmlDevice_t, nvmlClockType_t type, unsigned int* value) -> nvmlReturn_t {
        *value = 1000 + type;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetMaxClockInfo", [](nvmlDevice_t, nvmlClockType_t type, unsigned int* value) -> nvmlReturn_t {
        *value = 2000 + type;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetMaxCustomerBoostClock",
        [](nvmlDevice_t, nvmlClockType_t type, unsigned int* value) -> nvmlReturn_t {
            *value = 3000 + type;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetMinMaxClockOfPState",
        [](nvmlDevice_t, nvmlClockType_t type, nvmlPstates_t state, unsigned int* min, unsigned int* max) -> nvmlReturn_t {
            *min = 200 + type;
            *max = 400 + state;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetClockOffsets", [](nvmlDevice_t, nvmlClockOffset_t* value) -> nvmlReturn_t {
        if (value->version != nvmlClockOffset_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        *value = {value->version, value->type, value->pstate, static_cast<int>(value->type) + static_cast<int>(value->pstate),
                  -100,           100};
        return NVML_SUCCESS;
    });
}

void add_records(Functions& functions) {
    add(functions, "nvmlDeviceGetEccMode", [](nvmlDevice_t, nvmlEnableState_t* now, nvmlEnableState_t* later) -> nvmlReturn_t {
        *now = NVML_FEATURE_ENABLED;
        *later = NVML_FEATURE_DISABLED;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceSetEccMode", [](nvmlDevice_t, nvmlEnableState_t mode) -> nvmlReturn_t {
        if (mode != NVML_FEATURE_DISABLED) return NVML_ERROR_INVALID_ARGUMENT;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetDefaultEccMode", [](nvmlDevice_t, nvmlEnableState_t* value) -> nvmlReturn_t {
        *value = NVML_FEATURE_ENABLED;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetTotalEccErrors",
        [](nvmlDevice_t, nvmlMemoryErrorType_t error, nvmlEccCounterType_t counter, unsigned long long* value) -> nvmlReturn_t {
            *value = 10 * error + counter;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceClearEccErrorCounts", [](nvmlDevice_t, nvmlEccCounterType_t counter) -> nvmlReturn_t {
        if (counter != NVML_AGGREGATE_ECC) return NVML_ERROR_INVALID_ARGUMENT;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetRemappedRows",
        [](nvmlDevice_t, unsigned int* correctable, unsigned int* uncorrectable, unsigned int* pending,
           unsigned int* failed) -> nvmlReturn_t {
            *correctable = 8;
            *uncorrectable = 9;
            *pending = 1;
            *failed = 0;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetInforomVersion", [](nvmlDevice_t, nvmlInforomObject_t object, char* buffer, unsigned int size) {
        return write_text(buffer, size, object == NVML_INFOROM_ECC ? "7.16" : "2.1");
    });
    add(functions, "nvmlDeviceGetInforomImageVersion",
        [](nvmlDevice_t, char* buffer, unsigned int size) { return write_text(buffer, size, "G520.0200.00.05"); });
    add(functions, "nvmlDeviceGetInforomConfigurationChecksum", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 0xabcd;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceValidateInforom", [](nvmlDevice_t) -> nvmlReturn_t { return NVML_SUCCESS; });
    add(functions, "nvmlDeviceGetLastBBXFlushTime",
        [](nvmlDevice_t, unsigned long long* time, unsigned long* duration) -> nvmlReturn_t {
            *time = 1700000000000000;
            *duration = 250;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetBoardPartNumber",
        [](nvmlDevice_t, char* buffer, unsigned int size) { return write_text(buffer, size, "900-21010"); });
}

void add_connections(Functions& functions) {
    add(functions, "nvmlDeviceGetPciInfo_v3", [](nvmlDevice_t, nvmlPciInfo_t* value) -> nvmlReturn_t {
        *value = {"0000:3B:00.0", 1, 0x3b, 2, 0x233510de, 0x18be10df, "00000001:3B:02.0"};
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetPciInfoExt", [](nvmlDevice_t, nvmlPciInfoExt_t* value) -> nvmlReturn_t {
        if (value->version != nvmlPciInfoExt_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        value->baseClass = 3;
        value->subClass = 2;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetCurrPcieLinkGeneration", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 4;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetMaxPcieLinkGeneration", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 5;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetGpuMaxPcieLinkGeneration", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 6;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetCurrPcieLinkWidth", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 8;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetMaxPcieLinkWidth", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 16;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetPcieSpeed", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 16000;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetPcieReplayCounter", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 77;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetPcieThroughput",
        [](nvmlDevice_t, nvmlPcieUtilCounter_t counter, unsigned int* value) -> nvmlReturn_t {
            *value = 500 + counter;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetNvLinkState", [](nvmlDevice_t, unsigned int index, nvmlEnableState_t* value) -> nvmlReturn_t {
        *value = index == 1 ? NVML_FEATURE_ENABLED : NVML_FEATURE_DISABLED;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetNvLinkVersion", [](nvmlDevice_t, unsigned int index, unsigned int* value) -> nvmlReturn_t {
        *value = 4 + index;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetNvLinkCapability",
        [](nvmlDevice_t, unsigned int, nvmlNvLinkCapability_t capability, unsigned int* value) -> nvmlReturn_t {
            *value = capability == NVML_NVLINK_CAP_P2P_ATOMICS ? 1 : 0;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetNvLinkErrorCounter",
        [](nvmlDevice_t, unsigned int link, nvmlNvLinkErrorCounter_t counter, unsigned long long* value) -> nvmlReturn_t {
            *value = 10 * link + counter;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceResetNvLinkErrorCounters", [](nvmlDevice_t, unsigned int) -> nvmlReturn_t { return NVML_SUCCESS; });
    add(functions, "nvmlDeviceGetNvLinkRemoteDeviceType",
        [](nvmlDevice_t, unsigned int index, nvmlIntNvLinkDeviceType_t* value) -> nvmlReturn_t {
            *value = index == 1 ? NVML_NVLINK_DEVICE_TYPE_SWITCH : NVML_NVLINK_DEVICE_TYPE_GPU;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetNvLinkRemotePciInfo_v2", [](nvmlDevice_t, unsigned int, nvmlPciInfo_t* value) -> nvmlReturn_t {
        *value = {"0000:3B:00.0", 1, 0x3b, 2, 0x233510de, 0x18be10df, "00000001:3B:02.0"};
        return NVML_SUCCESS;
    });
}

void add_division(Functions& functions) {
    add(functions, "nvmlDeviceIsMigDeviceHandle", [](nvmlDevice_t device, unsigned int* value) -> nvmlReturn_t {
        *value = device == part_handle(0) || device == part_handle(2) ? 1 : 0;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetMigMode", [](nvmlDevice_t device, unsigned int* now, unsigned int* later) -> nvmlReturn_t {
        *now = device == gpu_handle(1) ? 1 : 0;
        *later = 1;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceSetMigMode", [](nvmlDevice_t, unsigned int mode, nvmlReturn_t* activation) -> nvmlReturn_t {
        *activation = mode == 1 ? NVML_SUCCESS : NVML_ERROR_IN_USE;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetMaxMigDeviceCount", [](nvmlDevice_t device, unsigned int* value) -> nvmlReturn_t {
        *value = device == gpu_handle(1) ? 3 : 0;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetMigDeviceHandleByIndex",
        [](nvmlDevice_t, unsigned int index, nvmlDevice_t* part) -> nvmlReturn_t {
            if (index != 0 && index != 2) return NVML_ERROR_NOT_FOUND;
            *part = part_handle(index);
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetDeviceHandleFromMigDeviceHandle", [](nvmlDevice_t, nvmlDevice_t* device) -> nvmlReturn_t {
        *device = gpu_handle(1);
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetGpuInstanceId", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 13;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetComputeInstanceId", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 14;
        return NVML_SUCCESS;
    });
}

}  // namespace

void add_part_functions(Functions& functions) {
    add_cooling(functions);
    add_power(functions);
    add_records(functions);
    add_connections(functions);
    add_division(functions);
}

}  // namespace cubind::testing
