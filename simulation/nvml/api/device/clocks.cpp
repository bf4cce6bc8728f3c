// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/constants.hpp>

#include <algorithm>
#include <vector>

#include "state/idle_device.hpp"
#include "state/write.hpp"

namespace CUBIND_NAMESPACE::sim::management {

namespace {

// All in MHz; 0 for a clock that does not exist. The memory of an idle device keeps its clock.

unsigned int max_clock(const DeviceCheck& device, nvmlClockType_t type) noexcept {
    switch (type) {
        case NVML_CLOCK_GRAPHICS:
        case NVML_CLOCK_SM:
            return static_cast<unsigned int>(device->clock_khz) / 1000;
        case NVML_CLOCK_MEM:
            return static_cast<unsigned int>(device->memory_clock_khz) / 1000;
        case NVML_CLOCK_VIDEO:
            return idle::max_video_mhz;
        default:
            return 0;
    }
}

unsigned int current_clock(const DeviceCheck& device, nvmlClockType_t type) noexcept {
    switch (type) {
        case NVML_CLOCK_GRAPHICS:
        case NVML_CLOCK_SM:
            return idle::graphics_mhz;
        case NVML_CLOCK_VIDEO:
            return idle::video_mhz;
        default:
            return max_clock(device, type);
    }
}

using ClockQuery = unsigned int (&)(const DeviceCheck&, nvmlClockType_t) noexcept;

nvmlReturn_t write_clock(nvmlDevice_t device, nvmlClockType_t type, ClockQuery query, unsigned int* clock) {
    const Valid<DeviceCheck> found(device);
    return type < NVML_CLOCK_COUNT ? write_output(clock, query(found, type)) : NVML_ERROR_INVALID_ARGUMENT;
}

// `count` is the length of the list, and receives the number of clocks. Without a list, only the number is written.
nvmlReturn_t write_clocks(const std::vector<unsigned int>& clocks, unsigned int* count, unsigned int* list) {
    if (count == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    const unsigned int space = list != nullptr ? *count : 0;
    *count = static_cast<unsigned int>(clocks.size());
    if (space < clocks.size()) return NVML_ERROR_INSUFFICIENT_SIZE;
    std::copy(clocks.begin(), clocks.end(), list);
    return NVML_SUCCESS;
}

}  // namespace

extern "C" {

nvmlReturn_t sim_nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int* clock) {
    const nvmlReturn_t status = write_clock(device, type, current_clock, clock);
    // Unlike other functions, this one does not support types that do not exist.
    return status == NVML_ERROR_INVALID_ARGUMENT && type >= NVML_CLOCK_COUNT ? refuse_for_device(device, clock) : status;
}

nvmlReturn_t sim_nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int* clock) {
    return write_clock(device, type, max_clock, clock);
}

nvmlReturn_t sim_nvmlDeviceGetMaxCustomerBoostClock(nvmlDevice_t device, nvmlClockType_t clockType, unsigned int* clockMHz) {
    return write_clock(device, clockType, max_clock, clockMHz);
}

nvmlReturn_t sim_nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t clockType, unsigned int* clockMHz) {
    return write_clock(device, clockType, max_clock, clockMHz);
}

nvmlReturn_t sim_nvmlDeviceGetDefaultApplicationsClock(nvmlDevice_t device, nvmlClockType_t clockType, unsigned int* clockMHz) {
    return write_clock(device, clockType, max_clock, clockMHz);
}

nvmlReturn_t sim_nvmlDeviceGetClock(nvmlDevice_t device, nvmlClockType_t clockType, nvmlClockId_t clockId,
                                    unsigned int* clockMHz) {
    if (clockId >= NVML_CLOCK_ID_COUNT) return NVML_ERROR_INVALID_ARGUMENT;
    if (clockId == NVML_CLOCK_ID_CURRENT) return write_clock(device, clockType, current_clock, clockMHz);
    return write_clock(device, clockType, max_clock, clockMHz);
}

nvmlReturn_t sim_nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, unsigned int* count, unsigned int* clocksMHz) {
    const Valid<DeviceCheck> found(device);
    return write_clocks({max_clock(found, NVML_CLOCK_MEM)}, count, clocksMHz);
}

// From the highest clock down to that of an idle device.
nvmlReturn_t sim_nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t device, unsigned int memoryClockMHz, unsigned int* count,
                                                      unsigned int* clocksMHz) {
    const Valid<DeviceCheck> found(device);
    if (memoryClockMHz == 0 || count == nullptr) return NVML_ERROR_INVALID_ARGUMENT;
    if (memoryClockMHz != max_clock(found, NVML_CLOCK_MEM)) return NVML_ERROR_NOT_FOUND;
    std::vector<unsigned int> clocks;
    for (unsigned int mhz = max_clock(found, NVML_CLOCK_SM); mhz >= idle::graphics_mhz; mhz -= idle::step_mhz) {
        clocks.push_back(mhz);
    }
    return write_clocks(clocks, count, clocksMHz);
}

// The reasons for which clocks are not the highest have had two names.

nvmlReturn_t sim_nvmlDeviceGetCurrentClocksEventReasons(nvmlDevice_t device, unsigned long long* clocksEventReasons) {
    return write_of_device(device, clocksEventReasons, nvmlClocksEventReasonGpuIdle);
}

nvmlReturn_t sim_nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device, unsigned long long* clocksThrottleReasons) {
    return write_of_device(device, clocksThrottleReasons, nvmlClocksThrottleReasonGpuIdle);
}

nvmlReturn_t sim_nvmlDeviceGetSupportedClocksEventReasons(nvmlDevice_t device, unsigned long long* supportedClocksEventReasons) {
    return write_of_device(device, supportedClocksEventReasons, idle::clocks_event_reasons);
}

nvmlReturn_t sim_nvmlDeviceGetSupportedClocksThrottleReasons(nvmlDevice_t device,
                                                             unsigned long long* supportedClocksThrottleReasons) {
    return write_of_device(device, supportedClocksThrottleReasons, idle::clocks_event_reasons);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
