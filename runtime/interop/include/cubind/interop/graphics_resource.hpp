// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>
#include <cubind/interop/graphics_mapping.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>

namespace CUBIND_NAMESPACE {

class EglFrame;
class GraphicsResourceRef;

namespace detail {

class GraphicsResourceState;

/// Shares ownership of the registration; nullptr for a resource that cubind does not own.
[[nodiscard]] CUBIND_EXPORT std::shared_ptr<const void> share(GraphicsResourceRef resource);

}  // namespace detail

/// What work of CUDA does with a resource of a graphics interface.
enum class GraphicsAccess {
    read_write = driver::CU_GRAPHICS_REGISTER_FLAGS_NONE,      ///< reads and writes
    read_only = driver::CU_GRAPHICS_REGISTER_FLAGS_READ_ONLY,  ///< only reads
    write_discard =
        driver::CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD,  ///< writes everything, and reads nothing that was there before
};

/// Options of GraphicsResource.
struct GraphicsResourceOptions {
    /// What work of CUDA does with the resource. A violation has undefined results.
    GraphicsAccess access = GraphicsAccess::read_write;
    /// Whether a SurfaceObject is created for the image, through which kernels write it. Only for images.
    bool surface_load_store = false;
    /// Whether kernels gather four neighbors from a texture of the image. Only for images.
    bool texture_gather = false;
};

/// A view of a buffer or an image of OpenGL that was registered for CUDA. A view owns nothing and converts implicitly from the
/// native handle. The functions must be called by a thread whose current OpenGL context has the object.
class CUBIND_EXPORT GraphicsResourceRef {
public:
    /// The type of the native handle.
    using Handle = driver::CUgraphicsResource;

    /// Creates a view of the resource with this handle. Every use of a null handle throws std::invalid_argument.
    GraphicsResourceRef(Handle handle) noexcept : handle_(handle) {}
    GraphicsResourceRef(std::nullptr_t) = delete;  ///< Deleted: no resource has a null handle.
    /// Deleted: an integer is not a handle.
    template <class Integer>
    requires std::is_integral_v<Integer> GraphicsResourceRef(Integer)
    = delete;

    /// Returns the native handle, for driver calls. Throws std::invalid_argument for an empty object.
    [[nodiscard]] Handle native_handle() const {
        if (handle_ == nullptr) [[unlikely]]
            detail::throw_moved_from("GraphicsResource");
        return handle_;
    }

    /// Maps the resource for work that is submitted to the stream from now on; see GraphicsMapping. Several resources take one
    /// call: GraphicsMapping(stream, {first, second}).
    [[nodiscard]] GraphicsMapping map(StreamRef stream) const { return GraphicsMapping(stream, {*this}); }

    /// Returns whether a GraphicsMapping has the resource mapped. Throws std::invalid_argument for a resource that cubind does
    /// not own, because the driver does not report it.
    [[nodiscard]] bool is_mapped() const;

    /// Changes what work of CUDA does with the resource, from the next mapping on (cuGraphicsResourceSetMapFlags). Throws
    /// std::invalid_argument while the resource is mapped.
    void set_access(GraphicsAccess access) const;

    /// Returns the pixels of an image of EGL, which needs no mapping (cuGraphicsResourceGetMappedEglFrame). They are valid as
    /// long as the registration. Throws Error for a resource of OpenGL, and for a layer or a level that does not exist. EglFrame
    /// is defined in <cubind/interop/egl_frame.hpp>.
    [[nodiscard]] EglFrame egl_frame(unsigned int layer = 0, unsigned int level = 0) const;

    /// Returns whether both views have the same handle.
    [[nodiscard]] friend bool operator==(GraphicsResourceRef left, GraphicsResourceRef right) noexcept {
        return left.handle_ == right.handle_;
    }

private:
    friend class detail::Owner<GraphicsResourceRef>;
    friend class detail::GraphicsResourceState;
    friend struct detail::HandleHash;
    friend std::shared_ptr<const void> detail::share(GraphicsResourceRef resource);
    static GraphicsResourceRef empty() noexcept { return Handle(); }
    bool is_empty() const noexcept { return handle_ == nullptr; }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept;

    Handle handle_;
    detail::GraphicsResourceState* state_ = nullptr;  // nullptr for a resource that cubind does not own
};

/// An owner of a registration of an OpenGL object (cuGraphicsGLRegisterBuffer, cuGraphicsGLRegisterImage,
/// cuGraphicsUnregisterResource). It does not own the OpenGL object, which must outlive it. Registering takes long: do it once
/// for an object, and map it for each frame.
///
///     GraphicsResource vertices = GraphicsResource::from_gl_buffer(device, buffer, {.access = GraphicsAccess::write_discard});
///     {
///         GraphicsMapping mapping = vertices.map(stream);
///         launch(stream, config, kernel, mapping.buffer(), n);
///     }                                                            // unmapped in the order of the stream: OpenGL draws
///
/// Mappings retain the registration, so the owner may be destroyed before them. Movable, not copyable. The functions, and the
/// destructor, must be called by a thread whose current OpenGL context has the object.
class [[nodiscard]] CUBIND_EXPORT GraphicsResource : public detail::Owner<GraphicsResourceRef> {
public:
    /// Creates an empty object.
    GraphicsResource() noexcept = default;

    /// Registers a buffer, named by glGenBuffers(), for the primary context of the device. The device must be one of the current
    /// OpenGL context (cuGLGetDevices). Throws std::invalid_argument for the name 0 and for options of images, and Error if the
    /// driver refuses the buffer.
    [[nodiscard]] static GraphicsResource from_gl_buffer(Device device, unsigned int buffer,
                                                         const GraphicsResourceOptions& options = {});
    /// Registers a buffer for this context, like the other function.
    [[nodiscard]] static GraphicsResource from_gl_buffer(ContextRef context, unsigned int buffer,
                                                         const GraphicsResourceOptions& options = {});

    /// Registers a texture, named by glGenTextures(), or a renderbuffer, for the primary context of the device. `target` is the
    /// kind of the object: GL_TEXTURE_2D, GL_TEXTURE_RECTANGLE, GL_TEXTURE_CUBE_MAP, GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY or
    /// GL_RENDERBUFFER. Its storage must exist, and must not be redefined later. Throws std::invalid_argument for the name 0, and
    /// Error if the driver refuses the image, such as one of an internal format that CUDA does not support.
    [[nodiscard]] static GraphicsResource from_gl_image(Device device, unsigned int image, unsigned int target,
                                                        const GraphicsResourceOptions& options = {});
    /// Registers an image for this context, like the other function.
    [[nodiscard]] static GraphicsResource from_gl_image(ContextRef context, unsigned int image, unsigned int target,
                                                        const GraphicsResourceOptions& options = {});

    /// Registers an image of EGL, from eglCreateImageKHR(), for the primary context of the device. Neither a mapping nor an
    /// OpenGL context is needed: GraphicsResourceRef::egl_frame() returns the pixels. The program orders the accesses of CUDA and
    /// of other interfaces, for example by glFinish() and Stream::synchronize(). eglCreateImageKHR() may move the pixels of a
    /// texture, so call glFinish() after it, too. Throws std::invalid_argument for a null image
    /// and for GraphicsResourceOptions::surface_load_store and texture_gather, and Error if the driver refuses the image
    /// (cuGraphicsEGLRegisterImage).
    [[nodiscard]] static GraphicsResource from_egl_image(Device device, driver::EGLImageKHR image,
                                                         const GraphicsResourceOptions& options = {});
    /// Registers an image of EGL for this context, like the other function.
    [[nodiscard]] static GraphicsResource from_egl_image(ContextRef context, driver::EGLImageKHR image,
                                                         const GraphicsResourceOptions& options = {});

    /// Takes ownership of a resource that was registered elsewhere, in the current context or, if none is current, in the primary
    /// context of device 0. The resource is not mapped. If this throws, the caller still owns the resource.
    static GraphicsResource from_native_handle(Handle handle);

private:
    explicit GraphicsResource(GraphicsResourceRef owned) noexcept : Owner(owned) {}
};

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::GraphicsResourceRef> : cubind::detail::HandleHash {};
template <>
struct std::hash<cubind::GraphicsResource> : cubind::detail::HandleHash {};
