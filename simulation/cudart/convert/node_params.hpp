// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/driver.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

/// Converts the parameters of a kernel node.
cudaError_t to_driver(const cudaKernelNodeParams& parameters, CUDA_KERNEL_NODE_PARAMS& converted);
/// Converts the driver's parameters of a kernel node.
cudaKernelNodeParams from_driver(const CUDA_KERNEL_NODE_PARAMS& parameters);

/// Converts the parameters of a node of any type. Requires a current context, in which the node runs.
cudaError_t to_driver(const cudaGraphNodeParams& parameters, CUgraphNodeParams& converted);
/// Converts the driver's parameters of a node of any type.
cudaError_t from_driver(const CUgraphNodeParams& parameters, cudaGraphNodeParams& converted);

}  // namespace CUBIND_NAMESPACE::sim::cudart
