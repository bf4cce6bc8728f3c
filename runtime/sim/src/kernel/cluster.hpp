// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel/attributes.hpp"

namespace cubind::sim {

/// The clusters that a launch has, by its attributes or the kernel's own; 0, 0, 0 where it has none.
/// CUDA_ERROR_INVALID_CLUSTER_SIZE where that cannot be.
CUresult find_cluster(const KernelView& view, const CUlaunchConfig& config, Dim3& cluster);

/// Threads of a block; 0 for too many to count.
int threads_of(const CUlaunchConfig& config) noexcept;

}  // namespace cubind::sim
