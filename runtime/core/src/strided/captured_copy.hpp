// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/stream.hpp>

#include "strided/copy_plan.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Adds a copy with a kernel of another device to the capture of the stream (cuGraphAddKernelNode). The device must be able to
/// access both sides. Throws Error if the capture is invalid.
void capture_copy_by_kernel(StreamRef stream, Device device, const CopyPlan& plan);

}  // namespace CUBIND_NAMESPACE::detail
