// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/device.hpp>
#include <cubind/core/lifetime/detail/owner.hpp>
#include <cubind/core/memory/copy.hpp>
#include <cubind/core/memory/detail/free_order.hpp>
#include <cubind/core/memory/fill.hpp>
#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace CUBIND_NAMESPACE {

class Buffer;
class FileDescriptor;
class PoolMemoryResource;
class VirtualBuffer;
template <class Element>
class TypedBuffer;
struct IpcBufferDescriptor;
struct LegacyIpcDescriptor;

/// How a device for which Buffer::dma_buf() exports memory reaches the memory.
enum class DmaBufMapping : unsigned int {
    automatic = 0,                                              ///< as the driver chooses
    pcie = driver::CU_MEM_RANGE_FLAG_DMA_BUF_MAPPING_TYPE_PCIE  ///< through the GPU's window in the PCIe address space
};

namespace detail {

class CountedAllocation;

/// Shares ownership of the buffer's memory, which is freed once the buffer and every returned pointer are destroyed. For a
/// view, returns its owner or nullptr. Several threads may call it at the same time with the same buffer.
[[nodiscard]] CUBIND_EXPORT std::shared_ptr<const void> share(const Buffer& buffer);

/// If the stream is captured by a GraphBuilder, makes the graph retain the buffer's memory.
CUBIND_EXPORT void retain_for_capture(StreamRef stream, const Buffer& buffer);

[[noreturn]] CUBIND_EXPORT void throw_not_elements(driver::CUdeviceptr pointer, std::size_t size, std::size_t element_size,
                                                   std::size_t alignment);

}  // namespace detail

/// An owner of bytes of device or host memory. The resource that allocated the memory frees it in stream order: after all work
/// that was submitted so far to the stream of the allocation, or to the stream of set_deallocation_stream(). For elements of one
/// type there is TypedBuffer.
///
///     Buffer buffer = device.allocate(stream, 4 * n);     // bytes
///     copy(stream, buffer, values);                       // values: any contiguous range
///     launch(stream, config, kernel, buffer, n);
///     std::span<float> elements = buffer.span<float>();   // device addresses
///
/// A buffer may be destroyed on any thread and with any current context, and retains the Stream in whose order it is freed. A
/// stream that cubind does not own must outlive the buffer. A buffer on the default stream of a thread may be destroyed by
/// another thread, or after that thread has ended. It is then freed after the work of the default streams of all threads.
///
/// Memory that is allocated from a pool during a capture belongs to the graph, whether a GraphBuilder or other code captures.
/// Destroying the Buffer during the capture adds a free to the graph; destroying it after the capture does nothing.
/// close(stream), or the destructor after set_deallocation_stream(), frees such memory outside the graph, which is correct
/// after a launch of the graph. Work that a GraphBuilder captures retains all other buffers that it uses until the graph is
/// destroyed.
///
/// Several threads may call constant functions of one buffer. A buffer that is empty, moved from, closed or released rejects
/// every use with std::invalid_argument. A buffer of 0 bytes has no memory, and operations on it do nothing.
class [[nodiscard]] CUBIND_EXPORT Buffer {
public:
    /// Creates an empty buffer, which is closed.
    Buffer() noexcept = default;

    /// Takes ownership of memory that the resource allocated with this size and alignment. It is freed in the order of
    /// the stream.
    [[nodiscard]] static Buffer from_native_handle(driver::CUdeviceptr pointer, std::size_t size, const MemoryResource& resource,
                                                   StreamRef stream,
                                                   std::size_t alignment = MemoryResourceBase::default_alignment);

    /// Returns a view of memory that the buffer does not free. The memory must outlive the buffer and the work that
    /// uses it.
    [[nodiscard]] static Buffer view_of(driver::CUdeviceptr pointer, std::size_t size);

    /// Returns a view that retains the owner of the memory.
    [[nodiscard]] static Buffer view_of(driver::CUdeviceptr pointer, std::size_t size, std::shared_ptr<const void> owner);

    /// Maps memory that another process has allocated from the pool, which from_allocation_handle() has opened
    /// (cuMemPoolImportPointer). All imports of the same memory share one mapping. Work may use the memory after the other
    /// process's stream has reached the allocation. Freeing the buffer waits for the stream, and the last buffer unmaps the
    /// memory (cuMemFree); all processes must do so before the process that has allocated the memory frees it. Throws Error if
    /// the memory does not exist or is not of the pool, and std::invalid_argument for a pool of this process, for a descriptor
    /// that states another pool and for a size that exceeds the memory.
    [[nodiscard]] static Buffer from_ipc_descriptor(StreamRef stream, const PoolMemoryResource& pool,
                                                    const IpcBufferDescriptor& descriptor);

    /// Maps memory that another process has allocated with cuMemAlloc, in the context of the stream (cuIpcOpenMemHandle). The
    /// devices of both processes must be the same or peers. The driver counts how often the context has opened the memory.
    /// Freeing the buffer waits for the stream (cuIpcCloseMemHandle); the other process must not free the memory before. Throws
    /// Error if the memory does not exist or is of the same process, and std::invalid_argument for a size of 0 and for bytes
    /// outside of the allocation.
    [[nodiscard]] static Buffer from_legacy_ipc_descriptor(StreamRef stream, const LegacyIpcDescriptor& descriptor);

    /// Moves the buffer; `other` is closed afterwards.
    Buffer(Buffer&& other) noexcept
        : pointer_(other.pointer_),
          size_(other.size_),
          resource_(std::exchange(other.resource_, nullptr)),
          owner_(std::move(other.owner_)),
          order_(std::move(other.order_)),
          counted_(other.take_counted()),
          alignment_(other.alignment_),
          is_open_(std::exchange(other.is_open_, false)) {}
    /// Frees the memory as the destructor does, and moves the other buffer into this one.
    Buffer& operator=(Buffer&& other) noexcept;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    // Compilers show the line of the deleted constructor, with its comment.
    template <class Element>
    Buffer(const TypedBuffer<Element>&) = delete;  // use auto, TypedBuffer<Element>, or std::move(typed).to_bytes()
    /// Frees the memory in stream order. A failure is reported to the cleanup handler.
    ~Buffer() {
        if (resource_ != nullptr) destroy_quietly();
    }

    // ---- properties ------------------------------------------------------------------------------------------------------

    /// Returns the address, or 0 for a buffer of 0 bytes.
    [[nodiscard]] driver::CUdeviceptr native_handle() const { return check_open(), pointer_; }

    /// Returns the size in bytes.
    [[nodiscard]] std::size_t size() const { return check_open(), size_; }

    /// Returns the number of elements. Throws std::invalid_argument if the size is not a multiple of the element's
    /// size, or the address is not a multiple of its alignment.
    template <class Element>
    [[nodiscard]] std::size_t count() const {
        check_open();
        if (size_ % sizeof(Element) != 0 || pointer_ % alignof(Element) != 0) [[unlikely]] {
            detail::throw_not_elements(pointer_, size_, sizeof(Element), alignof(Element));
        }
        return size_ / sizeof(Element);
    }

    /// Returns the elements by their addresses, for kernels and copies. The host may read and write them if
    /// is_host_accessible(). Throws like count().
    template <class Element>
    [[nodiscard]] std::span<Element> span() const& {
        detail::check_element<Element>();
        const std::size_t elements = count<Element>();
        return {reinterpret_cast<Element*>(pointer_), elements};
    }
    /// Deleted: a temporary buffer frees its memory before the span is used.
    template <class Element>
    std::span<Element> span() const&& = delete;

    /// Returns the resource that frees the memory, or std::nullopt for a view.
    [[nodiscard]] std::optional<MemoryResource> memory_resource() const;

    /// Returns the owner that a view retains, or nullptr if there is none.
    [[nodiscard]] std::shared_ptr<const void> owner() const;

    /// Returns the device of the memory, or std::nullopt for host memory and managed memory. For a view, this function and the
    /// next three query the driver (cuPointerGetAttributes).
    [[nodiscard]] std::optional<Device> device() const;
    /// Returns whether devices can access the memory.
    [[nodiscard]] bool is_device_accessible() const;
    /// Returns whether the host can access the memory.
    [[nodiscard]] bool is_host_accessible() const;
    /// Returns whether the driver migrates the memory to the processor that uses it.
    [[nodiscard]] bool is_managed() const;
    /// Returns whether the memory is that of another process, which this process has mapped; false for a view.
    [[nodiscard]] bool is_mapped() const;

    /// Returns a description by which other processes map the memory (cuMemPoolExportPointer, before the first one of a pool also
    /// cuMemPoolExportToShareableHandle). The buffer is from a pool with ipc_enabled, and not imported; otherwise throws
    /// std::invalid_argument, or Error for a view.
    [[nodiscard]] IpcBufferDescriptor ipc_descriptor() const;
    /// Returns a description of memory of cuMemAlloc, by which other processes map it (cuIpcGetMemHandle). Throws
    /// std::invalid_argument for a buffer of 0 bytes and for other memory: that of pools has ipc_descriptor(), and virtual memory
    /// has VirtualBuffer::export_memory().
    [[nodiscard]] LegacyIpcDescriptor legacy_ipc_descriptor() const;

    /// Returns a file descriptor of a DMA buffer of Linux, by which drivers of other devices, such as network adapters, access
    /// the bytes (cuMemGetHandleForAddressRange). It retains the memory. Address and size must be multiples of the page size of
    /// the host, and the memory must be of cuMemAlloc or virtual memory; otherwise throws std::invalid_argument or Error. Throws
    /// Error with the missing attribute if the device does not support it.
    [[nodiscard]] FileDescriptor dma_buf(DmaBufMapping mapping = DmaBufMapping::automatic) const;

    /// Sets whether synchronous copies and fills of the whole allocation wait for their completion even where the driver may
    /// return early (cuPointerSetAttribute). Other devices that access the memory directly need it, because they do not wait for
    /// streams. PointerAttributes::synchronizes_memory_operations is the value. Throws Error for virtual memory, which has no
    /// such setting, and for memory that is not of the driver.
    void set_synchronizes_memory_operations(bool value);

    // ---- contents --------------------------------------------------------------------------------------------------------

    /// Copies the source to the beginning of the buffer: copy(stream, *this, source).
    template <class Source>
    void copy_from(StreamRef stream, Source&& source) {
        copy(stream, *this, std::forward<Source>(source));
    }
    /// Copies with options: copy(stream, *this, source, options).
    template <class Source>
    void copy_from(StreamRef stream, Source&& source, const CopyOptions& options) {
        copy(stream, *this, std::forward<Source>(source), options);
    }
    /// Copies the buffer to the beginning of the destination: copy(stream, destination, *this).
    template <class Destination>
    void copy_to(StreamRef stream, Destination&& destination) const {
        copy(stream, std::forward<Destination>(destination), *this);
    }
    /// Copies with options: copy(stream, destination, *this, options).
    template <class Destination>
    void copy_to(StreamRef stream, Destination&& destination, const CopyOptions& options) const {
        copy(stream, std::forward<Destination>(destination), *this, options);
    }
    /// Fills the buffer with the value: fill(stream, *this, value).
    template <class Value>
    void fill(StreamRef stream, Value value) {
        cubind::fill(stream, *this, value);
    }

    /// Returns a copy in new memory of the same resource, with the same alignment. It is allocated, copied and later freed in the
    /// order of this stream. Throws std::invalid_argument for a view, which has no resource.
    [[nodiscard]] Buffer clone(StreamRef stream) const;

    /// Moves the contents to new memory of this size in bytes, like clone(), up to the smaller of both sizes, and frees the old
    /// memory in the order of this stream, which is from now on the deallocation stream. The stream must have waited for work of
    /// other streams that uses the buffer. Other objects that share the memory, such as a StridedView, keep the old memory. If
    /// the allocation or the copy fails, the buffer is unchanged. Does nothing if the size is equal.
    void resize(StreamRef stream, std::size_t size);

    // ---- lifetime --------------------------------------------------------------------------------------------------------

    /// Sets the stream in whose order the memory is freed, in place of the stream of the allocation. The free runs after all
    /// work that was submitted to this stream before the free.
    void set_deallocation_stream(StreamRef stream);

    /// Frees the memory in stream order. Throws if that fails; the buffer is closed in either case. Memory that captured work
    /// retains is freed after that work. Closing again does nothing.
    void close();
    /// Frees the memory like close(), but in the order of this stream.
    void close(StreamRef stream);

    /// Gives up ownership and returns the address, or 0 if the buffer is closed. The caller must free the memory, even if
    /// captured work uses it. The buffer is closed afterwards.
    [[nodiscard]] driver::CUdeviceptr release() noexcept;

    /// Returns whether the buffer is empty, or was moved from, closed or released.
    [[nodiscard]] bool is_closed() const noexcept { return !is_open_; }

    /// Returns whether both refer to the same bytes, or both are closed.
    [[nodiscard]] friend bool operator==(const Buffer& left, const Buffer& right) noexcept {
        if (!left.is_open_ || !right.is_open_) return left.is_open_ == right.is_open_;
        return left.pointer_ == right.pointer_ && left.size_ == right.size_;
    }

private:
    friend class VirtualBuffer;
    friend class detail::ResourceHandle;
    friend std::shared_ptr<const void> detail::share(const Buffer& buffer);

    // This is a template so that a pointer of another type is converted directly to the member.
    template <class Owner>
    Buffer(driver::CUdeviceptr pointer, std::size_t size, std::size_t alignment, MemoryResourceBase* resource, Owner&& owner,
           detail::FreeOrder&& order) noexcept
        : pointer_(pointer),
          size_(size),
          resource_(resource),
          owner_(std::forward<Owner>(owner)),
          order_(std::move(order)),
          alignment_(static_cast<unsigned int>(alignment)),
          is_open_(true) {}

    Buffer resized(const char* verb, StreamRef stream, std::size_t size) const;
    void check_open() const {
        if (!is_open_) [[unlikely]]
            detail::throw_moved_from("Buffer");
    }
    detail::CountedAllocation* take_counted() noexcept { return std::exchange(counted_, nullptr); }
    void destroy_quietly() noexcept;
    void reset() noexcept;

    driver::CUdeviceptr pointer_ = 0;
    std::size_t size_ = 0;
    MemoryResourceBase* resource_ = nullptr;  // frees the memory; nullptr for a view
    std::shared_ptr<const void> owner_;       // the resource, or the owner that a view retains
    detail::FreeOrder order_;
    mutable detail::CountedAllocation* counted_ = nullptr;  // frees the memory after share(), which sets it atomically
    unsigned int alignment_ = 1;
    bool is_open_ = false;
};

}  // namespace CUBIND_NAMESPACE

template <>
struct std::hash<cubind::Buffer> {
    [[nodiscard]] std::size_t operator()(const cubind::Buffer& buffer) const noexcept {
        return std::hash<cubind::driver::CUdeviceptr>()(buffer.is_closed() ? 0 : buffer.native_handle());
    }
};
