// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>
#include <vector>

#include "machine/submit.hpp"
#include "objects/array/mapped_memory.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// Returns the memory that the program maps to the resource, or null if it is none of the device or has its own memory.
std::shared_ptr<MappedMemory> find_target(const CUarrayMapInfo& info, const Device& device) {
    if (info.resourceType == CU_RESOURCE_TYPE_ARRAY) {
        const auto array = machine().arrays.find(info.resource.array);
        return array != nullptr && &array->context->device == &device ? array->own_mapped() : nullptr;
    }
    if (info.resourceType != CU_RESOURCE_TYPE_MIPMAPPED_ARRAY) return nullptr;
    const auto array = machine().mipmapped_arrays.find(info.resource.mipmap);
    return array != nullptr && &array->context->device == &device ? array->mapped() : nullptr;
}

}  // namespace

extern "C" {

// Performs all operations or, if one of them is wrong, none. For a null handle of memory, the driver ends the process.
CUresult sim_cuMemMapArrayAsync(CUarrayMapInfo* mapInfoList, unsigned int count, CUstream hStream) {
    if (const CUresult status = check_initialized()) return status;
    if (mapInfoList == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
    const Valid<StreamCheck> stream(hStream);
    if (stream.is_captured()) return submit_uncaptured(stream, {});
    const Device& device = stream->context->device;
    std::vector<TileMapping> mappings;
    for (unsigned i = 0; i < count; ++i) {
        const CUarrayMapInfo& info = mapInfoList[i];
        TileMapping mapping{find_target(info, device), {}};
        if (mapping.target == nullptr) return CUDA_ERROR_INVALID_VALUE;
        const auto memory = machine().physical_handles.find(info.memHandle.memHandle);
        if (const CUresult status = mapping.prepare(info, memory, device)) return status;
        mappings.push_back(std::move(mapping));
    }
    return submit_uncaptured(stream, [mappings = std::move(mappings)] {
        for (const TileMapping& each : mappings) each.target->change(each.tiles);
    });
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
