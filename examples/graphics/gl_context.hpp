// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// An OpenGL context without a window, and the few functions and values of EGL and OpenGL that gl_plasma uses. Both are loaded at
/// run time, so the build needs no headers of them.

#include <cstdint>
#include <dlfcn.h>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gl {

using Enum = unsigned int;
using Name = unsigned int;  ///< the name of a buffer, a texture or a framebuffer

constexpr Enum pixel_unpack_buffer = 0x88EC, dynamic_draw = 0x88E8;
constexpr Enum texture_2d = 0x0DE1, min_filter = 0x2801, mag_filter = 0x2800, nearest = 0x2600;
constexpr Enum rgba8 = 0x8058, rgba = 0x1908, unsigned_byte = 0x1401;
constexpr Enum read_framebuffer = 0x8CA8, draw_framebuffer = 0x8CA9, color_attachment = 0x8CE0, framebuffer_complete = 0x8CD5;
constexpr Enum color_buffer_bit = 0x4000, renderer = 0x1F01, version = 0x1F02;

/// A current OpenGL context of a GPU.
class Context {
public:
    /// Creates a context on the GPU that is this device of CUDA, and makes it current in the calling thread. `device` is
    /// std::nullopt for any GPU. Returns null, and writes the reason to `why`, if there is no such context.
    static std::unique_ptr<Context> create(std::optional<int> device, std::string& why);

    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context() {
        if (display_ == nullptr) return;
        egl<unsigned(void*, void*, void*, void*)>("eglMakeCurrent")(display_, nullptr, nullptr, nullptr);
        if (context_ != nullptr) egl<unsigned(void*, void*)>("eglDestroyContext")(display_, context_);
        egl<unsigned(void*)>("eglTerminate")(display_);
    }

    /// Returns a function of OpenGL.
    template <class Signature>
    Signature* call(const char* function) const {
        void* const found = get_(function);
        if (found == nullptr) throw std::runtime_error(std::string("OpenGL has no function ") + function);
        return reinterpret_cast<Signature*>(found);
    }
    /// Throws std::runtime_error if a function of OpenGL has failed since the last check.
    void check(const char* action) const {
        const Enum error = call<Enum()>("glGetError")();
        if (error != 0) throw std::runtime_error(std::string("OpenGL could not ") + action + ": error " + std::to_string(error));
    }
    std::string text(Enum which) const {
        return reinterpret_cast<const char*>(call<const unsigned char*(Enum)>("glGetString")(which));
    }
    /// Returns the name of a new object. `creator` is a function such as glGenBuffers.
    Name create_object(const char* creator) const {
        Name name = 0;
        call<void(int, Name*)>(creator)(1, &name);
        return name;
    }

    /// Returns a function of EGL, or null.
    template <class Signature>
    Signature* egl(const char* function) const {
        return reinterpret_cast<Signature*>(get_(function));
    }
    void* display() const noexcept { return display_; }  ///< the EGLDisplay
    void* handle() const noexcept { return context_; }   ///< the EGLContext

private:
    using GetFunction = void*(const char*);

    Context() = default;

    bool open_display(std::optional<int> device, std::string& why);
    bool create_context(std::string& why);

    GetFunction* get_ = nullptr;
    void* display_ = nullptr;
    void* context_ = nullptr;
};

inline std::unique_ptr<Context> Context::create(std::optional<int> device, std::string& why) {
    void* const library = dlopen("libEGL.so.1", RTLD_NOW);  // never closed
    if (library == nullptr) {
        why = std::string("EGL cannot be loaded: ") + dlerror();
        return nullptr;
    }
    std::unique_ptr<Context> created(new Context);
    created->get_ = reinterpret_cast<GetFunction*>(dlsym(library, "eglGetProcAddress"));
    return created->open_display(device, why) && created->create_context(why) ? std::move(created) : nullptr;
}

inline bool Context::open_display(std::optional<int> device, std::string& why) {
    constexpr int cuda_device = 0x323A;  // attribute of a device: its ordinal in CUDA
    constexpr unsigned platform_device = 0x313F;
    const auto list = egl<unsigned(int, void**, int*)>("eglQueryDevicesEXT");
    const auto query = egl<unsigned(void*, int, std::intptr_t*)>("eglQueryDeviceAttribEXT");
    const auto get_display = egl<void*(unsigned, void*, const int*)>("eglGetPlatformDisplayEXT");
    const auto initialize = egl<unsigned(void*, int*, int*)>("eglInitialize");
    int count = 0;
    if (list == nullptr || query == nullptr || get_display == nullptr || list(0, nullptr, &count) == 0) {
        why = "EGL cannot list the devices (EGL_EXT_device_enumeration)";
        return false;
    }
    std::vector<void*> devices(static_cast<std::size_t>(count));
    list(count, devices.data(), &count);
    for (void* const each : devices) {
        std::intptr_t ordinal = -1;
        if (device && (query(each, cuda_device, &ordinal) == 0 || ordinal != *device)) continue;
        void* const display = get_display(platform_device, each, nullptr);
        if (display == nullptr || initialize(display, nullptr, nullptr) == 0) continue;
        display_ = display;
        return true;
    }
    why = "none of the " + std::to_string(count) + " devices of EGL is the GPU that CUDA uses (EGL_NV_device_cuda)";
    return false;
}

inline bool Context::create_context(std::string& why) {
    constexpr unsigned opengl = 0x30A2;
    constexpr int none = 0x3038;
    const int config_attributes[] = {0x3033 /* surface type */, 1 /* pbuffer */, 0x3040 /* renderable type */, 8 /* OpenGL */,
                                     none};
    const int context_attributes[] = {0x3098 /* major version */, 3, 0x30FB /* minor version */, 3, none};
    void* config = nullptr;
    int count = 0;
    const bool is_bound = egl<unsigned(unsigned)>("eglBindAPI")(opengl) != 0;
    egl<unsigned(void*, const int*, void**, int, int*)>("eglChooseConfig")(display_, config_attributes, &config, 1, &count);
    if (is_bound && count > 0) {
        context_ = egl<void*(void*, void*, void*, const int*)>("eglCreateContext")(display_, config, nullptr, context_attributes);
    }
    if (context_ != nullptr &&
        egl<unsigned(void*, void*, void*, void*)>("eglMakeCurrent")(display_, nullptr, nullptr, context_) != 0) {
        return true;
    }
    why = "EGL cannot create an OpenGL 3.3 context without a surface: error " + std::to_string(egl<int()>("eglGetError")());
    return false;
}

}  // namespace gl
