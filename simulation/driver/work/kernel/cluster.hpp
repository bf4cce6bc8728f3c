// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "objects/module/kernel_view.hpp"

namespace CUBIND_NAMESPACE::sim {

/// Determines the cluster of a launch from its attributes or the kernel's; {0, 0, 0} if there is none. Returns
/// CUDA_ERROR_INVALID_CLUSTER_SIZE if the cluster is invalid.
driver::CUresult find_cluster(const KernelView& view, const driver::CUlaunchConfig& config, Extent3& cluster);

/// Returns the threads of a block, or 0 if one dimension exceeds 1024.
int threads_of(const driver::CUlaunchConfig& config) noexcept;

}  // namespace CUBIND_NAMESPACE::sim
