// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace CUBIND_NAMESPACE {

/// The kind of memory at an address.
enum class MemoryType {
    unregistered,  ///< pageable host memory, or an address without registered memory
    host,          ///< host memory that the driver has pinned
    device,        ///< device memory
    managed        ///< memory that the driver migrates to the processor that uses it
};

/// The attributes of an address as the driver reports them. The object is a copy that does not reflect later changes.
///
///     if (PointerAttributes::of(pointer).kind == MemoryType::unregistered) ...
struct CUBIND_EXPORT PointerAttributes {
    /// Queries all attributes with one call (cuPointerGetAttributes), and the locality domain with another one on devices with
    /// several domains (cuPointerGetAttribute). Throws Error if there is no driver.
    [[nodiscard]] static PointerAttributes of(driver::CUdeviceptr pointer);
    /// Queries all attributes of a pointer.
    [[nodiscard]] static PointerAttributes of(const void* pointer) { return of(reinterpret_cast<driver::CUdeviceptr>(pointer)); }

    /// The kind of memory.
    MemoryType kind = MemoryType::unregistered;
    /// The device of the allocation. For host memory, the device whose context allocated it; std::nullopt for unregistered
    /// memory.
    std::optional<Device> device = std::nullopt;
    /// The context of the allocation; no context for memory from a pool.
    ContextRef context = {};
    /// The address for kernels, or 0 if they cannot access the memory.
    driver::CUdeviceptr device_pointer = 0;
    /// The address for the host, or nullptr if the host cannot access the memory or the memory is unregistered.
    void* host_pointer = nullptr;
    /// The address of the whole allocation.
    driver::CUdeviceptr allocation = 0;
    /// The size of the whole allocation in bytes.
    std::size_t allocation_size = 0;
    /// A number that identifies the allocation among all allocations of the process.
    unsigned long long id = 0;
    /// Whether the driver migrates the memory to the processor that uses it.
    bool is_managed = false;
    /// Whether the address is mapped to memory, and not only reserved.
    bool is_mapped = false;
    /// Whether synchronous copies always wait for their completion.
    bool synchronizes_memory_operations = false;
    /// Whether cuIpcGetMemHandle accepts the memory.
    bool is_legacy_ipc_capable = false;
    /// Whether GPUDirect RDMA can access the memory.
    bool is_gpu_direct_rdma_capable = false;
    /// The number of the locality domain of `device` that the memory is in; std::nullopt for other memory, such as that of
    /// devices with one domain, and with a driver older than CUDA 13.4.
    std::optional<int> locality_domain = std::nullopt;
    /// The pool of the allocation, or nullptr.
    driver::CUmemoryPool pool = nullptr;
    /// The access that `device` has to the memory.
    driver::CUmemAccess_flags access = driver::CU_MEM_ACCESS_FLAGS_PROT_NONE;
};

}  // namespace CUBIND_NAMESPACE
