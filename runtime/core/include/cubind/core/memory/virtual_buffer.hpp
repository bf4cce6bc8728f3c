// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/buffer.hpp>
#include <cubind/core/memory/detail/memory_operand.hpp>
#include <cubind/core/memory/exported_memory.hpp>
#include <cubind/core/memory/virtual_memory_resource.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace CUBIND_NAMESPACE {

namespace detail {
class VirtualAllocation;
}

/// What a device may do with memory.
enum class MemoryAccess {
    none = driver::CU_MEM_ACCESS_FLAGS_PROT_NONE,             ///< kernels and copies of the device fail
    read = driver::CU_MEM_ACCESS_FLAGS_PROT_READ,             ///< the device can only read
    read_write = driver::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,  ///< the device can read and write
};

/// The properties of a VirtualBuffer.
struct VirtualBufferOptions {
    /// The bytes of addresses that are reserved for growth, rounded up to the granularity. Reserved addresses use no memory, but
    /// a process has only about 2^47 bytes of addresses. 0 selects the size of the device's memory, or of the host's memory for
    /// memory of the host.
    std::size_t reserve_size = 0;
};

/// An owner of bytes that grows without moving: its address, its contents and the work in flight stay valid.
///
///     VirtualMemoryResource memory(device);
///     VirtualBuffer list(memory, stream, 4 << 20);
///     launch(stream, config, kernel, list, n);
///     list.grow(64 << 20);                        // same address
///     copy(stream, list.span<float>().subspan(n), more);
///
/// It is an operand of copies, fills and launches like a Buffer, and the rules of Buffer for lifetime and threads apply. Work
/// that a GraphBuilder captures retains the memory. Growing is not thread-safe, but needs no synchronization with work of
/// devices.
class [[nodiscard]] CUBIND_EXPORT VirtualBuffer {
public:
    /// Creates an empty buffer, which is closed.
    VirtualBuffer() noexcept = default;

    /// Reserves addresses, and allocates `size` bytes at their beginning. They are freed in the order of the stream. Throws
    /// std::invalid_argument for 0 bytes, and OutOfMemory if there is not enough memory or no range of free addresses
    /// (cuMemAddressReserve, cuMemCreate, cuMemMap, cuMemSetAccess).
    VirtualBuffer(const VirtualMemoryResource& memory, StreamRef stream, std::size_t size,
                  const VirtualBufferOptions& options = {});

    /// Changes size() to `size` bytes. Existing bytes keep their addresses and contents; added bytes are not initialized. Work
    /// that is submitted from now on may use the added bytes. Devices have the same access to them as to the existing bytes.
    ///
    /// Makes no driver call up to capacity(). Beyond, each call adds a separate allocation (cuMemCreate, cuMemMap,
    /// cuMemSetAccess), so a list of unknown length should double. Throws std::invalid_argument for less than size(), and beyond
    /// reserved_size(), because a buffer never moves: kernels, graphs and other processes hold its address. Throws OutOfMemory if
    /// there is not enough memory. The buffer is unchanged after an exception.
    void grow(std::size_t size);

    // ---- properties ------------------------------------------------------------------------------------------------------

    /// Returns the address.
    [[nodiscard]] driver::CUdeviceptr native_handle() const { return bytes_.native_handle(); }
    /// Returns the size in bytes.
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    /// Returns the bytes that have memory, which is size() rounded up to the granularity.
    [[nodiscard]] std::size_t capacity() const;
    /// Returns the bytes up to which the buffer can grow.
    [[nodiscard]] std::size_t reserved_size() const;
    /// Returns the memory as bytes. The reference stays valid when the buffer grows.
    [[nodiscard]] const Buffer& bytes() const& noexcept { return bytes_; }
    /// Deleted: a temporary buffer frees its memory before the reference is used.
    const Buffer& bytes() const&& = delete;

    /// Returns the number of elements, like Buffer::count().
    template <class Element>
    [[nodiscard]] std::size_t count() const {
        return bytes_.count<Element>();
    }
    /// Returns the elements by their addresses, like Buffer::span(). The span does not grow.
    template <class Element>
    [[nodiscard]] std::span<Element> span() const& {
        return bytes_.span<Element>();
    }
    /// Deleted: a temporary buffer frees its memory before the span is used.
    template <class Element>
    std::span<Element> span() const&& = delete;

    // ---- access ----------------------------------------------------------------------------------------------------------

    /// Sets the access of a device to all bytes, including bytes that grow() adds later. It applies to work that runs from now
    /// on: work that needs more than the new access must have completed. Throws Error if the device cannot access the memory
    /// (cuMemSetAccess).
    void set_access(Device device, MemoryAccess access);
    /// Returns the access of a device (cuMemGetAccess).
    [[nodiscard]] MemoryAccess access(Device device) const;

    // ---- other processes -------------------------------------------------------------------------------------------------

    /// Returns the memory for import_memory() in another process. Exports of one buffer have the same id. Memory that is added
    /// later needs another export. The memory has file descriptors if the resource was created with
    /// SharingHandle::posix_file_descriptor, otherwise fabric handles. Throws std::invalid_argument for a resource without
    /// either, and for imported memory (cuMemRetainAllocationHandle, cuMemExportToShareableHandle).
    [[nodiscard]] ExportedMemory export_memory() const;
    /// Returns the memory with handles of this kind, which is one of those that the resource was created with.
    [[nodiscard]] ExportedMemory export_memory(SharingHandle kind) const;

    /// Maps the memory of another process and lets the device access it. The buffer has the size that it had when it was
    /// exported. Its memory is shared: it exists until all processes have freed it, and neither process waits for the other's
    /// work.
    ///
    /// Imports of one buffer share one mapping, so they have the same address. If the buffer has grown since an earlier import,
    /// that mapping grows in place. The mapping is freed with the last buffer that imports it, after the work of the streams of
    /// all these buffers. grow() throws std::invalid_argument beyond the memory that was imported. Throws std::invalid_argument
    /// for sizes that contradict each other, and Error if the driver cannot map the memory (cuMemImportFromShareableHandle,
    /// cuMemGetAllocationPropertiesFromHandle, cuMemAddressReserve, cuMemMap, cuMemSetAccess).
    [[nodiscard]] static VirtualBuffer import_memory(Device device, StreamRef stream, const ExportedMemory& memory);

    // ---- lifetime --------------------------------------------------------------------------------------------------------

    /// Sets the stream in whose order the memory is freed, like Buffer::set_deallocation_stream().
    void set_deallocation_stream(StreamRef stream) { bytes_.set_deallocation_stream(stream); }
    /// Waits for the stream, and frees the memory and its addresses. Throws if that fails; the buffer is closed in either case
    /// (cuMemUnmap, cuMemAddressFree).
    void close() { bytes_.close(); }
    /// Frees the memory like close(), but in the order of this stream.
    void close(StreamRef stream) { bytes_.close(stream); }
    /// Returns whether the buffer is empty, or was moved from or closed.
    [[nodiscard]] bool is_closed() const noexcept { return bytes_.is_closed(); }

private:
    friend std::shared_ptr<const void> share(const VirtualBuffer& buffer) { return detail::share(buffer.bytes_); }

    detail::VirtualAllocation& allocation() const { return (void)bytes_.size(), *allocation_; }

    std::shared_ptr<detail::VirtualAllocation> allocation_;
    Buffer bytes_;
};

namespace detail {

template <class Type>
requires std::is_same_v<std::remove_const_t<Type>, VirtualBuffer>
struct MemoryOperand<Type> {
    using Element = std::conditional_t<std::is_const_v<Type>, const std::byte, std::byte>;
    CUBIND_HIDDEN static constexpr bool is_view = false;
    CUBIND_HIDDEN static constexpr bool is_value = false;
    static MemoryView view(const VirtualBuffer& buffer) { return memory_view_of(buffer.bytes()); }
};

template <>
struct FillTarget<VirtualBuffer&> {
    using Value = UntypedFillValue;
};

}  // namespace detail

}  // namespace CUBIND_NAMESPACE
