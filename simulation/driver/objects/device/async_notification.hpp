// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

namespace CUBIND_NAMESPACE::sim {

/// A function of the program that a GPU's driver calls when the process exceeds its memory budget on a device. The simulated
/// devices have no budget, so nothing calls it.
struct AsyncNotification {
    AsyncNotification(driver::CUasyncCallbackHandle own_handle, driver::CUdevice own_device)
        : handle(own_handle), device(own_device) {}

    const driver::CUasyncCallbackHandle handle;
    const driver::CUdevice device;
};

}  // namespace CUBIND_NAMESPACE::sim
