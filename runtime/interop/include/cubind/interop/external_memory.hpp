// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Few files need it, so <cubind/core.hpp> does not include this header.

#include <cubind/core/array/mipmapped_array.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/file_descriptor.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>

namespace CUBIND_NAMESPACE {

class ExternalMemoryRef;

namespace detail {

class ExternalMemoryState;

/// Shares ownership of the memory; nullptr for memory that cubind does not own.
[[nodiscard]] CUBIND_EXPORT std::shared_ptr<const void> share(ExternalMemoryRef memory);

}  // namespace detail

/// Options of ExternalMemory.
struct ExternalMemoryOptions {
    /// Whether the memory belongs to one image or buffer of the other interface, as a dedicated allocation of Vulkan does. Must
    /// equal what the other interface has done.
    bool dedicated = false;
};

/// The place of an image in external memory, and its use by the other interface.
struct ExternalImageOptions {
    /// The number of levels of detail of the image.
    unsigned int level_count = 1;
    /// The bytes from the beginning of the memory to the image.
    std::size_t offset = 0;
    /// Whether the other interface renders to the image. Must be true for an image with that use.
    bool color_attachment = false;
};

/// A view of memory that another interface, such as Vulkan, has allocated, and CUDA has imported. A view owns nothing and
/// converts implicitly from the native handle. Any thread may use it.
class CUBIND_EXPORT ExternalMemoryRef {
public:
    /// The type of the native handle.
    using Handle = driver::CUexternalMemory;

    /// Creates a view of the memory with this handle. Every use of a null handle throws std::invalid_argument.
    ExternalMemoryRef(Handle handle) noexcept : handle_(handle) {}
    ExternalMemoryRef(std::nullptr_t) = delete;  ///< Deleted: no memory has a null handle.
    /// Deleted: an integer is not a handle.
    template <class Integer>
    requires std::is_integral_v<Integer> ExternalMemoryRef(Integer)
    = delete;

    /// Returns the native handle, for driver calls. Throws std::invalid_argument for an empty object.
    [[nodiscard]] Handle native_handle() const {
        if (handle_ == nullptr) [[unlikely]]
            detail::throw_moved_from("ExternalMemory");
        return handle_;
    }

    /// Returns the size in bytes. Throws std::invalid_argument for memory that cubind does not own, because the driver does not
    /// report its size.
    [[nodiscard]] std::size_t size() const;

    /// Maps all bytes as a buffer (cuExternalMemoryGetMappedBuffer). The buffer retains the memory, and unmaps it when it is
    /// freed (cuMemFree), after it has waited for the stream. Throws like size(), and like the function below.
    [[nodiscard]] Buffer map_buffer(StreamRef stream) const;
    /// Maps `size` bytes from `offset` on as a buffer, like the function above. Both count bytes. Throws std::invalid_argument
    /// for 0 bytes and for bytes that are not within the memory, and Error if the driver cannot map them. Work may use the buffer
    /// once the other interface has finished its work with the memory; see ExternalSemaphore.
    [[nodiscard]] Buffer map_buffer(StreamRef stream, std::size_t offset, std::size_t size) const;

    /// Maps an image as a mipmapped array (cuExternalMemoryGetMappedMipmappedArray, cuMipmappedArrayGetLevel). Its format, shape
    /// and number of levels must equal those of the image. The array retains the memory. Throws std::invalid_argument for options
    /// that no array can have, for more levels than halving the largest extent can produce, and for an offset beyond the memory;
    /// and Error if the driver cannot map the image.
    [[nodiscard]] MipmappedArray map_mipmapped_array(const ArrayOptions& options, const ExternalImageOptions& image = {}) const;

    /// Returns whether both views have the same handle.
    [[nodiscard]] friend bool operator==(ExternalMemoryRef left, ExternalMemoryRef right) noexcept {
        return left.handle_ == right.handle_;
    }

private:
    friend class detail::Owner<ExternalMemoryRef>;
    friend class detail::ExternalMemoryState;
    friend struct detail::HandleHash;
    friend std::shared_ptr<const void> detail::share(ExternalMemoryRef memory);
    static ExternalMemoryRef empty() noexcept { return Handle(); }
    bool is_empty() const noexcept { return handle_ == nullptr; }
    void destroy() const;
    void destroy_quietly() const noexcept;
    Handle release_handle() const noexcept;

    Handle handle_;
    detail::ExternalMemoryState* state_ = nullptr;  // nullptr for memory that cubind does not own
};

/// An owner of imported memory (cuImportExternalMemory, cuDestroyExternalMemory). The memory itself belongs to the interface that
/// has allocated it, and exists until both have freed it. Buffers and arrays that are mapped retain the import, so the owner may
/// be destroyed before them. Movable, not copyable. It may be destroyed on any thread, with any current context, and after its
/// context.
///
///     FileDescriptor file = FileDescriptor::from_native_handle(descriptor_of_vulkan);   // vkGetMemoryFdKHR
///     ExternalMemory memory(device, std::move(file), size_of_allocation);
///     Buffer vertices = memory.map_buffer(stream, 0, size_of_vertices);
///
/// Import memory only from processes that you trust: they can change it at any time.
class [[nodiscard]] CUBIND_EXPORT ExternalMemory : public detail::Owner<ExternalMemoryRef> {
public:
    /// Creates an empty object.
    ExternalMemory() noexcept = default;
    /// Imports memory of `size` bytes, which is the size of the whole allocation, into device.context(). The device must be the
    /// one that has the memory. CUDA owns the descriptor afterwards, and `descriptor` is closed; if the constructor throws,
    /// `descriptor` still owns it, unless the driver has closed it. Throws std::invalid_argument for a closed descriptor and for
    /// 0 bytes, and Error if the descriptor does not refer to such memory.
    [[nodiscard]] explicit ExternalMemory(Device device, FileDescriptor&& descriptor, std::size_t size,
                                          const ExternalMemoryOptions& options = {});
    /// Imports memory into this context, like the other constructor.
    [[nodiscard]] explicit ExternalMemory(ContextRef context, FileDescriptor&& descriptor, std::size_t size,
                                          const ExternalMemoryOptions& options = {});

    /// Imports an NvSciBufObj of NvSci, which systems such as Jetson have, into this context. `size` is the value of the
    /// attribute NvSciBufRawBufferAttrKey_Size, or that of the image. The caller still owns the object, which must outlive the
    /// memory. Throws std::invalid_argument for nullptr and for 0 bytes, and Error if the driver refuses the object
    /// (cuImportExternalMemory).
    [[nodiscard]] static ExternalMemory import_nv_sci_buf(ContextRef context, const void* object, std::size_t size,
                                                          const ExternalMemoryOptions& options = {});

    /// Takes ownership of memory of `size` bytes that was imported elsewhere, in the current context or, if none is current, in
    /// the primary context of device 0. If this throws, the caller still owns the memory.
    static ExternalMemory from_native_handle(Handle handle, std::size_t size);

private:
    explicit ExternalMemory(ExternalMemoryRef owned) noexcept : Owner(owned) {}
};

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::ExternalMemoryRef> : cubind::detail::HandleHash {};
template <>
struct std::hash<cubind::ExternalMemory> : cubind::detail::HandleHash {};
