// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/write.hpp"

namespace CUBIND_NAMESPACE::sim::management {

namespace {

bool are_known(nvmlMemoryErrorType_t error, nvmlEccCounterType_t counter) noexcept {
    return error < NVML_MEMORY_ERROR_TYPE_COUNT && counter < NVML_ECC_COUNTER_TYPE_COUNT;
}

}  // namespace

extern "C" {

// The memory of the processor has no errors that a simulated device could count.

nvmlReturn_t sim_nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t errorType,
                                             nvmlEccCounterType_t counterType, unsigned long long* eccCounts) {
    if (!are_known(errorType, counterType)) return NVML_ERROR_INVALID_ARGUMENT;
    return write_of_device(device, eccCounts, 0);
}

nvmlReturn_t sim_nvmlDeviceGetDetailedEccErrors(nvmlDevice_t device, nvmlMemoryErrorType_t errorType,
                                                nvmlEccCounterType_t counterType, nvmlEccErrorCounts_t* eccCounts) {
    if (!are_known(errorType, counterType)) return NVML_ERROR_INVALID_ARGUMENT;
    return write_of_device(device, eccCounts, {});
}

nvmlReturn_t sim_nvmlDeviceGetMemoryErrorCounter(nvmlDevice_t device, nvmlMemoryErrorType_t errorType,
                                                 nvmlEccCounterType_t counterType, nvmlMemoryLocation_t locationType,
                                                 unsigned long long* count) {
    if (!are_known(errorType, counterType) || locationType >= NVML_MEMORY_LOCATION_COUNT) return NVML_ERROR_INVALID_ARGUMENT;
    const bool is_counted = locationType != NVML_MEMORY_LOCATION_L1_CACHE && locationType != NVML_MEMORY_LOCATION_L2_CACHE;
    return is_counted ? write_of_device(device, count, 0) : refuse_for_device(device, count);
}

nvmlReturn_t sim_nvmlDeviceGetRemappedRows(nvmlDevice_t device, unsigned int* corrRows, unsigned int* uncRows,
                                           unsigned int* isPending, unsigned int* failureOccurred) {
    if (isPending == nullptr || failureOccurred == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    const nvmlReturn_t status = write_of_device(device, corrRows, 0, uncRows, 0);
    return status == NVML_SUCCESS ? write_outputs(isPending, 0, failureOccurred, 0) : status;
}

// Devices from compute capability 8.0 on replace rows instead of pages.

nvmlReturn_t sim_nvmlDeviceGetRetiredPages(nvmlDevice_t device, nvmlPageRetirementCause_t cause, unsigned int* pageCount,
                                           unsigned long long*) {
    const DeviceCheck found(device);
    if (found.failed() || cause >= NVML_PAGE_RETIREMENT_CAUSE_COUNT) return NVML_ERROR_INVALID_ARGUMENT;
    return found->major >= 8 ? refuse_for_device(device, pageCount) : write_output(pageCount, 0);
}

nvmlReturn_t sim_nvmlDeviceGetRetiredPages_v2(nvmlDevice_t device, nvmlPageRetirementCause_t cause, unsigned int* pageCount,
                                              unsigned long long* addresses, unsigned long long*) {
    return sim_nvmlDeviceGetRetiredPages(device, cause, pageCount, addresses);
}

nvmlReturn_t sim_nvmlDeviceGetRetiredPagesPendingStatus(nvmlDevice_t device, nvmlEnableState_t* isPending) {
    const Valid<DeviceCheck> found(device);
    return found->major >= 8 ? refuse_for_device(device, isPending) : write_output(isPending, NVML_FEATURE_DISABLED);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
