// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/array/array.hpp>
#include <cubind/core/array/mipmapped_array.hpp>

#include <functional>
#include <memory>
#include <vector>

#include "device/context_object.hpp"

namespace CUBIND_NAMESPACE::detail {

/// What cubind stores about an array that it owns, or about a level of such an array.
class ArrayState {
public:
    ArrayState(driver::CUarray handle, const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor, ContextObject& owner) noexcept
        : handle_(handle), descriptor_(descriptor), owner_(&owner) {}

    const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor() const noexcept { return descriptor_; }
    ContextObject& owner() const noexcept { return *owner_; }

    /// Returns a view of the array that has this state.
    ArrayRef view() const noexcept;
    /// Returns the state of a view, or nullptr.
    static const ArrayState* of(ArrayRef array) noexcept { return array.state_; }

private:
    driver::CUarray handle_;
    driver::CUDA_ARRAY3D_DESCRIPTOR descriptor_;
    ContextObject* owner_;
};

/// Owns an array.
class OwnedArray final : public ContextObject {
public:
    explicit OwnedArray(ContextRef context);

    /// Takes ownership of the array, and returns a view that has its state.
    static ArrayRef own(const std::shared_ptr<OwnedArray>& state, driver::CUarray handle,
                        const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept;

private:
    ArrayState array_;
};

/// Owns a mipmapped array.
class CUBIND_EXPORT MipmappedArrayState final : public ContextObject {
public:
    /// Reserves memory for the states of the levels. Retains `used` until the array is destroyed.
    MipmappedArrayState(ContextRef context, unsigned int level_count, std::shared_ptr<const void> used = nullptr);

    /// Calls `create_native()`, which returns a new native array of the context, and returns its owner. The array retains `used`.
    static MipmappedArray create(ContextRef context, unsigned int level_count,
                                 const std::function<driver::CUmipmappedArray()>& create_native,
                                 std::shared_ptr<const void> used = nullptr);

    const std::vector<ArrayState>& levels() const noexcept { return levels_; }

    /// Adds the next level.
    void add(driver::CUarray handle, const driver::CUDA_ARRAY3D_DESCRIPTOR& descriptor) noexcept;
    /// Adds the first levels of the native array, whose context is current.
    void add_levels(driver::CUmipmappedArray handle, unsigned int level_count);
    /// Takes ownership of the mipmapped array, and returns a view that has its state.
    static MipmappedArrayRef own(const std::shared_ptr<MipmappedArrayState>& state, driver::CUmipmappedArray handle) noexcept;

    /// Returns the state of a view, or nullptr.
    static const MipmappedArrayState* of(MipmappedArrayRef array) noexcept { return array.state_; }

private:
    std::vector<ArrayState> levels_;
};

/// Throws std::invalid_argument for more levels than halving the largest extent can produce.
CUBIND_EXPORT void check_level_count(const ArrayOptions& options, unsigned int level_count);

/// Returns the context of the array if cubind owns it, otherwise context_of_foreign_object().
[[nodiscard]] ContextRef context_of(ArrayRef array);

/// Returns the descriptor of any array (cuArray3DGetDescriptor).
[[nodiscard]] CUBIND_EXPORT driver::CUDA_ARRAY3D_DESCRIPTOR descriptor_of(ArrayRef array);

}  // namespace CUBIND_NAMESPACE::detail
