// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/device_properties.hpp>
#include <cubind/core/memory/virtual_memory_resource.hpp>
#include <cubind/driver/constants.hpp>
#include <cubind/driver/device.hpp>
#include <cubind/driver/virtual_memory.hpp>

#include <algorithm>
#include <utility>

#include "calls/driver.hpp"
#include "lifetime/relaxed_capture_mode.hpp"
#include "memory/decompression.hpp"
#include "memory/physical_handle.hpp"
#include "memory/refusals.hpp"
#include "memory/shareable_handle.hpp"
#include "memory/virtual_memory.hpp"
#include "platform/process.hpp"

namespace CUBIND_NAMESPACE {
namespace detail {
namespace {

void require(bool is_supported, Device device, const char* what, const char* attribute) {
    if (is_supported) return;
    throw_not_supported("cuMemCreate", concat(what, " requires the attribute ", attribute, ", which device ", device.ordinal(),
                                              " does not have"));
}

bool has_kind(SharingHandle set, SharingHandle kind) noexcept {
    return (set & kind) == kind;
}

// Checks the features before their use, so that no call of the driver fails.
void check_support(Device device, const MemoryLocation& location, const VirtualMemoryResourceOptions& options) {
    const DeviceProperties has = device.properties();
    require(has.virtual_memory_management_supported(), device, "virtual memory", "VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED");
    if (const auto host = location.host()) {
        if (host->is_numa_current) {
            throw_misuse(
                "virtual memory has a fixed place, so it cannot be on the NUMA node of the calling thread: name the node "
                "with numa_id");
        }
        if (host->numa_id) {
            require(has.host_numa_virtual_memory_management_supported(), device,
                    "virtual memory on a NUMA node of the host (a driver of CUDA 12.9 or later)",
                    "HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED");
        } else {
            require(has.host_virtual_memory_management_supported(), device,
                    "virtual memory of the host (a driver of CUDA 13.0 or later)", "HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED");
        }
    }
    if (has_kind(options.sharing, SharingHandle::posix_file_descriptor)) {
        require(has.handle_type_posix_file_descriptor_supported(), device, "sharing by file descriptors",
                "HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED");
    }
    if (has_kind(options.sharing, SharingHandle::fabric)) {
        require(has.handle_type_fabric_supported(), device, "sharing by fabric handles (a driver of CUDA 12.3 or later)",
                "HANDLE_TYPE_FABRIC_SUPPORTED");
    }
    if (options.compressible)
        require(has.generic_compression_supported(), device, "compressible memory", "GENERIC_COMPRESSION_SUPPORTED");
    if (options.gpu_direct_rdma) {
        require(has.gpu_direct_rdma_with_cuda_vmm_supported(), device, "GPUDirect RDMA of virtual memory",
                "GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED");
    }
    if (options.hw_decompress && decompression_mask(device) == 0) throw_no_decompression("cuMemCreate", device);
}

driver::CUmemAllocationHandleType native(SharingHandle sharing) {
    check_kinds(sharing);
    return static_cast<driver::CUmemAllocationHandleType>(sharing);
}

VirtualMemoryKind make_kind(const MemoryLocation& location, const VirtualMemoryResourceOptions& options) {
    const auto own_device = location.device();
    check_support(own_device ? *own_device : Device(0), location, options);
    VirtualMemoryKind kind;
    kind.device = own_device;
    kind.properties.type = static_cast<driver::CUmemAllocationType>(options.allocation_type);
    kind.properties.location = location.native();
    kind.properties.requestedHandleTypes = native(options.sharing);
    if (options.compressible) kind.properties.allocFlags.compressionType = driver::CU_MEM_ALLOCATION_COMP_GENERIC;
    if (options.gpu_direct_rdma) kind.properties.allocFlags.gpuDirectRDMACapable = 1;
    if (options.hw_decompress) kind.properties.allocFlags.usage = driver::CU_MEM_CREATE_USAGE_HW_DECOMPRESS;
    const RelaxedCaptureMode mode;
    kind.granularity = check(driver::cuMemGetAllocationGranularity(
        &kind.properties, options.granularity == MemoryGranularity::minimum ? driver::CU_MEM_ALLOC_GRANULARITY_MINIMUM
                                                                            : driver::CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    return kind;
}

std::vector<driver::CUmemAccessDesc> make_access(const MemoryLocation& location, const VirtualMemoryResourceOptions& options) {
    std::vector<driver::CUmemAccessDesc> access;
    const auto add = [&](const MemoryLocation& accessing) {
        access.push_back({accessing.native(), driver::CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
    };
    add(location);
    const auto own_device = location.device();
    for (const Device peer : options.peers.empty() && !own_device ? Device::all() : options.peers) {
        if (peer == own_device) continue;
        if (own_device && !peer.can_access_peer(*own_device)) {
            throw_misuse("device ", peer.ordinal(), " cannot be in `peers`: it cannot access memory of device ",
                         own_device->ordinal());
        }
        add(peer);
    }
    return access;
}

}  // namespace

VirtualMemory::VirtualMemory(const MemoryLocation& location, const VirtualMemoryResourceOptions& options)
    : location_(location), options_(options), kind_(make_kind(location, options)), access_(make_access(location, options)) {
    if (options.address_alignment != 0) check_alignment(options.address_alignment);
}

void VirtualMemory::renew(void* self) noexcept {
    auto& memory = *static_cast<VirtualMemory*>(self);
    ::new (&memory.mutex_) std::mutex;
    ::new (&memory.allocations_) Allocations;
}

std::shared_ptr<VirtualAllocation> VirtualMemory::add(std::size_t size, std::size_t reserved_size, std::size_t alignment) {
    const std::size_t required = std::max(alignment, options_.address_alignment);
    auto allocation = std::make_shared<VirtualAllocation>(kind_, access_, reserved_size, std::max(required, kind_.granularity),
                                                          options_.address_hint);
    allocation->grow(size);
    const std::lock_guard lock(mutex_);
    allocations_.emplace(allocation->address(), allocation);
    return allocation;
}

driver::CUdeviceptr VirtualMemory::allocate(StreamRef, std::size_t size, std::size_t alignment) {
    return add(size, round_up_to_granularity(size, kind_.granularity), alignment)->address();
}

std::shared_ptr<VirtualAllocation> VirtualMemory::allocate_growing(std::size_t size, std::size_t reserve_size) {
    const std::size_t wanted = reserve_size != 0 ? reserve_size : std::max(size, default_reserve_size());
    return add(size, round_up_to_granularity(wanted, kind_.granularity), default_alignment);
}

// With this many addresses, a buffer can hold all memory of its location, so it never needs more.
std::size_t VirtualMemory::default_reserve_size() const {
    if (kind_.device) return check(driver::cuDeviceTotalMem(kind_.device->native_handle()));
    return physical_memory_size();
}

void VirtualMemory::free(driver::CUdeviceptr pointer) {
    std::shared_ptr<VirtualAllocation> allocation;
    {
        const std::lock_guard lock(mutex_);
        const auto found = allocations_.find(pointer);
        if (found == allocations_.end()) throw_misuse("the memory at address ", pointer, " was not allocated by this resource");
        allocation = std::move(found->second);
        allocations_.erase(found);
    }
    allocation->free();
}

}  // namespace detail

VirtualMemoryResource::VirtualMemoryResource(const MemoryLocation& location, const VirtualMemoryResourceOptions& options)
    : VirtualMemoryResource(std::make_shared<detail::VirtualMemory>(location, options)) {}

VirtualMemoryResource::VirtualMemoryResource(std::shared_ptr<detail::VirtualMemory> memory)
    : ResourceHandle(memory), memory_(std::move(memory)) {}

namespace {

// Returns whether this process can allocate and export memory for the fabric. The attribute of the device only states that its
// driver knows such handles; a service and a permission are required, too.
bool has_fabric(const VirtualMemoryResourceOptions& options, Device device) {
    if (!device.properties().handle_type_fabric_supported()) return false;
    try {
        VirtualMemoryResourceOptions probe = options;
        probe.granularity = MemoryGranularity::minimum;
        probe.sharing = SharingHandle::fabric;
        const detail::VirtualMemory memory(device, probe);
        const detail::RelaxedCaptureMode mode;
        const detail::PhysicalHandle physical =
            detail::create_physical_memory(memory.kind().properties, memory.kind().granularity, device, "of a fabric");
        (void)detail::export_handle(physical.native(), SharingHandle::fabric);
        return true;
    } catch (const Error& error) {
        const bool is_refusal =
            error.code() == driver::CUDA_ERROR_NOT_PERMITTED || error.code() == driver::CUDA_ERROR_NOT_SUPPORTED;
        if (!is_refusal) throw;
        return false;
    }
}

}  // namespace

VirtualMemoryResource VirtualMemoryResource::for_communication(Device device) {
    VirtualMemoryResourceOptions options;
    options.peers = device.peers();
    options.sharing = SharingHandle::posix_file_descriptor;
    options.gpu_direct_rdma = device.properties().gpu_direct_rdma_with_cuda_vmm_supported();
    if (has_fabric(options, device)) options.sharing = options.sharing | SharingHandle::fabric;
    return VirtualMemoryResource(device, options);
}

MemoryLocation VirtualMemoryResource::location() const noexcept {
    return memory_->location();
}

std::size_t VirtualMemoryResource::granularity() const noexcept {
    return memory_->kind().granularity;
}

const VirtualMemoryResourceOptions& VirtualMemoryResource::options() const noexcept {
    return memory_->options();
}

}  // namespace CUBIND_NAMESPACE
