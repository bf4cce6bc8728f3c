// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "platform/process.hpp"
#include "state/write.hpp"

namespace CUBIND_NAMESPACE::sim::management {

namespace {

constexpr unsigned int no_instance = 0xffff'ffff;  // the device is not divided

void write_process(nvmlProcessInfo_v1_t& info, unsigned long long memory) noexcept {
    info = {.pid = static_cast<unsigned int>(cubind::detail::process_id()), .usedGpuMemory = memory};
}

void write_process(nvmlProcessInfo_v2_t& info, unsigned long long memory) noexcept {
    info = {.pid = static_cast<unsigned int>(cubind::detail::process_id()),
            .usedGpuMemory = memory,
            .gpuInstanceId = no_instance,
            .computeInstanceId = no_instance};
}

// Writes the process itself if it uses the device in this way. `count` is the length of the list, and receives the number of
// processes.
template <class Info>
nvmlReturn_t write_processes(const DeviceCheck& device, bool is_user, unsigned int* count, Info* infos) {
    if (device.failed()) return device.status;
    if (count == nullptr || (*count != 0 && infos == nullptr)) return NVML_ERROR_INVALID_ARGUMENT;
    const unsigned int space = *count;
    *count = is_user ? 1 : 0;
    if (space < *count) return NVML_ERROR_INSUFFICIENT_SIZE;
    if (is_user) write_process(*infos, device->used_memory);
    return NVML_SUCCESS;
}

// Each process has simulated devices of its own, so it is the only one on them, from its first context on.
template <class Info>
nvmlReturn_t write_compute_processes(nvmlDevice_t device, unsigned int* count, Info* infos) {
    const DeviceCheck found(device);
    return write_processes(found, !found.failed() && found->has_context, count, infos);
}

// No process uses a simulated device for graphics or through a server of MPS.
template <class Info>
nvmlReturn_t write_no_process(nvmlDevice_t device, unsigned int* count, Info* infos) {
    return write_processes(DeviceCheck(device), false, count, infos);
}

}  // namespace

extern "C" {

nvmlReturn_t sim_nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned int* infoCount, nvmlProcessInfo_v1_t* infos) {
    return write_compute_processes(device, infoCount, infos);
}

nvmlReturn_t sim_nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t device, unsigned int* infoCount,
                                                         nvmlProcessInfo_v2_t* infos) {
    return write_compute_processes(device, infoCount, infos);
}

nvmlReturn_t sim_nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int* infoCount, nvmlProcessInfo_t* infos) {
    return write_compute_processes(device, infoCount, infos);
}

nvmlReturn_t sim_nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t device, unsigned int* infoCount,
                                                       nvmlProcessInfo_v1_t* infos) {
    return write_no_process(device, infoCount, infos);
}

nvmlReturn_t sim_nvmlDeviceGetGraphicsRunningProcesses_v2(nvmlDevice_t device, unsigned int* infoCount,
                                                          nvmlProcessInfo_v2_t* infos) {
    return write_no_process(device, infoCount, infos);
}

nvmlReturn_t sim_nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, unsigned int* infoCount,
                                                          nvmlProcessInfo_t* infos) {
    return write_no_process(device, infoCount, infos);
}

nvmlReturn_t sim_nvmlDeviceGetMPSComputeRunningProcesses(nvmlDevice_t device, unsigned int* infoCount,
                                                         nvmlProcessInfo_v1_t* infos) {
    return write_no_process(device, infoCount, infos);
}

nvmlReturn_t sim_nvmlDeviceGetMPSComputeRunningProcesses_v2(nvmlDevice_t device, unsigned int* infoCount,
                                                            nvmlProcessInfo_v2_t* infos) {
    return write_no_process(device, infoCount, infos);
}

nvmlReturn_t sim_nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int* infoCount,
                                                            nvmlProcessInfo_t* infos) {
    return write_no_process(device, infoCount, infos);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
