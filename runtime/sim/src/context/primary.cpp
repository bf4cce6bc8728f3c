// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "context/primary.hpp"

#include <simulation/functions.hpp>

#include "machine/check.hpp"

namespace CUBIND_NAMESPACE::sim {

bool is_primary(const Context& context) {
    const std::lock_guard lock(context.device.primary_mutex);
    return context.device.primary.get() == &context;
}

extern "C" {

CUresult sim_cuDevicePrimaryCtxRetain(CUcontext* pctx, CUdevice dev) {
    const DeviceCheck device(dev);
    if (device.failed()) return device.status;
    if (pctx == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(device->primary_mutex);
    if (device->primary_users == 0 && device->fault() != CUDA_SUCCESS) return device->fault();
    constexpr unsigned api_version = 3020;
    if (device->primary == nullptr) {
        device->primary = add_new(machine().contexts, *device, device->primary_flags, api_version);
    } else if (device->primary_users == 0) {
        device->primary->reactivate();
    }
    ++device->primary_users;
    *pctx = device->primary->handle;
    return CUDA_SUCCESS;
}

CUresult sim_cuDevicePrimaryCtxRelease_v2(CUdevice dev) {
    const DeviceCheck device(dev);
    if (device.failed()) return device.status;
    const std::lock_guard lock(device->primary_mutex);
    if (device->primary_users == 0) return CUDA_ERROR_INVALID_CONTEXT;
    if (--device->primary_users == 0) device->primary->shut_down();
    return CUDA_SUCCESS;
}

CUresult sim_cuDevicePrimaryCtxRelease(CUdevice dev) {
    return sim_cuDevicePrimaryCtxRelease_v2(dev);
}

CUresult sim_cuDevicePrimaryCtxReset_v2(CUdevice dev) {
    const DeviceCheck device(dev);
    if (device.failed()) return device.status;
    const std::lock_guard lock(device->primary_mutex);
    if (device->primary_users != 0) {
        device->primary_users = 0;
        device->primary->shut_down();
    }
    return CUDA_SUCCESS;
}

CUresult sim_cuDevicePrimaryCtxReset(CUdevice dev) {
    return sim_cuDevicePrimaryCtxReset_v2(dev);
}

CUresult sim_cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int* flags, int* active) {
    const DeviceCheck device(dev);
    if (device.failed()) return device.status;
    if (flags == nullptr || active == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::lock_guard lock(device->primary_mutex);
    *flags = device->primary_flags;
    *active = device->primary_users != 0 ? 1 : 0;
    return CUDA_SUCCESS;
}

CUresult sim_cuDevicePrimaryCtxSetFlags_v2(CUdevice dev, unsigned int flags) {
    const DeviceCheck device(dev);
    if (device.failed()) return device.status;
    if ((flags & ~unsigned{CU_CTX_FLAGS_MASK}) != 0) return CUDA_ERROR_INVALID_VALUE;
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
