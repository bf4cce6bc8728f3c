// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/memory/allocation_type.hpp>
#include <cubind/core/memory/memory_location.hpp>
#include <cubind/core/memory/memory_resource.hpp>
#include <cubind/core/memory/sharing_handle.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace CUBIND_NAMESPACE {

namespace detail {
class VirtualMemory;
}

/// The unit of which sizes of virtual memory are multiples.
enum class MemoryGranularity {
    minimum,      ///< the smallest unit that the device can map, which wastes the least memory
    recommended,  ///< the unit with which devices access memory fastest
};

/// The properties of virtual memory.
struct VirtualMemoryResourceOptions {
    /// The unit to which sizes are rounded up.
    MemoryGranularity granularity = MemoryGranularity::recommended;
    /// The devices that can access new allocations besides the device of the memory. For memory of the host, no entry means all
    /// devices.
    std::vector<Device> peers = {};
    /// How other processes can obtain the memory.
    SharingHandle sharing = SharingHandle::none;
    /// Whether the device may compress the memory. The driver may ignore this.
    bool compressible = false;
    /// Whether other hardware, such as a network adapter, can access the memory directly.
    bool gpu_direct_rdma = false;
    /// Whether the decompression engine of the device can use the memory; see decompress_batch(). Requires a driver of CUDA 12.8
    /// or later.
    bool hw_decompress = false;
    /// A power of two of which all addresses are multiples. 0 selects the granularity, which is also the minimum.
    std::size_t address_alignment = 0;
    /// The address at which memory begins if it is free there, a multiple of the alignment; 0 if the driver chooses. The driver
    /// may ignore it. A second allocation begins elsewhere.
    driver::CUdeviceptr address_hint = 0;
    /// Whether the memory stays in its location or is managed. Drivers up to CUDA 13.5 document pinned memory only; where a
    /// driver refuses managed memory, allocations throw Error, and ManagedMemoryResource has such memory.
    AllocationType allocation_type = AllocationType::pinned;
};

/// Memory whose addresses are reserved separately from the memory that is mapped to them. It can grow without moving (see
/// VirtualBuffer), its access is set for each device, and other processes can map it. Each allocation takes several slow driver
/// calls and rounds its size up to the granularity, 2 MiB on most devices, so this resource suits few large allocations
/// (cuMemAddressReserve, cuMemCreate, cuMemMap, cuMemSetAccess).
///
///     VirtualMemoryResource memory(device, {.peers = {Device(1)}});
///     Buffer buffer = memory.allocate(stream, size);
///
/// Allocating does not use the stream: the memory is usable as soon as the call returns. A free waits for the work of the stream,
/// unless the stream is captured. Neither invalidates a capture. Copies of the object are handles of the same resource. Any
/// thread may use it.
class CUBIND_EXPORT VirtualMemoryResource final : public detail::ResourceHandle {
public:
    /// Creates a resource of memory of the device or the host. Allocates nothing (cuMemGetAllocationGranularity).
    ///
    /// Throws Error with the missing device attribute if a device does not support the location or an option. Memory on a NUMA
    /// node of the host, Host{node}, requires a driver of CUDA 12.9 or later, and Host{} requires 13.0. Throws
    /// std::invalid_argument for an alignment that is not a power of two, and for a peer that cannot access the memory.
    explicit VirtualMemoryResource(const MemoryLocation& location, const VirtualMemoryResourceOptions& options = {});

    /// Creates a resource whose memory libraries for communication accept, such as NCCL, NVSHMEM, UCX and programs with GPUDirect
    /// RDMA: all peers of the device have access, network adapters have if the device supports it, and other processes can obtain
    /// the memory by file descriptors and, on a machine that is part of a fabric, by fabric handles. options() states what was
    /// selected. To find out whether this process may use the fabric, the function allocates memory of the smallest size for a
    /// moment (cuMemCreate).
    [[nodiscard]] static VirtualMemoryResource for_communication(Device device);

    /// Returns the location of the memory.
    [[nodiscard]] MemoryLocation location() const noexcept;
    /// Returns the unit of sizes and addresses in bytes.
    [[nodiscard]] std::size_t granularity() const noexcept;
    /// Returns the options that the resource was created with.
    [[nodiscard]] const VirtualMemoryResourceOptions& options() const noexcept;

private:
    friend class VirtualBuffer;
    explicit VirtualMemoryResource(std::shared_ptr<detail::VirtualMemory> memory);

    std::shared_ptr<detail::VirtualMemory> memory_;
};

}  // namespace CUBIND_NAMESPACE
