// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <simulation/functions.hpp>

#include "shared/device_facts.hpp"

namespace CUBIND_NAMESPACE::sim::management {

/// Begins a session, as nvmlInitWithFlags does. Sessions are counted. The first one finds the driver, without initializing it.
/// Returns NVML_ERROR_DRIVER_NOT_LOADED if the libcuda.so.1 of the process is not cubind's, and NVML_ERROR_GPU_NOT_FOUND if there
/// is no device, unless the flags allow this.
nvmlReturn_t begin_session(unsigned int flags) noexcept;

/// Ends one session. Returns NVML_ERROR_UNINITIALIZED if there is none.
nvmlReturn_t end_session() noexcept;

/// Returns whether there is a session.
bool is_initialized() noexcept;

/// Returns the release of the driver, such as 13050. Before the first session, the highest number.
int driver_release() noexcept;

/// Asks the driver for a device (SimulatedDevice). Requires a session.
int read_device(int ordinal, DeviceFacts* facts) noexcept;

/// Returns the number of devices; 0 if there is none. Requires a session.
int device_count() noexcept;

}  // namespace CUBIND_NAMESPACE::sim::management
