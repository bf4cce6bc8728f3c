// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>
#include <optional>

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

/// Returns the bytes of an element of a texture's memory, or nullopt if a texture cannot read the memory.
std::optional<std::size_t> element_bytes(const CUDA_RESOURCE_DESC& resource);

/// Checks a texture descriptor.
bool is_valid(const CUDA_TEXTURE_DESC& texture) noexcept;

/// Checks whether a view is valid for a resource with elements of this size.
bool is_valid(const CUDA_RESOURCE_VIEW_DESC& view, const CUDA_RESOURCE_DESC& resource, std::size_t element_bytes);

}  // namespace CUBIND_NAMESPACE::sim
