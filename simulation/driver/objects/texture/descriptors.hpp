// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/driver/types.hpp>

#include <cstddef>
#include <optional>

#include "objects/array/array.hpp"
#include "objects/memory/memory_map.hpp"

namespace CUBIND_NAMESPACE::sim {

/// The objects that the descriptor of a resource can refer to.
struct ResourceObjects {
    const MemoryMap& memory;
    const Registry<driver::CUarray, Array>& arrays;
    const Registry<driver::CUmipmappedArray, MipmappedArray>& mipmapped_arrays;
};

/// Limit of the bytes of a texture on linear memory.
inline constexpr std::size_t max_linear_bytes = std::size_t{4} << 30;

/// Returns the bytes of an element of a texture's memory, or nullopt if a texture cannot read the memory.
std::optional<std::size_t> element_bytes(const driver::CUDA_RESOURCE_DESC& resource, const ResourceObjects& objects);

/// Checks whether the resource is an array of cubemaps.
bool is_cubemap(const driver::CUDA_RESOURCE_DESC& resource, const ResourceObjects& objects);

/// Checks a texture descriptor.
bool is_valid(const driver::CUDA_TEXTURE_DESC& texture) noexcept;

/// Checks whether a view is valid for a resource with elements of this size.
bool is_valid(const driver::CUDA_RESOURCE_VIEW_DESC& view, const driver::CUDA_RESOURCE_DESC& resource, std::size_t element_bytes,
              const ResourceObjects& objects);

}  // namespace CUBIND_NAMESPACE::sim
