// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "support/session.hpp"

#include <cubind/driver/types.hpp>
#include <cubind/nvml/constants.hpp>

#include <atomic>
#include <limits>

#include "platform/dynamic_library.hpp"

namespace CUBIND_NAMESPACE::sim::management {

namespace {

// Atomics instead of a lock, which fork() could copy while another thread holds it.
constinit std::atomic<unsigned int> sessions = 0;
constinit std::atomic<SimulatedDevice*> simulated_device = nullptr;
constinit std::atomic<int> release = std::numeric_limits<int>::max();

template <class Function>
Function* find(void* library, const char* symbol) noexcept {
    return reinterpret_cast<Function*>(cubind::detail::find_symbol(library, symbol));
}

// Several threads may connect at the same time. They find the same functions. The driver cannot be unloaded.
bool connect() noexcept {
    if (simulated_device.load(std::memory_order_acquire) != nullptr) return true;
    void* const library = cubind::detail::open_library("libcuda.so.1");
    if (library == nullptr) return false;
    auto* const device = find<SimulatedDevice>(library, simulated_device_symbol);
    auto* const version = find<driver::CUresult(int*)>(library, "cuDriverGetVersion");
    int number = 0;
    if (device == nullptr || version == nullptr || version(&number) != driver::CUDA_SUCCESS) return false;
    release.store(number, std::memory_order_release);
    simulated_device.store(device, std::memory_order_release);
    return true;
}

constexpr unsigned int known_flags =
    unsigned{NVML_INIT_FLAG_NO_GPUS} | unsigned{NVML_INIT_FLAG_NO_ATTACH} | unsigned{NVML_INIT_FLAG_FORCE_INIT};

}  // namespace

nvmlReturn_t begin_session(unsigned int flags) noexcept {
    if ((flags & ~known_flags) != 0) return NVML_ERROR_INVALID_ARGUMENT;
    if (!connect()) return NVML_ERROR_DRIVER_NOT_LOADED;
    const int devices = read_device(-1, nullptr);
    if (devices < 0) return NVML_ERROR_LIB_RM_VERSION_MISMATCH;
    const bool may_lack_devices = (flags & unsigned{NVML_INIT_FLAG_NO_GPUS}) != 0;
    if (devices == 0 && !may_lack_devices) return NVML_ERROR_GPU_NOT_FOUND;
    sessions.fetch_add(1, std::memory_order_acq_rel);
    return NVML_SUCCESS;
}

nvmlReturn_t end_session() noexcept {
    unsigned int count = sessions.load(std::memory_order_acquire);
    do {
        if (count == 0) return NVML_ERROR_UNINITIALIZED;
    } while (!sessions.compare_exchange_weak(count, count - 1, std::memory_order_acq_rel));
    return NVML_SUCCESS;
}

bool is_initialized() noexcept {
    return sessions.load(std::memory_order_acquire) != 0;
}

int driver_release() noexcept {
    return release.load(std::memory_order_acquire);
}

int read_device(int ordinal, DeviceFacts* facts) noexcept {
    return simulated_device.load(std::memory_order_acquire)(ordinal, facts, sizeof *facts);
}

int device_count() noexcept {
    const int count = read_device(-1, nullptr);
    return count > 0 ? count : 0;
}

}  // namespace CUBIND_NAMESPACE::sim::management
