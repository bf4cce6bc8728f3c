// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/file_descriptor.hpp>
#include <cubind/core/memory/sharing_handle.hpp>
#include <cubind/detail/abi.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace CUBIND_NAMESPACE {

/// Handles of the memory of a VirtualBuffer. VirtualBuffer::export_memory() creates them, and VirtualBuffer::import_memory()
/// maps the memory in another process. The object retains the memory. Move-only.
///
/// Import memory only from processes that you trust: they can change it at any time.
struct [[nodiscard]] ExportedMemory {
    /// One of the allocations that follow each other in the buffer.
    struct Part {
        FileDescriptor descriptor;  ///< the memory, of SharingHandle::posix_file_descriptor
        std::size_t size;           ///< bytes of the allocation
        FabricHandle fabric = {};   ///< the memory, of SharingHandle::fabric
    };

    std::array<std::uint64_t, 2> id = {};                       ///< random number of the buffer; the same for each export of it
    std::size_t size = 0;                                       ///< bytes of the buffer
    std::size_t reserved_size = 0;                              ///< bytes up to which the buffer can grow
    std::vector<Part> parts = {};                               ///< the allocations in order of their addresses
    SharingHandle kind = SharingHandle::posix_file_descriptor;  ///< which handle the parts have
};

/// Returns memory with fabric handles as bytes, which can be sent to another machine in any way. Machines have the same byte
/// order. Throws std::invalid_argument for file descriptors, which send_memory() sends.
[[nodiscard]] CUBIND_EXPORT std::vector<std::byte> to_bytes(const ExportedMemory& memory);

/// Returns the memory that to_bytes() has converted. Throws std::invalid_argument for other bytes.
[[nodiscard]] CUBIND_EXPORT ExportedMemory memory_from_bytes(std::span<const std::byte> bytes);

/// Sends exported memory to the process at the other end of a connected Unix socket. The caller still owns both arguments. Waits
/// until the socket accepts the message. Throws std::system_error if the operating system fails, and std::invalid_argument for
/// more than 253 parts, the maximum of a message, and for fabric handles, which to_bytes() converts.
CUBIND_EXPORT void send_memory(int socket, const ExportedMemory& memory);

/// Waits for memory that send_memory() sends. Throws std::system_error if the operating system fails, or with
/// std::errc::connection_reset if the socket was closed, and std::invalid_argument if another message arrives.
[[nodiscard]] CUBIND_EXPORT ExportedMemory receive_memory(int socket);

}  // namespace CUBIND_NAMESPACE
