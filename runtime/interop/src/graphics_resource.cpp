// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/egl.hpp>
#include <cubind/driver/gl.hpp>
#include <cubind/driver/graphics.hpp>
#include <cubind/interop/egl_frame.hpp>
#include <cubind/interop/graphics_resource.hpp>

#include "calls/driver.hpp"
#include "graphics_resource_state.hpp"
#include "lifetime/relaxed_capture_mode.hpp"

namespace CUBIND_NAMESPACE {

// ---- the state -----------------------------------------------------------------------------------------------------------

namespace detail {
namespace {

Result<driver::CUresult> unregister(unsigned long long handle) {
    return driver::cuGraphicsUnregisterResource(reinterpret_cast<driver::CUgraphicsResource>(handle));
}

}  // namespace

GraphicsResourceState::GraphicsResourceState(ContextRef context)
    : ContextObject(context, unregister, "unregister a graphics resource") {}

std::shared_ptr<const void> share(GraphicsResourceRef resource) {
    (void)resource.native_handle();
    return resource.state_ == nullptr ? nullptr : resource.state_->share();
}

}  // namespace detail

// ---- the view ------------------------------------------------------------------------------------------------------------

bool GraphicsResourceRef::is_mapped() const {
    (void)native_handle();
    if (state_ == nullptr) {
        detail::throw_misuse("the driver does not report whether a graphics resource that cubind does not own is mapped");
    }
    return state_->is_mapped.load();
}

void GraphicsResourceRef::set_access(GraphicsAccess access) const {
    (void)native_handle();
    if (state_ != nullptr && state_->is_mapped.load()) {
        detail::throw_misuse("the access to a graphics resource cannot be changed while it is mapped: unmap it first");
    }
    const ScopedContext scope(state_ != nullptr ? state_->context() : detail::context_of_foreign_object());
    check(driver::cuGraphicsResourceSetMapFlags(handle_, static_cast<unsigned int>(access)));
}

EglFrame GraphicsResourceRef::egl_frame(unsigned int layer, unsigned int level) const {
    (void)native_handle();
    const ScopedContext scope(state_ != nullptr ? state_->context() : detail::context_of_foreign_object());
    const auto mapped = driver::cuGraphicsResourceGetMappedEglFrame(handle_, layer, level);
    if (!mapped.ok()) {
        detail::throw_with_advice({mapped.status},
                                  detail::concat("Layer ", layer, " and level ", level,
                                                 " were requested. The resource must be an image of EGL that has "
                                                 "them; map a resource of OpenGL instead."));
    }
    return EglFrame(mapped.value);
}

void GraphicsResourceRef::destroy() const {
    state_->close();
}

void GraphicsResourceRef::destroy_quietly() const noexcept {
    state_->drop();
}

GraphicsResourceRef::Handle GraphicsResourceRef::release_handle() const noexcept {
    const Handle handle = handle_;
    if (state_ != nullptr) state_->disown();
    return handle;
}

// ---- the owner -----------------------------------------------------------------------------------------------------------

namespace {

unsigned int flags_of(const GraphicsResourceOptions& options) noexcept {
    auto flags = static_cast<unsigned int>(options.access);
    if (options.surface_load_store) flags |= driver::CU_GRAPHICS_REGISTER_FLAGS_SURFACE_LDST;
    if (options.texture_gather) flags |= driver::CU_GRAPHICS_REGISTER_FLAGS_TEXTURE_GATHER;
    return flags;
}

constexpr const char* gl_needs =
    "The calling thread needs a current OpenGL context that has the object and that runs on the same GPU (cuGLGetDevices), "
    "and the object needs storage.";
constexpr const char* egl_needs =
    "The image must be on the same GPU, its display must not have been terminated, and its format must be one that CUDA "
    "supports.";

// Registers an object of a graphics interface by `call()`. `what` describes the object in messages, `needs` the conditions.
template <class Call>
GraphicsResourceRef register_object(ContextRef context, const std::string& what, const char* needs, const Call& call) {
    const auto state = std::make_shared<detail::GraphicsResourceState>(context);
    const ScopedContext scope(context);
    const detail::RelaxedCaptureMode mode;
    const auto registered = call();
    if (!registered.ok()) {
        detail::throw_with_advice({registered.status}, detail::concat("The call was for ", what, ". ", needs));
    }
    return detail::GraphicsResourceState::own(state, registered.value);
}

}  // namespace

GraphicsResource GraphicsResource::from_gl_buffer(Device device, unsigned int buffer, const GraphicsResourceOptions& options) {
    return from_gl_buffer(device.context(), buffer, options);
}

GraphicsResource GraphicsResource::from_gl_buffer(ContextRef context, unsigned int buffer,
                                                  const GraphicsResourceOptions& options) {
    if (buffer == 0) detail::throw_misuse("GraphicsResource::from_gl_buffer(): 0 is not the name of an OpenGL buffer");
    if (options.surface_load_store || options.texture_gather) {
        detail::throw_misuse("GraphicsResourceOptions: surface_load_store and texture_gather are options of images, and ", buffer,
                             " is to be registered as a buffer");
    }
    return GraphicsResource(register_object(context, detail::concat("OpenGL buffer ", buffer), gl_needs,
                                            [&] { return driver::cuGraphicsGLRegisterBuffer(buffer, flags_of(options)); }));
}

GraphicsResource GraphicsResource::from_gl_image(Device device, unsigned int image, unsigned int target,
                                                 const GraphicsResourceOptions& options) {
    return from_gl_image(device.context(), image, target, options);
}

GraphicsResource GraphicsResource::from_gl_image(ContextRef context, unsigned int image, unsigned int target,
                                                 const GraphicsResourceOptions& options) {
    if (image == 0) detail::throw_misuse("GraphicsResource::from_gl_image(): 0 is not the name of an OpenGL image");
    return GraphicsResource(register_object(context, detail::concat("OpenGL image ", image, " of target ", target), gl_needs,
                                            [&] { return driver::cuGraphicsGLRegisterImage(image, target, flags_of(options)); }));
}

GraphicsResource GraphicsResource::from_egl_image(Device device, driver::EGLImageKHR image,
                                                  const GraphicsResourceOptions& options) {
    return from_egl_image(device.context(), image, options);
}

GraphicsResource GraphicsResource::from_egl_image(ContextRef context, driver::EGLImageKHR image,
                                                  const GraphicsResourceOptions& options) {
    if (image == nullptr) detail::throw_misuse("GraphicsResource::from_egl_image(): the image is null (EGL_NO_IMAGE_KHR)");
    if (options.surface_load_store || options.texture_gather) {
        detail::throw_misuse(
            "GraphicsResourceOptions: surface_load_store and texture_gather are options of images of OpenGL, "
            "and an image of EGL is to be registered");
    }
    return GraphicsResource(register_object(context, "an image of EGL", egl_needs,
                                            [&] { return driver::cuGraphicsEGLRegisterImage(image, flags_of(options)); }));
}

GraphicsResource GraphicsResource::from_native_handle(Handle handle) {
    (void)GraphicsResourceRef(handle).native_handle();
    const auto state = std::make_shared<detail::GraphicsResourceState>(detail::context_of_foreign_object());
    return GraphicsResource(detail::GraphicsResourceState::own(state, handle));
}

}  // namespace CUBIND_NAMESPACE
