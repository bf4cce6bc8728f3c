// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "machine/free_memory.hpp"

namespace CUBIND_NAMESPACE::sim {

extern "C" {

// The requested address is a hint, which is ignored.
CUresult sim_cuMemAddressReserve(CUdeviceptr* ptr, std::size_t size, std::size_t alignment, CUdeviceptr,
                                 unsigned long long flags) {
    if (const CUresult status = check_initialized()) return status;
    const bool is_alignment = alignment == 0 || std::has_single_bit(alignment);
    if (ptr == nullptr || size == 0 || size % physical_granularity != 0 || !is_alignment || flags != 0) {
        return CUDA_ERROR_INVALID_VALUE;
    }
    const CUdeviceptr address = machine().addresses.reserve(size, std::max(alignment, physical_granularity));
    return address != 0 ? write_output(ptr, address) : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult sim_cuMemAddressFree(CUdeviceptr ptr, std::size_t size) {
    if (const CUresult status = check_initialized()) return status;
    return machine().addresses.free(ptr, size);
}

CUresult sim_cuMemMap(CUdeviceptr ptr, std::size_t size, std::size_t offset, CUmemGenericAllocationHandle handle,
                      unsigned long long flags) {
    if (const CUresult status = check_initialized()) return status;
    const auto memory = machine().physical_handles.find(handle);
    if (memory == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    return machine().addresses.map(ptr, size, offset, memory);
}

CUresult sim_cuMemUnmap(CUdeviceptr ptr, std::size_t size) {
    if (const CUresult status = check_initialized()) return status;
    for (const auto& device : machine().devices) wait_for_device(*device);
    return machine().addresses.unmap(ptr, size);
}

CUresult sim_cuMemSetAccess(CUdeviceptr ptr, std::size_t size, const CUmemAccessDesc* desc, std::size_t count) {
    if (const CUresult status = check_initialized()) return status;
    return machine().addresses.set_access(ptr, size, desc, count);
}

CUresult sim_cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location, CUdeviceptr ptr) {
    if (const CUresult status = check_initialized()) return status;
    const auto found = machine().memory.find(ptr);
    if (location == nullptr || found == nullptr || found->mapping == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (is_host_location(*location)) return write_output(flags, static_cast<unsigned long long>(found->mapping->host_access()));
    const Device* const device = location->type == CU_MEM_LOCATION_TYPE_DEVICE ? find_device(location->id) : nullptr;
    if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    return write_output(flags, static_cast<unsigned long long>(found->mapping->access(*device)));
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
