// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "stand_in.hpp"
#include "system_test.hpp"

namespace cubind::testing {

using namespace nvml;

namespace {

bool is_part(nvmlDevice_t device) {
    return device == part_handle(0) || device == part_handle(2);
}

const char* uuid_of(nvmlDevice_t device) {
    if (device == gpu_handle(0)) return "GPU-aaaa";
    if (device == gpu_handle(1)) return "GPU-bbbb";
    return device == part_handle(0) ? "MIG-cccc" : "MIG-dddd";
}

nvmlReturn_t write_processes(unsigned int* count, nvmlProcessInfo_t* infos, unsigned int number, unsigned int first_pid) {
    if (*count < number) {
        *count = number;
        return NVML_ERROR_INSUFFICIENT_SIZE;
    }
    for (unsigned int i = 0; i < number; ++i) infos[i] = {first_pid + i, 4096, i, 7};
    *count = number;
    return NVML_SUCCESS;
}

void add_identity(Functions& functions) {
    add(functions, "nvmlDeviceGetCount_v2", [](unsigned int* count) -> nvmlReturn_t {
        *count = 2;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetHandleByIndex_v2", [](unsigned int index, nvmlDevice_t* device) -> nvmlReturn_t {
        if (index > 1) return NVML_ERROR_INVALID_ARGUMENT;
        *device = gpu_handle(index);
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetHandleByPciBusId_v2", [](const char* id, nvmlDevice_t* device) -> nvmlReturn_t {
        if (std::string(id) != "0000:3b:00.0") return NVML_ERROR_NOT_FOUND;
        *device = gpu_handle(1);
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetHandleBySerial", [](const char* serial, nvmlDevice_t* device) -> nvmlReturn_t {
        if (std::string(serial) != "S123") return NVML_ERROR_NOT_FOUND;
        *device = gpu_handle(0);
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetHandleByUUID", [](const char* uuid, nvmlDevice_t* device) -> nvmlReturn_t {
        for (nvmlDevice_t each : {gpu_handle(0), gpu_handle(1), part_handle(0), part_handle(2)}) {
            *device = each;
            if (std::string(uuid) == uuid_of(each)) return NVML_SUCCESS;
        }
        return NVML_ERROR_NOT_FOUND;
    });
    add(functions, "nvmlDeviceGetUUID",
        [](nvmlDevice_t device, char* buffer, unsigned int size) { return write_text(buffer, size, uuid_of(device)); });
    add(functions, "nvmlDeviceGetIndex", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 3;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetName",
        [](nvmlDevice_t, char* buffer, unsigned int size) { return write_text(buffer, size, "NVIDIA Example"); });
    add(functions, "nvmlDeviceGetBrand", [](nvmlDevice_t, nvmlBrandType_t* value) -> nvmlReturn_t {
        *value = NVML_BRAND_GEFORCE_RTX;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetArchitecture", [](nvmlDevice_t, nvmlDeviceArchitecture_t* value) -> nvmlReturn_t {
        *value = NVML_DEVICE_ARCH_HOPPER;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetCudaComputeCapability", [](nvmlDevice_t, int* major, int* minor) -> nvmlReturn_t {
        *major = 9;
        *minor = 1;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetSerial",
        [](nvmlDevice_t, char* buffer, unsigned int size) { return write_text(buffer, size, "S123"); });
    add(functions, "nvmlDeviceGetModuleId", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 4;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetMinorNumber", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 5;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetVbiosVersion",
        [](nvmlDevice_t, char* buffer, unsigned int size) { return write_text(buffer, size, "96.00.10"); });
    add(functions, "nvmlDeviceGetNumGpuCores", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 16896;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetMemoryBusWidth", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 5120;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetNumFans", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 2;
        return NVML_SUCCESS;
    });
}

void add_load(Functions& functions) {
    add(functions, "nvmlDeviceGetMemoryInfo_v2", [](nvmlDevice_t, nvmlMemory_v2_t* value) -> nvmlReturn_t {
        if (value->version != nvmlMemory_v2) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        *value = {value->version, 1000, 1, 700, 299};
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetBAR1MemoryInfo", [](nvmlDevice_t, nvmlBAR1Memory_t* value) -> nvmlReturn_t {
        *value = {64, 48, 16};
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetUtilizationRates", [](nvmlDevice_t, nvmlUtilization_t* value) -> nvmlReturn_t {
        *value = {81, 32};
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetEncoderUtilization",
        [](nvmlDevice_t, unsigned int* percent, unsigned int* period) -> nvmlReturn_t {
            *percent = 11;
            *period = 167000;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetDecoderUtilization",
        [](nvmlDevice_t, unsigned int* percent, unsigned int* period) -> nvmlReturn_t {
            *percent = 12;
            *period = 168000;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetComputeRunningProcesses_v3",
        [](nvmlDevice_t, unsigned int* count, nvmlProcessInfo_t* infos) { return write_processes(count, infos, 100, 1000); });
    add(functions, "nvmlDeviceGetGraphicsRunningProcesses_v3",
        [](nvmlDevice_t, unsigned int* count, nvmlProcessInfo_t* infos) { return write_processes(count, infos, 2, 2000); });
    add(functions, "nvmlDeviceGetMPSComputeRunningProcesses_v3",
        [](nvmlDevice_t, unsigned int* count, nvmlProcessInfo_t* infos) { return write_processes(count, infos, 0, 0); });
    add(functions, "nvmlDeviceGetAttributes_v2", [](nvmlDevice_t device, nvmlDeviceAttributes_t* value) -> nvmlReturn_t {
        if (!is_part(device)) return NVML_ERROR_NOT_SUPPORTED;
        *value = {16, 1, 2, 3, 4, 5, 6, 7, 10};
        return NVML_SUCCESS;
    });
}

void add_state(Functions& functions) {
    add(functions, "nvmlDeviceGetPerformanceState", [](nvmlDevice_t, nvmlPstates_t* value) -> nvmlReturn_t {
        *value = NVML_PSTATE_2;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetSupportedPerformanceStates",
        [](nvmlDevice_t, nvmlPstates_t* states, unsigned int size) -> nvmlReturn_t {
            if (size != 16 * sizeof *states) return NVML_ERROR_INSUFFICIENT_SIZE;
            states[0] = NVML_PSTATE_0;
            states[1] = NVML_PSTATE_8;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetDynamicPstatesInfo", [](nvmlDevice_t, nvmlGpuDynamicPstatesInfo_t* info) -> nvmlReturn_t {
        *info = {};
        info->utilization[0] = {1, 21, 22, 23};
        info->utilization[2] = {1, 31, 32, 33};
        info->utilization[3] = {0, 9, 9, 9};
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetCurrentClocksEventReasons", [](nvmlDevice_t, unsigned long long* value) -> nvmlReturn_t {
        *value = 0x44;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetSupportedClocksEventReasons", [](nvmlDevice_t, unsigned long long* value) -> nvmlReturn_t {
        *value = 0x1ff;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetCurrentClocksThrottleReasons", [](nvmlDevice_t, unsigned long long* value) -> nvmlReturn_t {
        *value = 0x8;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetSupportedClocksThrottleReasons", [](nvmlDevice_t, unsigned long long* value) -> nvmlReturn_t {
        *value = 0xff;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetAutoBoostedClocksEnabled",
        [](nvmlDevice_t, nvmlEnableState_t* now, nvmlEnableState_t* by_default) -> nvmlReturn_t {
            *now = NVML_FEATURE_DISABLED;
            *by_default = NVML_FEATURE_ENABLED;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetComputeMode", [](nvmlDevice_t, nvmlComputeMode_t* value) -> nvmlReturn_t {
        *value = NVML_COMPUTEMODE_EXCLUSIVE_PROCESS;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceSetComputeMode", [](nvmlDevice_t, nvmlComputeMode_t mode) -> nvmlReturn_t {
        if (mode != NVML_COMPUTEMODE_PROHIBITED) return NVML_ERROR_INVALID_ARGUMENT;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetPersistenceMode", [](nvmlDevice_t, nvmlEnableState_t* value) -> nvmlReturn_t {
        *value = NVML_FEATURE_ENABLED;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceSetPersistenceMode", [](nvmlDevice_t, nvmlEnableState_t mode) -> nvmlReturn_t {
        if (mode != NVML_FEATURE_ENABLED) return NVML_ERROR_NO_PERMISSION;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetDisplayMode", [](nvmlDevice_t, nvmlEnableState_t* value) -> nvmlReturn_t {
        *value = NVML_FEATURE_ENABLED;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetDisplayActive", [](nvmlDevice_t, nvmlEnableState_t* value) -> nvmlReturn_t {
        *value = NVML_FEATURE_DISABLED;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetC2cModeInfoV", [](nvmlDevice_t, nvmlC2cModeInfo_v1_t* value) -> nvmlReturn_t {
        *value = {1};
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetAddressingMode", [](nvmlDevice_t, nvmlDeviceAddressingMode_t* value) -> nvmlReturn_t {
        if (value->version != nvmlDeviceAddressingMode_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        value->value = NVML_DEVICE_ADDRESSING_MODE_ATS;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetRepairStatus", [](nvmlDevice_t, nvmlRepairStatus_t* value) -> nvmlReturn_t {
        if (value->version != nvmlRepairStatus_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        value->bTpcRepairPending = 1;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetCoolerInfo", [](nvmlDevice_t, nvmlCoolerInfo_t* value) -> nvmlReturn_t {
        if (value->version != nvmlCoolerInfo_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        value->signalType = NVML_THERMAL_COOLER_SIGNAL_VARIABLE;
        value->target = NVML_THERMAL_COOLER_TARGET_MEMORY;
        return NVML_SUCCESS;
    });
}

void add_topology(Functions& functions) {
    add(functions, "nvmlDeviceGetNumaNodeId", [](nvmlDevice_t, unsigned int* value) -> nvmlReturn_t {
        *value = 6;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetCpuAffinityWithinScope",
        [](nvmlDevice_t, unsigned int size, unsigned long* words, nvmlAffinityScope_t scope) -> nvmlReturn_t {
            if (size < 2) return NVML_ERROR_INSUFFICIENT_SIZE;
            words[0] = 5;
            words[1] = scope;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetMemoryAffinity",
        [](nvmlDevice_t, unsigned int, unsigned long* words, nvmlAffinityScope_t) -> nvmlReturn_t {
            words[0] = 2;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceSetCpuAffinity", [](nvmlDevice_t) -> nvmlReturn_t { return NVML_SUCCESS; });
    add(functions, "nvmlDeviceClearCpuAffinity", [](nvmlDevice_t) -> nvmlReturn_t { return NVML_SUCCESS; });
    add(functions, "nvmlDeviceGetTopologyNearestGpus",
        [](nvmlDevice_t device, nvmlGpuTopologyLevel_t level, unsigned int* count, nvmlDevice_t* devices) -> nvmlReturn_t {
            *count = level == NVML_TOPOLOGY_SYSTEM && *count >= 1 ? 1 : 0;
            if (*count == 1) devices[0] = device == gpu_handle(0) ? gpu_handle(1) : gpu_handle(0);
            return NVML_SUCCESS;
        });
    add(functions, "nvmlSystemGetTopologyGpuSet",
        [](unsigned int cpu, unsigned int* count, nvmlDevice_t* devices) -> nvmlReturn_t {
            *count = cpu == 3 ? 1 : 0;
            if (cpu == 3) devices[0] = gpu_handle(1);
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetTopologyCommonAncestor",
        [](nvmlDevice_t, nvmlDevice_t, nvmlGpuTopologyLevel_t* level) -> nvmlReturn_t {
            *level = NVML_TOPOLOGY_HOSTBRIDGE;
            return NVML_SUCCESS;
        });
    add(functions, "nvmlDeviceGetP2PStatus",
        [](nvmlDevice_t, nvmlDevice_t, nvmlGpuP2PCapsIndex_t index, nvmlGpuP2PStatus_t* status) -> nvmlReturn_t {
            *status = index == NVML_P2P_CAPS_INDEX_NVLINK ? NVML_P2P_STATUS_OK : NVML_P2P_STATUS_DISABLED_BY_REGKEY;
            return NVML_SUCCESS;
        });
}

}  // namespace

void add_device_functions(Functions& functions) {
    add_identity(functions);
    add_load(functions);
    add_state(functions);
    add_topology(functions);
}

}  // namespace cubind::testing
