// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "objects/array/mapped_memory.hpp"
#include "objects/array/shape.hpp"
#include "objects/context/context.hpp"
#include "objects/memory/allocation.hpp"
#include "support/registry.hpp"

namespace CUBIND_NAMESPACE::sim {

/// A CUDA array. Its memory is accessible by copies, textures and surfaces only, and not by an address.
class Array {
public:
    Array(driver::CUarray own_handle, std::shared_ptr<Context> owner, const driver::CUDA_ARRAY3D_DESCRIPTOR& own_descriptor,
          const Shape& own_shape, std::shared_ptr<Allocation> own_storage, bool own_is_level,
          std::shared_ptr<MappedMemory> own_mapped = nullptr, unsigned own_level = 0)
        : handle(own_handle),
          context(std::move(owner)),
          descriptor(own_descriptor),
          shape(own_shape),
          storage(std::move(own_storage)),
          is_level(own_is_level),
          mapped(std::move(own_mapped)),
          level(own_level) {}

    const driver::CUarray handle;
    const std::shared_ptr<Context> context;
    const driver::CUDA_ARRAY3D_DESCRIPTOR descriptor;
    const Shape shape;
    const std::shared_ptr<Allocation> storage;   ///< null if the program maps the memory
    const bool is_level;                         ///< whether it is a level of a mipmapped array, which destroys it
    const std::shared_ptr<MappedMemory> mapped;  ///< memory that the program maps; null if `storage` has the memory
    const unsigned level;                        ///< level of detail within the mapped memory

    /// Returns the memory that the program maps to this array, or null. A level has none of its own: it belongs to the mipmapped
    /// array.
    std::shared_ptr<MappedMemory> own_mapped() const noexcept { return is_level ? nullptr : mapped; }
    /// Returns the tiles with their present memory, or null if `storage` has the memory.
    std::shared_ptr<const TiledMemory> tiles() const {
        if (mapped == nullptr) return nullptr;
        return std::make_shared<const TiledMemory>(TiledMemory{mapped->plan.levels[level], mapped->table()});
    }
};

/// An array with several levels of detail.
class MipmappedArray {
public:
    MipmappedArray(driver::CUmipmappedArray own_handle, std::shared_ptr<Context> owner,
                   const driver::CUDA_ARRAY3D_DESCRIPTOR& own_descriptor, std::vector<std::shared_ptr<Array>> own_levels)
        : handle(own_handle), context(std::move(owner)), descriptor(own_descriptor), levels(std::move(own_levels)) {}

    const driver::CUmipmappedArray handle;
    const std::shared_ptr<Context> context;
    const driver::CUDA_ARRAY3D_DESCRIPTOR descriptor;
    const std::vector<std::shared_ptr<Array>> levels;

    /// Returns the memory that the program maps to the levels, or null if each level has its memory.
    const std::shared_ptr<MappedMemory>& mapped() const noexcept { return levels.front()->mapped; }
};

/// A new array, or the status of the failure.
struct NewArray {
    driver::CUresult status;
    std::shared_ptr<Array> array;
};
/// Creates an array and adds it to `arrays`. Returns CUDA_ERROR_CONTEXT_IS_DESTROYED if `owner` is null.
NewArray make_array(Registry<driver::CUarray, Array>& arrays, const std::shared_ptr<Context>& owner,
                    const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor);

/// New levels of a mipmapped array, or the status of the failure.
struct NewLevels {
    driver::CUresult status;
    std::vector<std::shared_ptr<Array>> levels;
};
/// Creates the levels of a mipmapped array and adds them to `arrays`.
NewLevels make_levels(Registry<driver::CUarray, Array>& arrays, const std::shared_ptr<Context>& owner,
                      const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor, unsigned count);

/// Writes the memory requirements of an array to which the program maps all memory. Returns CUDA_ERROR_INVALID_VALUE for other
/// arrays, for which `mapped` may be null.
driver::CUresult write_requirements(driver::CUDA_ARRAY_MEMORY_REQUIREMENTS* out, const MappedMemory* mapped);
/// Writes the properties of a sparse array. Returns CUDA_ERROR_INVALID_VALUE for other arrays, for which `mapped` may be null.
driver::CUresult write_sparse_properties(driver::CUDA_ARRAY_SPARSE_PROPERTIES* out, const MappedMemory* mapped);

}  // namespace CUBIND_NAMESPACE::sim
