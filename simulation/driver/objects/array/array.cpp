// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/array/array.hpp"

#include <cubind/driver/constants.hpp>

#include "objects/memory/allocate.hpp"
#include "support/output.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

namespace {

// Returns the memory that the program will map to an array with this many levels, or null if arrays of this kind have their own.
std::shared_ptr<MappedMemory> make_mapped(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, unsigned levels, bool is_mipmapped) {
    if (!is_sparse(descriptor) && !has_deferred_mapping(descriptor)) return nullptr;
    return std::make_shared<MappedMemory>(plan_tiles(descriptor, levels, is_mipmapped));
}

NewArray add_array(Registry<CUarray, Array>& arrays, const std::shared_ptr<Context>& owner,
                   const CUDA_ARRAY3D_DESCRIPTOR& descriptor, const Shape& shape, bool is_level,
                   const std::shared_ptr<MappedMemory>& mapped, unsigned level) {
    std::shared_ptr<Allocation> storage;
    if (mapped == nullptr) {
        NewMemory memory = allocate_hidden(*owner, shape.bytes());
        if (memory.status != CUDA_SUCCESS) return {memory.status, nullptr};
        storage = std::move(memory.allocation);
    }
    return {CUDA_SUCCESS, add_new(arrays, owner, descriptor, shape, std::move(storage), is_level, mapped, level)};
}

}  // namespace

NewArray make_array(Registry<CUarray, Array>& arrays, const std::shared_ptr<Context>& owner,
                    const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
    const auto shape = shape_of(descriptor);
    if (!shape) return {CUDA_ERROR_INVALID_VALUE, nullptr};
    if (owner == nullptr) return {CUDA_ERROR_CONTEXT_IS_DESTROYED, nullptr};
    return add_array(arrays, owner, descriptor, *shape, false, make_mapped(descriptor, 1, false), 0);
}

NewLevels make_levels(Registry<CUarray, Array>& arrays, const std::shared_ptr<Context>& owner,
                      const CUDA_ARRAY3D_DESCRIPTOR& descriptor, unsigned count) {
    if (!shape_of(descriptor)) return {CUDA_ERROR_INVALID_VALUE, {}};
    const auto mapped = make_mapped(descriptor, count, true);
    NewLevels result{CUDA_SUCCESS, {}};
    for (unsigned level = 0; level < count && result.status == CUDA_SUCCESS; ++level) {
        const CUDA_ARRAY3D_DESCRIPTOR reduced = level_of(descriptor, level);
        const auto shape = shape_of(reduced);
        NewArray made{CUDA_ERROR_INVALID_VALUE, nullptr};
        if (shape) made = add_array(arrays, owner, reduced, *shape, true, mapped, level);
        result.status = made.status;
        if (made.array != nullptr) result.levels.push_back(std::move(made.array));
    }
    if (result.status == CUDA_SUCCESS) return result;
    for (const auto& level : result.levels) arrays.remove(level->handle);
    return {result.status, {}};
}

CUresult write_requirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* out, const MappedMemory* mapped) {
    if (mapped == nullptr || !has_deferred_mapping(mapped->plan.descriptor)) return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY_MEMORY_REQUIREMENTS requirements{};
    requirements.size = mapped->plan.tail_size;
    requirements.alignment = tile_bytes;
    return write_output(out, requirements);
}

CUresult write_sparse_properties(CUDA_ARRAY_SPARSE_PROPERTIES* out, const MappedMemory* mapped) {
    if (mapped == nullptr || !is_sparse(mapped->plan.descriptor)) return CUDA_ERROR_INVALID_VALUE;
    return write_output(out, mapped->plan.properties);
}

}  // namespace CUBIND_NAMESPACE::sim
