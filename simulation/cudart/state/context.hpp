// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/status.hpp"
#include "support/thread_state.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

/// Initializes the driver. Returns cudaErrorInsufficientDriver if the driver is of an earlier major release.
cudaError_t initialize() noexcept;

/// Makes a usable context current on the calling thread: the current one, or else the primary context of the thread's device.
/// The first use of a primary context retains it, until cudaDeviceReset.
cudaError_t bind_context();

/// Selects the thread's device and makes its primary context current.
cudaError_t bind_device(int device);

/// Retains the primary context of a device, unless that was done before, and writes it.
cudaError_t retain_primary(int device, CUcontext& context);

/// Writes the device of the current context, or the device that the thread selected if there is no context.
cudaError_t current_device(int& device);

/// Destroys everything in the primary context of the device. The next call that needs the context activates it again.
cudaError_t reset_device(int device);

/// Returns whether the calling thread's calls use the active primary context of the device, or no context is current.
bool uses_primary_context(int device) noexcept;

/// Returns cudaErrorCallRequiresNewerDriver if the driver is of an earlier release, such as 13010.
cudaError_t require_release(int release) noexcept;

/// Returns the number of devices; 0 if there is none.
int device_count() noexcept;

}  // namespace CUBIND_NAMESPACE::sim::cudart
