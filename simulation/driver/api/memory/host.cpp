// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/constants.hpp>

#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "machine/free_memory.hpp"
#include "machine/unsafe_call.hpp"
#include "objects/memory/address_space.hpp"
#include "objects/memory/allocate.hpp"
#include "support/process_memory.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

constexpr unsigned alloc_flags = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
constexpr unsigned register_flags =
    CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_IOMEMORY | CU_MEMHOSTREGISTER_READ_ONLY;

}  // namespace

extern "C" {

CUresult sim_cuMemHostAlloc(void** pp, std::size_t bytesize, unsigned int Flags) {
    const Valid<CurrentCheck> context;
    if (const CUresult status = check_unsafe_call()) return status;
    if (pp == nullptr || (Flags & ~alloc_flags) != 0) return CUDA_ERROR_INVALID_VALUE;
    if (bytesize == 0) return write_output(pp, static_cast<void*>(nullptr));
    // All memory is mapped and portable. As in the driver, the flags show only that it is mapped.
    const unsigned flags = (Flags | CU_MEMHOSTALLOC_DEVICEMAP) & ~unsigned{CU_MEMHOSTALLOC_PORTABLE};
    const NewMemory memory = allocate(MemoryKind::host, *context, bytesize, flags);
    return memory.status != CUDA_SUCCESS ? memory.status : write_output(pp, reinterpret_cast<void*>(memory.allocation->base));
}

CUresult sim_cuMemAllocHost_v2(void** pp, std::size_t bytesize) {
    return sim_cuMemHostAlloc(pp, bytesize, 0);
}

CUresult sim_cuMemFreeHost(void* p) {
    if (p == nullptr) return check_initialized();
    return free_memory(reinterpret_cast<std::uintptr_t>(p),
                       [](const Allocation& each) { return each.kind == MemoryKind::host && each.pool == nullptr; });
}

CUresult sim_cuMemHostRegister_v2(void* p, std::size_t bytesize, unsigned int Flags) {
    const Valid<CurrentCheck> context;
    if (const CUresult status = check_unsafe_call()) return status;
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    if (p == nullptr || bytesize == 0 || bytesize > ~address || (Flags & ~register_flags) != 0) return CUDA_ERROR_INVALID_VALUE;
    if (AddressSpace::instance().overlaps(address, bytesize)) return CUDA_ERROR_INVALID_VALUE;
    if (machine().memory.overlaps(address, bytesize)) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    // As on an H200 (driver 580.159.04). No memory of the process is memory of another device.
    const bool is_read_only = (Flags & CU_MEMHOSTREGISTER_READ_ONLY) != 0;
    const RangeAccess access = find_access(address, bytesize);
    const bool is_accessible = is_read_only ? access.can_read : access.can_write;
    if (!is_accessible || (Flags & CU_MEMHOSTREGISTER_IOMEMORY) != 0) return CUDA_ERROR_INVALID_VALUE;
    auto allocation = std::make_shared<Allocation>();
    allocation->kind = MemoryKind::registered;
    allocation->base = address;
    allocation->size = bytesize;
    allocation->context = context->handle;
    allocation->device = &context->device;
    allocation->flags = Flags | unsigned{CU_MEMHOSTREGISTER_DEVICEMAP};
    allocation->is_read_only = is_read_only;
    allocation->id = new_handle_value() / 16;
    // Another thread may have registered the memory.
    return machine().memory.add(allocation) ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
}

CUresult sim_cuMemHostRegister(void* p, std::size_t bytesize, unsigned int Flags) {
    return sim_cuMemHostRegister_v2(p, bytesize, Flags);
}

CUresult sim_cuMemHostUnregister(void* p) {
    if (const CUresult status = check_initialized()) return status;
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    const auto found = machine().memory.find(address);
    const bool is_other = found != nullptr && (found->base != address || found->kind != MemoryKind::registered);
    if (p == nullptr || is_other) return CUDA_ERROR_INVALID_VALUE;
    return free_memory(
        address, [](const Allocation& each) { return each.kind == MemoryKind::registered; },
        CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
}

// Host memory has the same address on host and device.
CUresult sim_cuMemHostGetDevicePointer_v2(CUdeviceptr* pdptr, void* p, unsigned int Flags) {
    const Valid<CurrentCheck> context;
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    const auto found = machine().memory.find(address);
    if (pdptr == nullptr || Flags != 0 || found == nullptr || found->kind == MemoryKind::device) return CUDA_ERROR_INVALID_VALUE;
    return write_output(pdptr, CUdeviceptr{address});
}

CUresult sim_cuMemHostGetFlags(unsigned int* pFlags, void* p) {
    const Valid<CurrentCheck> context;
    const auto found = machine().memory.find(reinterpret_cast<std::uintptr_t>(p));
    const bool is_host = found != nullptr && (found->kind == MemoryKind::host || found->kind == MemoryKind::registered);
    return is_host ? write_output(pFlags, found->flags) : CUDA_ERROR_INVALID_VALUE;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
