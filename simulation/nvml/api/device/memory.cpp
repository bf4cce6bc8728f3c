// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/nvml/constants.hpp>

#include <bit>

#include "state/write.hpp"

namespace CUBIND_NAMESPACE::sim::management {

extern "C" {

// The driver of a GPU reserves memory for itself, the simulation reserves none. So both versions return the same numbers, and
// those of cuMemGetInfo.

nvmlReturn_t sim_nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory) {
    const Valid<DeviceCheck> found(device);
    return write_output(memory, {.total = found->memory, .free = found->memory - found->used_memory, .used = found->used_memory});
}

nvmlReturn_t sim_nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t* memory) {
    const DeviceCheck found(device);
    if (const nvmlReturn_t status = check_version(found, memory, nvmlMemory_v2)) {
        // Unlike other functions, this one has another status for a wrong version.
        return status == NVML_ERROR_ARGUMENT_VERSION_MISMATCH ? NVML_ERROR_FUNCTION_NOT_FOUND : status;
    }
    memory->total = found->memory;
    memory->reserved = 0;
    memory->free = found->memory - found->used_memory;
    memory->used = found->used_memory;
    return NVML_SUCCESS;
}

// The window is as large as the memory, rounded up to a power of two. Nothing is mapped into it.
nvmlReturn_t sim_nvmlDeviceGetBAR1MemoryInfo(nvmlDevice_t device, nvmlBAR1Memory_t* bar1Memory) {
    const Valid<DeviceCheck> found(device);
    constexpr unsigned long long max_power = 1ull << 63;
    const unsigned long long bytes = found->memory <= max_power ? std::bit_ceil<unsigned long long>(found->memory) : max_power;
    return write_output(bar1Memory, {.bar1Total = bytes, .bar1Free = bytes, .bar1Used = 0});
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::management
