// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/pool_memory_resource.hpp>

namespace CUBIND_NAMESPACE {

/// The properties of a new pool of device memory.
struct DeviceMemoryResourceOptions {
    /// The maximum size of the pool in bytes. 0 selects the size of the device's memory. Another value requires a driver
    /// of CUDA 12.2 or later.
    std::size_t max_size = 0;
    /// The MemoryPoolAttributes::release_threshold() of the pool. By default the pool retains all memory.
    std::uint64_t release_threshold = ~std::uint64_t{0};
    /// Whether other processes can use the pool: see allocation_handle(). The driver may retain all memory of such a
    /// pool until the pool ends, whatever the release threshold is.
    bool ipc_enabled = false;
    /// The kinds of handles by which other processes open the pool, besides the file descriptors of `ipc_enabled`.
    SharingHandle sharing = SharingHandle::none;
    /// Whether the decompression engine of the device can use the memory; see decompress_batch(). Requires a driver of CUDA 12.8
    /// or later.
    bool hw_decompress = false;
};

/// Device memory from a pool of the driver. Device::allocate() uses the device's default pool. Copies of the object are handles
/// of the same pool.
///
///     DeviceMemoryResource pool(device);
///     Buffer buffer = pool.allocate(stream, 1024);
///     device.set_memory_resource(DeviceMemoryResource(device, {.max_size = std::size_t{1} << 30}));
///
/// The constructors throw Error if the device has no pools; Device::memory_resource() then returns a resource without a pool.
/// The constructors do not affect captures.
class CUBIND_EXPORT DeviceMemoryResource final : public PoolMemoryResource {
public:
    /// Creates a handle of the device's default pool, which the whole process shares (cuDeviceGetDefaultMemPool). It
    /// retains freed memory for the next allocation: its release threshold is raised at first use unless the program
    /// has set one.
    explicit DeviceMemoryResource(Device device);

    /// Creates a new pool (cuMemPoolCreate). Throws Error if ipc_enabled or sharing is set and the device has no pools with
    /// such handles, and if hw_decompress is set and the device has no decompression engine.
    DeviceMemoryResource(Device device, const DeviceMemoryResourceOptions& options);

    /// Takes ownership of a pool of the device. Throws std::invalid_argument for nullptr.
    [[nodiscard]] static DeviceMemoryResource from_native_handle(driver::CUmemoryPool pool, Device device);

    /// Opens a pool of another process on its device (cuMemPoolImportFromShareableHandle). The pool cannot allocate:
    /// Buffer::from_ipc_descriptor() maps its buffers. Other devices have no access until this process grants it. If this process
    /// already has the pool, because it has opened or created it, returns a handle of that. Throws Error if the driver rejects
    /// the handle, and std::invalid_argument if its descriptor is closed or the pool is of another device.
    [[nodiscard]] static DeviceMemoryResource from_allocation_handle(Device device, const IpcAllocationHandle& handle);
    /// Returns a handle of the pool with this identity, which this process has created with ipc_enabled or has opened, and still
    /// uses. Throws std::invalid_argument if there is none. Makes no driver call.
    [[nodiscard]] static DeviceMemoryResource from_registry(const PoolUuid& uuid);

    /// Returns the device of the pool.
    [[nodiscard]] Device device() const;

private:
    using PoolMemoryResource::PoolMemoryResource;
};

}  // namespace CUBIND_NAMESPACE
