// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>
#include <utility>

#include "machine/check.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// The caller holds the lock of the device's primary context.
void deactivate_primary(Device& device) {
    if (!device.is_primary_active) return;
    device.is_primary_active = false;
    device.primary_flags = 0;  // the next context has the default flags
    machine().shut_down(*device.primary);
    device.primary->flags.store(0);
}

}  // namespace

extern "C" {

CUresult sim_cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev) {
    const Valid<DeviceCheck> device(dev);
    if (pctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(device->primary_mutex);
    if (!device->is_primary_active && device->fault() != CUDA_SUCCESS) return device->fault();
    constexpr unsigned api_version = 3020;
    if (!device->is_primary_active) {
        CoredumpSettings coredump = machine().coredump.for_context(device->primary_flags);
        if (device->primary == nullptr) {
            device->primary =
                add_new(machine().contexts, *device, machine().memory, device->primary_flags, api_version, coredump);
        } else {
            device->primary->reactivate(std::move(coredump));
        }
    }
    device->is_primary_active = true;
    ++device->primary_users;
    *pctx = device->primary->handle;
    return CUDA_SUCCESS;
}

CUresult sim_cuDevicePrimaryCtxRelease_v2(CUdevice dev) {
    const Valid<DeviceCheck> device(dev);
    const std::lock_guard lock(device->primary_mutex);
    if (device->primary_users == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (--device->primary_users == 0) deactivate_primary(*device);
    return CUDA_SUCCESS;
}

CUresult sim_cuDevicePrimaryCtxRelease(CUdevice dev) {
    return sim_cuDevicePrimaryCtxRelease_v2(dev);
}

// As in the driver, each retain of the context still requires a release.
CUresult sim_cuDevicePrimaryCtxReset_v2(CUdevice dev) {
    const Valid<DeviceCheck> device(dev);
    const std::lock_guard lock(device->primary_mutex);
    deactivate_primary(*device);
    return CUDA_SUCCESS;
}

CUresult sim_cuDevicePrimaryCtxReset(CUdevice dev) {
    return sim_cuDevicePrimaryCtxReset_v2(dev);
}

CUresult sim_cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active) {
    const Valid<DeviceCheck> device(dev);
    if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(device->primary_mutex);
    *flags = device->primary_flags;
    *active = device->is_primary_active ? 1 : 0;
    return CUDA_SUCCESS;
}

CUresult sim_cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags) {
    const Valid<DeviceCheck> device(dev);
    if (!are_context_flags_valid(flags)) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(device->primary_mutex);
    device->primary_flags = flags;
    if (device->primary != nullptr) device->primary->flags.store(flags);
    return CUDA_SUCCESS;
}

CUresult sim_cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags) {
    return sim_cuDevicePrimaryCtxSetFlags_v2(dev, flags);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
