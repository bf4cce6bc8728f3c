// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "stand_in.hpp"
#include "system_test.hpp"

namespace cubind::testing {

using namespace nvml;

namespace {

nvmlEventSet_t device_set() {
    return reinterpret_cast<nvmlEventSet_t>(std::uintptr_t{0x3000});
}
nvmlSystemEventSet_t system_set() {
    return reinterpret_cast<nvmlSystemEventSet_t>(std::uintptr_t{0x4000});
}

void write_field(nvmlFieldValue_t& field) {
    field.timestamp = 1000;
    field.latencyUsec = 10;
    field.nvmlReturn = NVML_SUCCESS;
    switch (field.fieldId) {
        case NVML_FI_DEV_NVLINK_LINK_COUNT:
            field.valueType = NVML_VALUE_TYPE_UNSIGNED_INT;
            field.value.uiVal = 3;
            break;
        case 1:
            field.valueType = NVML_VALUE_TYPE_DOUBLE;
            field.value.dVal = 2.5;
            break;
        case 2:
            field.valueType = NVML_VALUE_TYPE_SIGNED_INT;
            field.value.siVal = -3;
            break;
        case 3:
            field.valueType = NVML_VALUE_TYPE_UNSIGNED_LONG_LONG;
            field.value.ullVal = ~0ull;
            break;
        case 4:
            field.valueType = NVML_VALUE_TYPE_UNSIGNED_SHORT;
            field.value.usVal = static_cast<unsigned short>(40 + field.scopeId);
            break;
        case 5:
            field.valueType = NVML_VALUE_TYPE_COUNT;
            break;
        default:
            field.nvmlReturn = NVML_ERROR_NOT_SUPPORTED;
    }
}

}  // namespace

void add_event_functions(Functions& functions) {
    add(functions, "nvmlDeviceGetFieldValues", [](nvmlDevice_t, int count, nvmlFieldValue_t* values) -> nvmlReturn_t {
        for (int i = 0; i < count; ++i) write_field(values[i]);
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceClearFieldValues", [](nvmlDevice_t, int count, nvmlFieldValue_t* values) -> nvmlReturn_t {
        for (int i = 0; i < count; ++i) write_field(values[i]);
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceGetSupportedEventTypes", [](nvmlDevice_t, unsigned long long* value) -> nvmlReturn_t {
        *value = 0x1d;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlEventSetCreate", [](nvmlEventSet_t* set) -> nvmlReturn_t {
        *set = device_set();
        ++stand_in.living_sets;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlEventSetFree", [](nvmlEventSet_t set) -> nvmlReturn_t {
        if (set != device_set()) return NVML_ERROR_INVALID_ARGUMENT;
        --stand_in.living_sets;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlDeviceRegisterEvents", [](nvmlDevice_t, unsigned long long types, nvmlEventSet_t) -> nvmlReturn_t {
        if ((types & ~0x1dull) != 0) return NVML_ERROR_NOT_SUPPORTED;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlEventSetWait_v2", [](nvmlEventSet_t, nvmlEventData_t* event, unsigned int timeout) -> nvmlReturn_t {
        if (timeout == 0 || ++stand_in.waits % 3 == 0) return NVML_ERROR_TIMEOUT;
        *event = {gpu_handle(1), nvmlEventTypeXidCriticalError, timeout, 0, 0};
        return NVML_SUCCESS;
    });
    add(functions, "nvmlSystemEventSetCreate", [](nvmlSystemEventSetCreateRequest_t* request) -> nvmlReturn_t {
        if (request->version != nvmlSystemEventSetCreateRequest_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        request->set = system_set();
        ++stand_in.living_sets;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlSystemEventSetFree", [](nvmlSystemEventSetFreeRequest_t* request) -> nvmlReturn_t {
        if (request->version != nvmlSystemEventSetFreeRequest_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        if (request->set != system_set()) return NVML_ERROR_INVALID_ARGUMENT;
        --stand_in.living_sets;
        return NVML_SUCCESS;
    });
    add(functions, "nvmlSystemRegisterEvents", [](nvmlSystemRegisterEventRequest_t* request) -> nvmlReturn_t {
        if (request->version != nvmlSystemRegisterEventRequest_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        return request->eventTypes <= 3 ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
    });
    add(functions, "nvmlSystemEventSetWait", [](nvmlSystemEventSetWaitRequest_t* request) -> nvmlReturn_t {
        if (request->version != nvmlSystemEventSetWaitRequest_v1) return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
        if (request->timeoutms == 0) return NVML_ERROR_TIMEOUT;
        request->numEvent = request->dataSize < 2 ? request->dataSize : 2;
        for (unsigned int i = 0; i < request->numEvent; ++i) request->data[i] = {i + 1, 0x3b00 + i};
        return NVML_SUCCESS;
    });
}

}  // namespace cubind::testing
