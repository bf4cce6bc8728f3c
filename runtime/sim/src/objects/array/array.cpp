// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/array/array.hpp"

#include <cubind/driver/constants.hpp>

#include "objects/memory/allocate.hpp"
#include "support/output.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr std::size_t tile_bytes = 65536;  ///< unit in which a program maps memory, in bytes

bool has_deferred_mapping(const CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept {
    return (descriptor.Flags & (unsigned{CUDA_ARRAY3D_SPARSE} | CUDA_ARRAY3D_DEFERRED_MAPPING)) != 0;
}

}  // namespace

NewArray make_array(Registry<CUarray, Array>& arrays, const std::shared_ptr<Context>& owner,
                    const CUDA_ARRAY3D_DESCRIPTOR& descriptor, bool is_level) {
    const auto shape = shape_of(descriptor);
    if (!shape) return {CUDA_ERROR_INVALID_VALUE, nullptr};
    if (owner == nullptr) return {CUDA_ERROR_CONTEXT_IS_DESTROYED, nullptr};
    std::shared_ptr<Allocation> storage;
    if (!has_deferred_mapping(descriptor)) {
        NewMemory memory = allocate_hidden(*owner, shape->bytes());
        if (memory.status != CUDA_SUCCESS) return {memory.status, nullptr};
        storage = std::move(memory.allocation);
    }
    return {CUDA_SUCCESS, add_new(arrays, owner, descriptor, *shape, std::move(storage), is_level)};
}

CUresult write_requirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* out, const CUDA_ARRAY3D_DESCRIPTOR& descriptor, std::size_t bytes) {
    if ((descriptor.Flags & CUDA_ARRAY3D_DEFERRED_MAPPING) == 0) return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY_MEMORY_REQUIREMENTS requirements{};
    requirements.size = (bytes + tile_bytes - 1) / tile_bytes * tile_bytes;
    requirements.alignment = tile_bytes;
    return write_output(out, requirements);
}

CUresult write_sparse_properties(CUDA_ARRAY_SPARSE_PROPERTIES* out, const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
    const auto element = element_of(descriptor.Format, descriptor.NumChannels);
    if ((descriptor.Flags & CUDA_ARRAY3D_SPARSE) == 0 || !element) return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY_SPARSE_PROPERTIES properties{};
    // The most nearly square tile whose sides are powers of two. If the sides differ, the width is larger.
    unsigned width = 1;
    unsigned height = 1;
    while (std::size_t{width} * height * element->bytes < tile_bytes) (width <= height ? width : height) *= 2;
    const auto side = static_cast<unsigned>(element->side);
    properties.tileExtent = {width * side, height * side, 1};
    return write_output(out, properties);
}

}  // namespace CUBIND_NAMESPACE::sim
