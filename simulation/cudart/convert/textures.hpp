// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/driver.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

/// Converts the description of a resource. Its flags are ignored. Returns false if it is of no known type or has no valid
/// elements.
bool to_driver(const cudaResourceDesc& resource, CUDA_RESOURCE_DESC& converted) noexcept;
/// Converts the driver's description of a resource.
cudaResourceDesc from_driver(const CUDA_RESOURCE_DESC& resource) noexcept;

/// Converts the description of a texture.
CUDA_TEXTURE_DESC to_driver(const cudaTextureDesc& texture) noexcept;
/// Converts the driver's description of a texture.
cudaTextureDesc from_driver(const CUDA_TEXTURE_DESC& texture) noexcept;

}  // namespace CUBIND_NAMESPACE::sim::cudart
