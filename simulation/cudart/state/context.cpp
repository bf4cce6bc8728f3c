// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "state/context.hpp"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <vector>

#include "platform/fork_hook.hpp"
#include "platform/write_signals.hpp"
#include "state/registry.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

struct Primary {
    CUcontext context = nullptr;
    bool is_retained = false;
};

struct Primaries {
    std::mutex mutex;
    std::vector<Primary> of_device;
};

// Never destroyed, because threads may call the library while the process ends.
Primaries& primaries() {
    static auto& instance = *new Primaries;
    return instance;
}

// The number of device resets. A thread whose generation is less checks its context again.
constinit std::atomic<unsigned> resets = 0;

constinit cubind::detail::StaticForkHook fork_hook;

// Holds both locks while fork() copies the process: the child could never unlock what another thread had locked. Everywhere, the
// registry is locked first.
void hold_locks_during_fork() noexcept {
    const auto lock = [](void*) noexcept {
        lock_registry();
        primaries().mutex.lock();
    };
    const auto unlock = [](void*) noexcept {
        primaries().mutex.unlock();
        unlock_registry();
    };
    using cubind::detail::ForkHook;
    static const bool is_added =
        (fork_hook.add(cubind::detail::ForkLevel::entry_points, nullptr, ForkHook::Actions{.hold = lock, .release = unlock}),
         true);
    static_cast<void>(is_added);
}

constexpr int minimum_driver = 13000;

// Programs that do not check statuses would compute nothing without a word.
void report_old_driver(int version) noexcept {
    static std::atomic_flag is_reported;
    if (is_reported.test_and_set(std::memory_order_relaxed)) return;
    cubind::detail::WithoutWriteSignals signals;
    signals.has_failed =
        std::fprintf(
            stderr,
            "cubind: simulated runtime library: cudaErrorInsufficientDriver: the driver is of CUDA %d.%d, and the runtime "
            "library of CUDA 13 needs one of 13.0 or later; simulate a later driver: cubind-sim --release, "
            "CUBIND_SIM_RELEASE\n",
            version / 1000, version % 1000 / 10) < 0;
}

cudaError_t initialize_driver() noexcept {
    hold_locks_during_fork();
    int version = 0;
    if (const CUresult status = cuDriverGetVersion(&version)) return status_of(status);
    if (version < minimum_driver) {
        report_old_driver(version);
        return cudaErrorInsufficientDriver;
    }
    return status_of(cuInit(0));
}

// After the fault of a kernel, a device has no other context until the process ends.
cudaError_t status_of_activation(CUresult status) noexcept {
    const bool is_fault = status >= CUDA_ERROR_ILLEGAL_ADDRESS && status <= CUDA_ERROR_LAUNCH_FAILED;
    return is_fault ? cudaErrorDevicesUnavailable : status_of(status);
}

bool is_active(CUdevice device) noexcept {
    unsigned int flags = 0;
    int active = 0;
    return cuDevicePrimaryCtxGetState(device, &flags, &active) == CUDA_SUCCESS && active != 0;
}

// Returns the ID of the calling thread's context, or 0 if there is none, or it was destroyed or had a fault. One call of the
// driver answers all of that.
unsigned long long usable_context() noexcept {
    unsigned long long id = 0;
    return cuCtxGetId(nullptr, &id) == CUDA_SUCCESS ? id : 0;
}

// The caller holds the lock. A reset by the driver API made the context unusable, but the context has to be released
// nevertheless.
cudaError_t retain(int device, CUcontext& context) {
    if (device < 0) return cudaErrorInvalidDevice;
    auto& all = primaries().of_device;
    const auto index = static_cast<std::size_t>(device);
    if (index < all.size() && all[index].is_retained && !is_active(device)) {
        all[index].is_retained = false;
        cuDevicePrimaryCtxRelease_v2(device);
    }
    if (index >= all.size() || !all[index].is_retained) {
        if (const CUresult status = cuDevicePrimaryCtxRetain(&context, device)) return status_of_activation(status);
        if (index >= all.size()) all.resize(index + 1);
        all[index] = {context, true};
    }
    context = all[index].context;
    return cudaSuccess;
}

void remember_current_context() noexcept {
    thread_state.bound = usable_context();
    thread_state.generation = resets.load(std::memory_order_acquire);
}

// A current context remains current after the reset of its device, and has to be activated again.
cudaError_t activate(CUcontext context) {
    const std::lock_guard lock(primaries().mutex);
    const auto& all = primaries().of_device;
    for (std::size_t device = 0; device < all.size(); ++device) {
        if (all[device].context != context) continue;
        CUcontext same = nullptr;
        if (const cudaError_t status = retain(static_cast<int>(device), same)) return status;
    }
    remember_current_context();
    return cudaSuccess;
}

}  // namespace

cudaError_t initialize() noexcept {
    static constinit std::atomic<bool> is_initialized = false;
    if (is_initialized.load(std::memory_order_acquire)) return cudaSuccess;
    const cudaError_t status = initialize_driver();
    if (status == cudaSuccess) is_initialized.store(true, std::memory_order_release);
    return status;
}

cudaError_t retain_primary(int device, CUcontext& context) {
    if (const cudaError_t status = initialize()) return status;
    const std::lock_guard lock(primaries().mutex);
    return retain(device, context);
}

cudaError_t bind_context() {
    const unsigned long long usable = usable_context();
    const bool is_known = usable == thread_state.bound && thread_state.generation == resets.load(std::memory_order_acquire);
    if (usable != 0 && is_known) [[likely]]
        return cudaSuccess;
    CUcontext current = nullptr;
    const bool has_context = cuCtxGetCurrent(&current) == CUDA_SUCCESS && current != nullptr;
    return has_context ? activate(current) : bind_device(thread_state.device);
}

cudaError_t bind_device(int device) {
    CUcontext context = nullptr;
    if (const cudaError_t status = retain_primary(device, context)) return status;
    if (const CUresult status = cuCtxSetCurrent(context)) return status_of(status);
    thread_state.device = device;
    remember_current_context();
    return cudaSuccess;
}

cudaError_t current_device(int& device) {
    if (const cudaError_t status = initialize()) return status;
    CUcontext current = nullptr;
    CUdevice of_context = 0;
    const bool has_context = cuCtxGetCurrent(&current) == CUDA_SUCCESS && current != nullptr;
    device = has_context && cuCtxGetDevice(&of_context) == CUDA_SUCCESS ? of_context : thread_state.device;
    return cudaSuccess;
}

cudaError_t reset_device(int device) {
    if (const cudaError_t status = initialize()) return status;
    const std::lock_guard lock(primaries().mutex);
    auto& all = primaries().of_device;
    const auto index = static_cast<std::size_t>(device);
    if (const CUresult status = cuDevicePrimaryCtxReset_v2(device)) return status_of(status);
    if (index < all.size() && all[index].is_retained) {
        all[index].is_retained = false;
        cuDevicePrimaryCtxRelease_v2(device);
    }
    resets.fetch_add(1, std::memory_order_acq_rel);
    return cudaSuccess;
}

bool uses_primary_context(int device) noexcept {
    CUcontext current = nullptr;
    CUcontext primary = nullptr;
    if (cuCtxGetCurrent(&current) != CUDA_SUCCESS || current == nullptr) return true;
    if (!is_active(device) || cuDevicePrimaryCtxRetain(&primary, device) != CUDA_SUCCESS) return false;
    cuDevicePrimaryCtxRelease_v2(device);
    return primary == current;
}

cudaError_t require_release(int release) noexcept {
    int version = 0;
    if (const CUresult status = cuDriverGetVersion(&version)) return status_of(status);
    return version < release ? cudaErrorCallRequiresNewerDriver : cudaSuccess;
}

int device_count() noexcept {
    int count = 0;
    return initialize() == cudaSuccess && cuDeviceGetCount(&count) == CUDA_SUCCESS ? count : 0;
}

}  // namespace CUBIND_NAMESPACE::sim::cudart
