// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
// Memory, load and processes of a device.
#include <cubind/nvml/device_queries.hpp>
#include <cubind/system/device.hpp>

#include <algorithm>
#include <cstddef>

#include "support/checked.hpp"

namespace CUBIND_NAMESPACE::system {

using detail::checked;

namespace {

using ProcessQuery = Result<nvml::nvmlReturn_t, unsigned int> (&)(nvml::nvmlDevice_t, unsigned int,
                                                                  nvml::nvmlProcessInfo_t*) noexcept;

// The list is read again with more space if processes exceed the space, because their number is known only afterwards.
std::vector<ProcessInfo> processes_of(nvml::nvmlDevice_t device, ProcessQuery query) {
    for (std::size_t space = 64;; space *= 2) {
        std::vector<nvml::nvmlProcessInfo_t> found(space);
        auto result = query(device, static_cast<unsigned int>(space), found.data());
        constexpr std::size_t max_space = 1u << 20;
        if (result.status == nvml::NVML_ERROR_INSUFFICIENT_SIZE && space < max_space) continue;
        found.resize(std::min<std::size_t>(checked(std::move(result)), space));
        std::vector<ProcessInfo> processes;
        for (const nvml::nvmlProcessInfo_t& each : found) {
            processes.push_back({each.pid, each.usedGpuMemory, each.gpuInstanceId, each.computeInstanceId});
        }
        return processes;
    }
}

template <class Query>
EngineUtilization engine_utilization(Query query) {
    const auto [percent, microseconds] = checked(query());
    return {percent, std::chrono::microseconds(microseconds)};
}

}  // namespace

MemoryInfo Device::memory_info() const {
    const nvml::nvmlMemory_v2_t memory = checked(nvml::nvmlDeviceGetMemoryInfo_v2(handle_, nvml::nvmlMemory_v2_t{}));
    return {.total = memory.total, .free = memory.free, .used = memory.used, .reserved = memory.reserved};
}

Bar1MemoryInfo Device::bar1_memory_info() const {
    const nvml::nvmlBAR1Memory_t memory = checked(nvml::nvmlDeviceGetBAR1MemoryInfo(handle_));
    return {.total = memory.bar1Total, .free = memory.bar1Free, .used = memory.bar1Used};
}

Utilization Device::utilization() const {
    const nvml::nvmlUtilization_t rates = checked(nvml::nvmlDeviceGetUtilizationRates(handle_));
    return {rates.gpu, rates.memory};
}

EngineUtilization Device::encoder_utilization() const {
    return engine_utilization([&] { return nvml::nvmlDeviceGetEncoderUtilization(handle_); });
}

EngineUtilization Device::decoder_utilization() const {
    return engine_utilization([&] { return nvml::nvmlDeviceGetDecoderUtilization(handle_); });
}

std::vector<ProcessInfo> Device::compute_processes() const {
    return processes_of(handle_, nvml::nvmlDeviceGetComputeRunningProcesses_v3);
}

std::vector<ProcessInfo> Device::graphics_processes() const {
    return processes_of(handle_, nvml::nvmlDeviceGetGraphicsRunningProcesses_v3);
}

std::vector<ProcessInfo> Device::mps_compute_processes() const {
    return processes_of(handle_, nvml::nvmlDeviceGetMPSComputeRunningProcesses_v3);
}

DeviceAttributes Device::attributes() const {
    const nvml::nvmlDeviceAttributes_t found = checked(nvml::nvmlDeviceGetAttributes_v2(handle_));
    return {.multiprocessor_count = found.multiprocessorCount,
            .shared_copy_engine_count = found.sharedCopyEngineCount,
            .shared_decoder_count = found.sharedDecoderCount,
            .shared_encoder_count = found.sharedEncoderCount,
            .shared_jpeg_count = found.sharedJpegCount,
            .shared_ofa_count = found.sharedOfaCount,
            .gpu_instance_slice_count = found.gpuInstanceSliceCount,
            .compute_instance_slice_count = found.computeInstanceSliceCount,
            .memory_size = found.memorySizeMB << 20};
}

}  // namespace CUBIND_NAMESPACE::system
