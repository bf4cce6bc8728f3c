// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/array/array.hpp>

namespace CUBIND_NAMESPACE {

namespace detail {

class MipmappedArrayState;

/// Shares ownership of the mipmapped array; nullptr for an array that cubind does not own.
[[nodiscard]] CUBIND_EXPORT std::shared_ptr<const void> share(MipmappedArrayRef array);

}  // namespace detail

/// A view of a mipmapped array: an array in several levels of detail, each of which has half the width, height and depth of the
/// one before. A view owns nothing and converts implicitly from the native handle. Any thread may use it.
class CUBIND_EXPORT MipmappedArrayRef {
public:
    /// The type of the native handle.
    using Handle = driver::CUmipmappedArray;

    /// Creates a view of the mipmapped array with this handle. Every use of a null handle throws std::invalid_argument.
    MipmappedArrayRef(Handle handle) noexcept : handle_(handle) {}
    MipmappedArrayRef(std::nullptr_t) = delete;  ///< Deleted: no array has a null handle.
    /// Deleted: an integer is not an array.
    template <class Integer>
    requires std::is_integral_v<Integer> MipmappedArrayRef(Integer)
    = delete;

    /// Returns the native handle, for driver calls. Throws std::invalid_argument for an empty array.
    [[nodiscard]] Handle native_handle() const {
        if (handle_ == nullptr) [[unlikely]]
            detail::throw_moved_from("MipmappedArray");
        return handle_;
    }

    /// Returns a view of a level of detail; level 0 is the largest. It is valid as long as the mipmapped array exists. Throws
    /// std::invalid_argument if there is no such level. Makes a driver call only if cubind does not own the array
    /// (cuMipmappedArrayGetLevel).
    [[nodiscard]] ArrayRef level(unsigned int index) const;

    /// Returns the number of levels. Throws std::invalid_argument for an array that cubind does not own, because the driver does
    /// not report the number.
    [[nodiscard]] unsigned int level_count() const;

    /// Returns the device of the array's context. Throws std::invalid_argument for an array that cubind does not own, because
    /// the driver does not report the device.
    [[nodiscard]] Device device() const;

    /// Returns the format, the shape and the uses of level 0.
    [[nodiscard]] ArrayOptions options() const { return level(0).options(); }

    /// Returns whether both views have the same handle.
    [[nodiscard]] friend bool operator==(MipmappedArrayRef left, MipmappedArrayRef right) noexcept {
        return left.handle_ == right.handle_;
    }

private:
    friend class detail::Owner<MipmappedArrayRef>;
    friend class detail::MipmappedArrayState;
    friend struct detail::HandleHash;
    friend std::shared_ptr<const void> detail::share(MipmappedArrayRef array);
    static MipmappedArrayRef empty() noexcept { return Handle(); }
    bool is_empty() const noexcept { return handle_ == nullptr; }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept;

    Handle handle_;
    detail::MipmappedArrayState* state_ = nullptr;  // nullptr for an array that cubind does not own
};

/// An owner of a mipmapped array (cuMipmappedArrayDestroy). The rules of Array for lifetimes and threads apply. Movable, not
/// copyable.
///
///     MipmappedArray image = device.create_mipmapped_array({.format = ArrayFormat::of<float>(), .width = 256, .height = 256});
///     for (unsigned int i = 0; i < image.level_count(); ++i) copy(stream, image.level(i), pixels[i]);
class [[nodiscard]] CUBIND_EXPORT MipmappedArray : public detail::Owner<MipmappedArrayRef> {
public:
    /// The value for `level_count` that requests all levels, down to a single element.
    CUBIND_HIDDEN static constexpr unsigned int all_levels = 0;

    /// Creates an empty object.
    MipmappedArray() noexcept = default;
    /// Creates a mipmapped array with this number of levels in device.context() (cuMipmappedArrayCreate,
    /// cuMipmappedArrayGetLevel). Throws like the constructor of Array, and std::invalid_argument if there are more levels than
    /// halving the largest extent can produce.
    [[nodiscard]] explicit MipmappedArray(Device device, const ArrayOptions& options, unsigned int level_count = all_levels);
    /// Creates a mipmapped array in this context, like the other constructor.
    [[nodiscard]] explicit MipmappedArray(ContextRef context, const ArrayOptions& options, unsigned int level_count = all_levels);

    /// Takes ownership of a mipmapped array with this number of levels that was created elsewhere, in the current context or,
    /// if none is current, in the primary context of device 0. If this throws, the caller still owns the array.
    static MipmappedArray from_native_handle(Handle handle, unsigned int level_count);

private:
    friend class detail::MipmappedArrayState;
    explicit MipmappedArray(MipmappedArrayRef owned) noexcept : Owner(owned) {}
};

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::MipmappedArrayRef> : cubind::detail::HandleHash {};
template <>
struct std::hash<cubind::MipmappedArray> : cubind::detail::HandleHash {};
