// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/array/array.hpp>
#include <cubind/core/array/mipmapped_array.hpp>
#include <cubind/core/array/texture_options.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/pitched_buffer.hpp>
#include <cubind/core/memory/typed_buffer.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <utility>

namespace CUBIND_NAMESPACE {

class TextureRef;

namespace detail {

class TextureState;

/// Linear memory that a texture samples: one dimension if the height is 0, otherwise rows at a pitch.
struct TextureMemory {
    driver::CUdeviceptr address;
    const Buffer* buffer;  ///< the buffer to retain, or nullptr
    ArrayFormat format;
    std::size_t width;  ///< in elements
    std::size_t height;
    std::size_t pitch;  ///< in bytes
};

/// Shares ownership of the texture; nullptr for a texture that cubind does not own.
[[nodiscard]] CUBIND_EXPORT std::shared_ptr<const void> share_texture(TextureRef texture);

}  // namespace detail

/// A view of a texture object, through which kernels read an array or linear memory. A view owns nothing. A kernel receives the
/// native handle, which is a cudaTextureObject_t there. Cheap to copy; any thread may use it.
class CUBIND_EXPORT TextureRef {
public:
    /// The type of the native handle, an integer of 64 bits.
    using Handle = driver::CUtexObject;

    /// Creates a view of the texture with this handle. Every use of the handle 0 throws std::invalid_argument.
    explicit TextureRef(Handle handle) noexcept : handle_(handle) {}

    /// Returns the native handle. Throws std::invalid_argument for an empty texture.
    [[nodiscard]] Handle native_handle() const {
        if (handle_ == 0) [[unlikely]]
            detail::throw_moved_from("TextureObject");
        return handle_;
    }
    /// Returns the value that a kernel receives.
    [[nodiscard]] Handle kernel_argument() const { return native_handle(); }

    /// Returns how the texture is sampled (cuTexObjectGetTextureDesc).
    [[nodiscard]] TextureOptions options() const;
    /// Returns the array or the linear memory that the texture samples (cuTexObjectGetResourceDesc).
    [[nodiscard]] driver::CUDA_RESOURCE_DESC resource() const;
    /// Returns the device of the texture's context. Throws std::invalid_argument for a texture that cubind does not own, because
    /// the driver does not report the device.
    [[nodiscard]] Device device() const;

    /// Returns whether both views have the same handle.
    [[nodiscard]] friend bool operator==(TextureRef left, TextureRef right) noexcept { return left.handle_ == right.handle_; }

private:
    friend class detail::Owner<TextureRef>;
    friend class detail::TextureState;
    friend std::shared_ptr<const void> detail::share_texture(TextureRef texture);
    friend std::shared_ptr<const void> share(TextureRef texture) { return detail::share_texture(texture); }
    friend struct std::hash<TextureRef>;
    static TextureRef empty() noexcept { return TextureRef(0); }
    bool is_empty() const noexcept { return handle_ == 0; }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept;

    Handle handle_;
    detail::TextureState* state_ = nullptr;  // nullptr for a texture that cubind does not own
};

/// An owner of a texture object (cuTexObjectCreate, cuTexObjectDestroy). Movable, not copyable. Any thread may use it.
///
///     TextureObject texture(image, {.address_mode = AddressMode::wrap, .filter_mode = FilterMode::linear,
///                                   .normalized_coordinates = true});
///     launch(stream, config, kernel, texture, results);          // void kernel(cudaTextureObject_t texture, float* results)
///
/// A texture retains the array or buffer that it samples, so that the owner of this memory may be destroyed before the texture.
/// It retains neither arrays that cubind does not own nor memory of spans. Destroying a texture does not wait for submitted work,
/// which must have completed. Graphs retain the textures of launches that a GraphBuilder captured.
///
/// The constructors throw std::invalid_argument for options that the format of the elements does not allow, for linear memory
/// that is not aligned as the device requires, and for extents beyond the limits of the device.
class [[nodiscard]] CUBIND_EXPORT TextureObject : public detail::Owner<TextureRef> {
public:
    /// Creates an empty object.
    TextureObject() noexcept = default;

    /// Creates a texture of an array, in the context of the array. In the kernel: tex1D, tex2D, tex3D, tex1DLayered,
    /// tex2DLayered, texCubemap, texCubemapLayered, tex2Dgather.
    [[nodiscard]] explicit TextureObject(ArrayRef array, const TextureOptions& options = {});

    /// Creates a texture of a mipmapped array, in the context of the array. In the kernel: tex2DLod, tex2DGrad and so on.
    [[nodiscard]] explicit TextureObject(MipmappedArrayRef array, const TextureOptions& options = {});

    /// Creates a texture of one dimension of linear memory, in the context of its device. In the kernel: tex1Dfetch, whose
    /// coordinates are integers. Filters and normalized coordinates are not possible.
    template <class Element>
    [[nodiscard]] explicit TextureObject(const TypedBuffer<Element>& elements, const TextureOptions& options = {})
        : TextureObject(elements.bytes(), ArrayFormat::of<Element>(), options) {}
    /// Creates a texture of one dimension of linear memory that has elements of this format.
    [[nodiscard]] TextureObject(const Buffer& elements, ArrayFormat format, const TextureOptions& options = {});

    /// Creates a texture of two dimensions of linear memory, in the context of its device. In the kernel: tex2D.
    template <class Element>
    [[nodiscard]] explicit TextureObject(const PitchedBuffer<Element>& rows, const TextureOptions& options = {})
        : TextureObject(memory_of(rows.span(), &rows.bytes()), options) {}
    /// Creates a texture of two dimensions of memory that the texture does not retain.
    template <class Element>
    [[nodiscard]] explicit TextureObject(const PitchedSpan<Element>& rows, const TextureOptions& options = {})
        : TextureObject(memory_of(rows, nullptr), options) {}

    /// Takes ownership of a texture that was created elsewhere, in the current context or, if none is current, in the primary
    /// context of device 0.
    static TextureObject from_native_handle(Handle handle);

private:
    explicit TextureObject(TextureRef owned) noexcept : Owner(owned) {}
    TextureObject(const detail::TextureMemory& memory, const TextureOptions& options);

    template <class Element>
    static detail::TextureMemory memory_of(const PitchedSpan<Element>& rows, const Buffer* buffer) {
        return {reinterpret_cast<driver::CUdeviceptr>(rows.data()), buffer,      ArrayFormat::of<Element>(), rows.extent().width,
                rows.extent().height * rows.extent().depth,         rows.pitch()};
    }
};

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::TextureRef> {
    [[nodiscard]] std::size_t operator()(const cubind::TextureRef& texture) const noexcept {
        return std::hash<cubind::driver::CUtexObject>()(texture.handle_);
    }
};
template <>
struct std::hash<cubind::TextureObject> : std::hash<cubind::TextureRef> {};
