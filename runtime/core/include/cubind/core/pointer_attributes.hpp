// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/context.hpp>
#include <cubind/core/device.hpp>
#include <cubind/driver/types.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cubind {

/// What kind of memory an address leads to.
enum class MemoryType {
    unregistered,  ///< none that the driver knows: the host's own
    host,          ///< the host's, pinned by the driver
    device,        ///< a device's
    managed        ///< what the driver moves to where it is used
};

/// What the driver knows about an address. A plain value, as of the moment of the question.
///
///     if (PointerAttributes::of(pointer).kind == MemoryType::unregistered) ...
struct PointerAttributes {
    /// Asks with one call (cuPointerGetAttributes). Throws Error where there is no driver.
    static PointerAttributes of(driver::CUdeviceptr pointer);
    static PointerAttributes of(const void* pointer) { return of(reinterpret_cast<driver::CUdeviceptr>(pointer)); }

    MemoryType kind = MemoryType::unregistered;
    /// That it was allocated on or, host memory, for; none for unregistered memory.
    std::optional<Device> device = std::nullopt;
    /// That it was allocated in; none for memory of pools.
    ContextRef context = {};
    /// Where kernels reach it; 0: nowhere.
    driver::CUdeviceptr device_pointer = 0;
    /// Where the host reaches it; nullptr: nowhere, or the memory is unregistered.
    void* host_pointer = nullptr;
    /// All of the allocation that it lies in.
    driver::CUdeviceptr allocation = 0;
    std::size_t allocation_size = 0;
    /// A number that no other allocation of the process ever has.
    unsigned long long id = 0;
    bool is_managed = false;
    /// Whether there is memory behind the address, which may be but reserved.
    bool is_mapped = false;
    /// Whether synchronous copies of it wait always.
    bool synchronizes_memory_operations = false;
    /// Whether cuIpcGetMemHandle can pass it on.
    bool is_legacy_ipc_capable = false;
    bool is_gpu_direct_rdma_capable = false;
    /// That it is from, or nullptr.
    driver::CUmemoryPool pool = nullptr;
    /// What the device that `device` names may do with it.
    driver::CUmemAccess_flags access = driver::CU_MEM_ACCESS_FLAGS_PROT_NONE;
};

}  // namespace cubind
