// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/array/array.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>

namespace CUBIND_NAMESPACE {

class SurfaceRef;

namespace detail {

class SurfaceState;

/// Shares ownership of the surface; nullptr for a surface that cubind does not own.
[[nodiscard]] CUBIND_EXPORT std::shared_ptr<const void> share_surface(SurfaceRef surface);

}  // namespace detail

/// A view of a surface object, through which kernels read and write an array. A view owns nothing. A kernel receives the native
/// handle, which is a cudaSurfaceObject_t there. Cheap to copy; any thread may use it.
class CUBIND_EXPORT SurfaceRef {
public:
    /// The type of the native handle, an integer of 64 bits.
    using Handle = driver::CUsurfObject;

    /// Creates a view of the surface with this handle. Every use of the handle 0 throws std::invalid_argument.
    explicit SurfaceRef(Handle handle) noexcept : handle_(handle) {}

    /// Returns the native handle. Throws std::invalid_argument for an empty surface.
    [[nodiscard]] Handle native_handle() const {
        if (handle_ == 0) [[unlikely]]
            detail::throw_moved_from("SurfaceObject");
        return handle_;
    }
    /// Returns the value that a kernel receives.
    [[nodiscard]] Handle kernel_argument() const { return native_handle(); }

    /// Returns the array that the surface reads and writes (cuSurfObjectGetResourceDesc).
    [[nodiscard]] driver::CUDA_RESOURCE_DESC resource() const;
    /// Returns the device of the surface's context. Throws std::invalid_argument for a surface that cubind does not own, because
    /// the driver does not report the device.
    [[nodiscard]] Device device() const;

    /// Returns whether both views have the same handle.
    [[nodiscard]] friend bool operator==(SurfaceRef left, SurfaceRef right) noexcept { return left.handle_ == right.handle_; }

private:
    friend class detail::Owner<SurfaceRef>;
    friend class detail::SurfaceState;
    friend std::shared_ptr<const void> detail::share_surface(SurfaceRef surface);
    friend std::shared_ptr<const void> share(SurfaceRef surface) { return detail::share_surface(surface); }
    friend struct std::hash<SurfaceRef>;
    static SurfaceRef empty() noexcept { return SurfaceRef(0); }
    bool is_empty() const noexcept { return handle_ == 0; }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept;

    Handle handle_;
    detail::SurfaceState* state_ = nullptr;  // nullptr for a surface that cubind does not own
};

/// An owner of a surface object (cuSurfObjectCreate, cuSurfObjectDestroy). Movable, not copyable. Any thread may use it.
///
///     Array image = device.create_array(
///         {.format = ArrayFormat::of<float>(), .width = 64, .height = 64, .surface_load_store = true});
///     SurfaceObject surface(image);
///     launch(stream, config, kernel, surface);          // void kernel(cudaSurfaceObject_t surface)
///
/// A surface retains its array if cubind owns the array. Destroying a surface does not wait for submitted work, which must have
/// completed. Graphs retain the surfaces of launches that a GraphBuilder captured.
class [[nodiscard]] CUBIND_EXPORT SurfaceObject : public detail::Owner<SurfaceRef> {
public:
    /// Creates an empty object.
    SurfaceObject() noexcept = default;

    /// Creates a surface of an array, or of a level of a mipmapped array, in its context. In the kernel: surf2Dread, surf2Dwrite,
    /// surf2DLayeredwrite and so on; the x coordinate counts bytes. Throws std::invalid_argument if the array was created without
    /// ArrayOptions::surface_load_store.
    [[nodiscard]] explicit SurfaceObject(ArrayRef array);

    /// Takes ownership of a surface that was created elsewhere, in the current context or, if none is current, in the primary
    /// context of device 0.
    static SurfaceObject from_native_handle(Handle handle);

private:
    explicit SurfaceObject(SurfaceRef owned) noexcept : Owner(owned) {}
};

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::SurfaceRef> {
    [[nodiscard]] std::size_t operator()(const cubind::SurfaceRef& surface) const noexcept {
        return std::hash<cubind::driver::CUsurfObject>()(surface.handle_);
    }
};
template <>
struct std::hash<cubind::SurfaceObject> : std::hash<cubind::SurfaceRef> {};
