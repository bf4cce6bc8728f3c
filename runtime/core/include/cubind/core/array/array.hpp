// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/array/array_format.hpp>
#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/core/memory/detail/box_view.hpp>
#include <cubind/core/memory/extent.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>

namespace CUBIND_NAMESPACE {

class ArrayRef;
class MipmappedArrayRef;
struct ArrayRegion;

namespace detail {

class ArrayState;

/// Shares ownership of the array: it is destroyed once its owner and every returned pointer are destroyed. Returns nullptr for an
/// array that cubind does not own.
[[nodiscard]] CUBIND_EXPORT std::shared_ptr<const void> share(ArrayRef array);

/// Returns the operand of a copy. Throws std::invalid_argument for a part that is not within the array.
[[nodiscard]] CUBIND_EXPORT BoxView view_box(const ArrayRegion& region);
[[nodiscard]] CUBIND_EXPORT BoxView view_box(ArrayRef array);

}  // namespace detail

/// The format, the shape and the uses of an array. All sizes count elements.
///
///     {.format = ArrayFormat::of<float>(), .width = 640}                                       // one dimension
///     {.format = ArrayFormat::of<float>(), .width = 640, .height = 480}                        // two dimensions
///     {.format = ArrayFormat::of<float>(), .width = 64, .height = 64, .depth = 64}             // three dimensions
///     {.format = ArrayFormat::of<float>(), .width = 640, .height = 480, .layers = 8}           // layers of two dimensions
///     {.format = ArrayFormat::of<float>(), .width = 64, .height = 64, .cubemap = true}         // six faces
struct ArrayOptions {
    /// The format of the elements.
    ArrayFormat format = {};
    /// The elements of a row; at least 1.
    std::size_t width = 0;
    /// The number of rows, or 0 for an array of one dimension. For a cubemap, it equals the width.
    std::size_t height = 0;
    /// The number of slices of an array of three dimensions; otherwise 0.
    std::size_t depth = 0;
    /// The number of layers of one or two dimensions, or of cubemaps; 0 for an array without layers.
    std::size_t layers = 0;
    /// Whether the array, or each of its layers, is a cubemap of six square faces.
    bool cubemap = false;
    /// Whether a SurfaceObject can be created for the array, through which kernels write it.
    bool surface_load_store = false;
    /// Whether kernels can gather four neighbors from a texture of the array, which has two dimensions.
    bool texture_gather = false;
    /// Whether the program maps memory to tiles of the array (cuMemMapArrayAsync). Requires a device with
    /// DeviceProperties::sparse_cuda_array_supported().
    bool sparse = false;
    /// Whether the program maps memory to the whole array (cuMemMapArrayAsync). Requires a device with
    /// DeviceProperties::deferred_mapping_cuda_array_supported().
    bool deferred_mapping = false;

    /// Returns whether both are equal.
    [[nodiscard]] friend bool operator==(const ArrayOptions&, const ArrayOptions&) noexcept = default;
};

/// A view of an array: elements in device memory whose layout only the device defines. Kernels read them through a
/// TextureObject and write them through a SurfaceObject; all other code reads and writes them with copy(). A view owns nothing,
/// is as cheap to copy as the handle, and converts implicitly from the native handle. Any thread may use it.
class CUBIND_EXPORT ArrayRef {
public:
    /// The type of the native handle.
    using Handle = driver::CUarray;

    /// Creates a view of the array with this handle. Every use of a null handle throws std::invalid_argument.
    ArrayRef(Handle handle) noexcept : handle_(handle) {}
    ArrayRef(std::nullptr_t) = delete;  ///< Deleted: no array has a null handle.
    /// Deleted: an integer is not an array.
    template <class Integer>
    requires std::is_integral_v<Integer> ArrayRef(Integer)
    = delete;

    /// Returns the native handle, for driver calls. Throws std::invalid_argument for an empty array.
    [[nodiscard]] Handle native_handle() const {
        if (handle_ == nullptr) [[unlikely]]
            detail::throw_moved_from("Array");
        return handle_;
    }

    // The functions below that read properties call cuArray3DGetDescriptor, unless cubind owns the array.

    /// Returns the format, the shape and the uses.
    [[nodiscard]] ArrayOptions options() const;
    /// Returns the format of the elements.
    [[nodiscard]] ArrayFormat format() const { return options().format; }
    /// Returns the extent for copies: missing dimensions are 1, and the depth counts slices, layers or faces.
    [[nodiscard]] Extent3D extent() const;
    /// Returns the CUDA_ARRAY3D_ flags of the array, including those that ArrayOptions does not have.
    [[nodiscard]] unsigned int flags() const;
    /// Returns the bytes of all elements, as they are stored in linear memory, or 0 if ArrayFormat::element_size() is 0.
    [[nodiscard]] std::size_t size_bytes() const;

    /// Returns the device of the array's context. Throws std::invalid_argument for an array that cubind does not own, because
    /// the driver does not report the device.
    [[nodiscard]] Device device() const;

    /// Returns a part of the array, for copies. copy() throws std::invalid_argument if it is not within the array.
    [[nodiscard]] ArrayRegion region(const Offset3D& offset, const Extent3D& extent) const;
    /// Returns one slice, layer or face, for copies.
    [[nodiscard]] ArrayRegion layer(std::size_t index) const;

    /// Returns whether both views have the same handle.
    [[nodiscard]] friend bool operator==(ArrayRef left, ArrayRef right) noexcept { return left.handle_ == right.handle_; }

private:
    friend class detail::Owner<ArrayRef>;
    friend class detail::ArrayState;
    friend detail::BoxView box_view_of(ArrayRef array) { return detail::view_box(array); }
    friend struct detail::HandleHash;
    friend std::shared_ptr<const void> detail::share(ArrayRef array);
    static ArrayRef empty() noexcept { return Handle(); }
    bool is_empty() const noexcept { return handle_ == nullptr; }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept;

    Handle handle_;
    const detail::ArrayState* state_ = nullptr;  // nullptr for an array that cubind does not own
};

/// A part of an array, as the source or destination of a copy; see ArrayRef::region(). A view.
struct ArrayRegion {
    ArrayRef array;   ///< the array
    Offset3D offset;  ///< the first element
    Extent3D extent;  ///< the number of elements in each dimension

private:
    friend detail::BoxView box_view_of(const ArrayRegion& region) { return detail::view_box(region); }
};

/// An owner of an array. Movable, not copyable. Any thread may use it.
///
///     Array image = device.create_array({.format = ArrayFormat::of<float>(), .width = 640, .height = 480});
///     copy(stream, image, pixels);                           // std::vector<float> of 640 * 480 elements
///     TextureObject texture(image, {.filter_mode = FilterMode::linear});
///
/// An array belongs to a context and not to a stream. Destroying it (cuArrayDestroy) does not wait for submitted work, which must
/// have completed. TextureObject and SurfaceObject, and graphs with copies that a GraphBuilder captured, retain the arrays that
/// they use. An array may be destroyed on any thread, with any current context, during captures, and after its context.
class [[nodiscard]] CUBIND_EXPORT Array : public detail::Owner<ArrayRef> {
public:
    /// Creates an empty object.
    Array() noexcept = default;
    /// Creates an array in device.context() (cuArray3DCreate). Throws std::invalid_argument for a combination of options that no
    /// array can have, and for features that the device lacks. Throws OutOfMemory if there is not enough memory, and Error,
    /// which states the value and the limit, if an extent is larger than the device allows.
    [[nodiscard]] explicit Array(Device device, const ArrayOptions& options);
    /// Creates an array in this context, like the other constructor.
    [[nodiscard]] explicit Array(ContextRef context, const ArrayOptions& options);

    /// Takes ownership of an array that was created elsewhere, in the current context or, if none is current, in the primary
    /// context of device 0. If this throws, the caller still owns the array.
    static Array from_native_handle(Handle handle);

private:
    explicit Array(ArrayRef owned) noexcept : Owner(owned) {}
};

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::ArrayRef> : cubind::detail::HandleHash {};
template <>
struct std::hash<cubind::Array> : cubind::detail::HandleHash {};
