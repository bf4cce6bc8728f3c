// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/check.hpp"

namespace CUBIND_NAMESPACE::sim {

extern "C" {

CUresult sim_cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback callbackFunc, void* /*userData*/,
                                               CUasyncCallbackHandle* callback) {
    const DeviceCheck found(device);
    if (found.failed()) return found.status;
    if (callbackFunc == nullptr || callback == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return write_output(callback, add_new(machine().async_notifications, device)->handle);
}

CUresult sim_cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle callback) {
    const DeviceCheck checked(device);
    if (checked.failed()) return checked.status;
    const auto found = machine().async_notifications.find(callback);
    if (found == nullptr || found->device != device) return CUDA_ERROR_INVALID_VALUE;
    return machine().async_notifications.remove(callback) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
