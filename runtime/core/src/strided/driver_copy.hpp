// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/stream/stream.hpp>

#include "strided/copy_plan.hpp"

namespace CUBIND_NAMESPACE::detail {

/// Returns whether one call of the driver can make the copy: the elements follow each other on both sides, or are rows and
/// planes at uniform distances.
[[nodiscard]] bool has_driver_copy(const CopyPlan& plan) noexcept;

/// Makes this call. Each side can be memory of the host or of any device (cuMemcpyAsync, cuMemcpy2DAsync, cuMemcpy3DAsync,
/// cuMemcpy3DPeerAsync).
void copy_by_driver(StreamRef stream, const CopyPlan& plan);

}  // namespace CUBIND_NAMESPACE::detail
