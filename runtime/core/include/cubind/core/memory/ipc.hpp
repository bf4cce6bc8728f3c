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

/// @file
/// What processes send each other to share memory pools and buffers. A process that receives such an object trusts its
/// sender: the sender can change shared memory at any time.
namespace CUBIND_NAMESPACE {

/// The identity of a memory pool that processes share: random numbers, which are the same in every process. Zeros if it is not
/// known.
using PoolUuid = std::array<std::uint64_t, 2>;

/// A memory pool for another process: PoolMemoryResource::allocation_handle() creates it, send_allocation_handle() sends it, and
/// DeviceMemoryResource::from_allocation_handle() opens the pool. The object retains the memory of the pool. Move-only.
struct [[nodiscard]] IpcAllocationHandle {
    FileDescriptor descriptor;  ///< the pool, of SharingHandle::posix_file_descriptor
    /// The identity of the pool. If it is zeros, as for a descriptor that another library has sent, each import creates its own
    /// pool.
    PoolUuid uuid = {};
    SharingHandle kind = SharingHandle::posix_file_descriptor;  ///< which handle this is
    FabricHandle fabric = {};                                   ///< the pool, of SharingHandle::fabric
};

/// Returns a handle of SharingHandle::fabric as bytes, which can be sent to another machine in any way. Machines have the same
/// byte order. Throws std::invalid_argument for a file descriptor, which send_allocation_handle() sends.
[[nodiscard]] CUBIND_EXPORT std::vector<std::byte> to_bytes(const IpcAllocationHandle& handle);

/// Returns the handle that to_bytes() has converted. Throws std::invalid_argument for other bytes.
[[nodiscard]] CUBIND_EXPORT IpcAllocationHandle allocation_handle_from_bytes(std::span<const std::byte> bytes);

/// A buffer for another process: Buffer::ipc_descriptor() creates it, and Buffer::from_ipc_descriptor() maps the memory. The
/// object owns nothing. Its bytes can be sent in any way.
struct IpcBufferDescriptor {
    std::array<std::byte, 64> data = {};  ///< where the driver finds the memory in the pool
    std::uint64_t size = 0;               ///< bytes of the buffer
    PoolUuid pool = {};                   ///< the identity of the pool

    /// Returns whether both describe the same buffer.
    [[nodiscard]] friend bool operator==(const IpcBufferDescriptor&, const IpcBufferDescriptor&) noexcept = default;
};

/// Memory of cuMemAlloc for another process, by the handles that processes used before there were pools, and that other libraries
/// still send: Buffer::legacy_ipc_descriptor() creates it, and Buffer::from_legacy_ipc_descriptor() maps the memory. The object
/// owns nothing. Its bytes can be sent in any way.
struct LegacyIpcDescriptor {
    std::array<std::byte, 64> data = {};  ///< the CUipcMemHandle of the whole allocation
    std::uint64_t offset = 0;             ///< bytes from the beginning of the allocation to the buffer
    std::uint64_t size = 0;               ///< bytes of the buffer

    /// Returns whether both describe the same buffer.
    [[nodiscard]] friend bool operator==(const LegacyIpcDescriptor&, const LegacyIpcDescriptor&) noexcept = default;
};

/// Sends a copy of the handle to the process at the other end of a connected Unix socket. The caller still owns both arguments.
/// Waits until the socket accepts the message. Throws std::system_error if the operating system fails, and std::invalid_argument
/// if the descriptor is closed, and for a fabric handle, which to_bytes() converts.
CUBIND_EXPORT void send_allocation_handle(int socket, const IpcAllocationHandle& handle);

/// Waits for a handle that send_allocation_handle() sends. Throws std::system_error if the operating system fails, or with
/// std::errc::connection_reset if the socket was closed, and std::invalid_argument if another message arrives.
[[nodiscard]] CUBIND_EXPORT IpcAllocationHandle receive_allocation_handle(int socket);

}  // namespace CUBIND_NAMESPACE
