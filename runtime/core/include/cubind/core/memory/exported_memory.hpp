// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/file_descriptor.hpp>
#include <cubind/detail/abi.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace CUBIND_NAMESPACE {

/// Descriptors of the memory of a VirtualBuffer. VirtualBuffer::export_memory() creates them, and VirtualBuffer::import_memory()
/// maps the memory in another process. The object retains the memory. Move-only.
///
/// Import memory only from processes that you trust: they can change it at any time.
struct [[nodiscard]] ExportedMemory {
    /// One of the allocations that follow each other in the buffer.
    struct Part {
        FileDescriptor descriptor;  ///< the memory
        std::size_t size;           ///< bytes of the allocation
    };

    std::array<std::uint64_t, 2> id = {};  ///< random number of the buffer; the same for each export of it
    std::size_t size = 0;                  ///< bytes of the buffer
    std::size_t reserved_size = 0;         ///< bytes up to which the buffer can grow
    std::vector<Part> parts = {};          ///< the allocations in order of their addresses
};

/// Sends exported memory to the process at the other end of a connected Unix socket. The caller still owns both arguments. Waits
/// until the socket accepts the message. Throws std::system_error if the operating system fails, and std::invalid_argument for
/// more than 253 parts, the maximum of a message.
CUBIND_EXPORT void send_memory(int socket, const ExportedMemory& memory);

/// Waits for memory that send_memory() sends. Throws std::system_error if the operating system fails, or with
/// std::errc::connection_reset if the socket was closed, and std::invalid_argument if another message arrives.
[[nodiscard]] CUBIND_EXPORT ExportedMemory receive_memory(int socket);

}  // namespace CUBIND_NAMESPACE
