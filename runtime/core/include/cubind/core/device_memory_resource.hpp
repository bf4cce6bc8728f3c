// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/pool_memory_resource.hpp>

namespace cubind {

/// What a device's pool is made with.
struct DeviceMemoryResourceOptions {
    /// Bytes that it can hand out; 0: what the device has. Needs a driver of CUDA 12.2 or later.
    std::size_t max_size = 0;
    /// See MemoryPoolAttributes: by default the pool keeps what it has once got.
    std::uint64_t release_threshold = ~std::uint64_t{0};
};

/// Memory of a device from a pool: what Device::allocate() uses, too.
///
///     DeviceMemoryResource pool(device);
///     Buffer buffer = pool.allocate(stream, 1024);
///     device.set_memory_resource(DeviceMemoryResource(device, {.max_size = std::size_t{1} << 30}));
///
/// Throws Error where the device has no pools; Device::memory_resource() has a substitute then. Making one disturbs no capture.
class DeviceMemoryResource : public PoolMemoryResource {
public:
    /// The device's default pool, which all of the process shares. Freed memory stays in it for the next allocation: its release
    /// threshold is raised at first use, unless somebody else had set one (cuDeviceGetDefaultMemPool).
    explicit DeviceMemoryResource(Device device);

    /// A pool of its own (cuMemPoolCreate).
    DeviceMemoryResource(Device device, const DeviceMemoryResourceOptions& options);

    /// Takes ownership of a pool of the device that was made elsewhere.
    static DeviceMemoryResource from_native_handle(driver::CUmemoryPool pool, Device device);

    Device device() const;

private:
    using PoolMemoryResource::PoolMemoryResource;
};

}  // namespace cubind
