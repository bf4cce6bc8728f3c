// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "state/registry.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

/// The configuration of a launch.
struct LaunchShape {
    dim3 grid;
    dim3 block;
    std::size_t shared = 0;  ///< bytes of dynamic shared memory of a block
    cudaStream_t stream = nullptr;
};

/// Converts the configuration of a launch. The attributes have the same layout.
CUlaunchConfig to_driver(const cudaLaunchConfig_t& configuration) noexcept;

/// Launches a function or a kernel of the driver in the thread's context.
cudaError_t launch(const Launchable& function, const LaunchShape& shape, void** arguments, bool is_cooperative = false);

/// Returns the status of a launch of this shape that the driver answered. For registered kernels, the status of an impossible
/// shape is cudaErrorInvalidConfiguration.
cudaError_t launch_status(CUresult status, const Launchable& function, const dim3& grid, const dim3& block);

}  // namespace CUBIND_NAMESPACE::sim::cudart
