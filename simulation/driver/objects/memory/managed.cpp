// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "objects/memory/managed.hpp"

namespace CUBIND_NAMESPACE::sim {

using namespace driver;

std::shared_ptr<Allocation> find_managed(const MemoryMap& memory, CUdeviceptr address, std::size_t bytes) {
    auto found = memory.find(address);
    const bool is_managed = found != nullptr && found->kind == MemoryKind::managed && bytes != 0;
    return is_managed && found->contains(address, bytes) ? found : nullptr;
}

CUresult convert_location(const CUmemLocation& location, const Devices& devices, Advice::Location& result) {
    switch (location.type) {
        case CU_MEM_LOCATION_TYPE_DEVICE:
            result = {location.type, location.id};
            return find_device(devices, location.id) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
        case CU_MEM_LOCATION_TYPE_HOST:
        case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
            result = {CU_MEM_LOCATION_TYPE_HOST, Advice::host};
            return CUDA_SUCCESS;
        case CU_MEM_LOCATION_TYPE_HOST_NUMA:
            result = {CU_MEM_LOCATION_TYPE_HOST_NUMA, 0};
            return location.id == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
        default:
            return CUDA_ERROR_INVALID_VALUE;
    }
}

CUmemLocation location_of(CUdevice device) noexcept {
    CUmemLocation location{};
    location.type = device == Advice::host ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
    location.id = device == Advice::host ? 0 : device;
    return location;
}

}  // namespace CUBIND_NAMESPACE::sim
