// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "objects/array/array.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// A mipmapped array, found by its handle.
struct MipmapCheck {
    explicit MipmapCheck(CUmipmappedArray handle) : status(check_initialized()) {
        if (status != CUDA_SUCCESS) return;
        array = machine().mipmapped_arrays.find(handle);
        if (array == nullptr) status = CUDA_ERROR_INVALID_HANDLE;
    }
    bool failed() const noexcept { return status != CUDA_SUCCESS; }
    MipmappedArray* operator->() const noexcept { return array.get(); }

    CUresult status;
    std::shared_ptr<MipmappedArray> array;
};

}  // namespace

extern "C" {

// A number of levels beyond the possible maximum is clamped.
CUresult sim_cuMipmappedArrayCreate(CUmipmappedArray* pHandle, const CUDA_ARRAY3D_DESCRIPTOR* pMipmappedArrayDesc,
                                    unsigned int numMipmapLevels) {
    const Valid<CurrentCheck> context;
    if (pHandle == nullptr || pMipmappedArrayDesc == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto owner = machine().contexts.find(context->handle);
    if (owner == nullptr) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    const unsigned count = std::clamp(numMipmapLevels, 1u, std::max(max_levels(*pMipmappedArrayDesc), 1u));
    NewLevels made = make_levels(machine().arrays, owner, *pMipmappedArrayDesc, count);
    if (made.status != CUDA_SUCCESS) return made.status;
    return write_output(pHandle,
                        add_new(machine().mipmapped_arrays, owner, *pMipmappedArrayDesc, std::move(made.levels))->handle);
}

CUresult sim_cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray) {
    const Valid<MipmapCheck> array(hMipmappedArray);
    if (machine().mipmapped_arrays.remove(hMipmappedArray) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    for (const auto& level : array->levels) machine().arrays.remove(level->handle);
    return CUDA_SUCCESS;
}

CUresult sim_cuMipmappedArrayGetLevel(CUarray* pLevelArray, CUmipmappedArray hMipmappedArray, unsigned int level) {
    const Valid<MipmapCheck> array(hMipmappedArray);
    return level < array->levels.size() ? write_output(pLevelArray, array->levels[level]->handle) : CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* memoryRequirements, CUmipmappedArray mipmap,
                                                   CUdevice device) {
    const MipmapCheck array(mipmap);
    if (array.failed())
        return mipmap == nullptr && array.status == CUDA_ERROR_INVALID_HANDLE ? CUDA_ERROR_INVALID_VALUE : array.status;
    if (find_device(device) == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return write_requirements(memoryRequirements, array->mapped().get());
}

CUresult sim_cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES* sparseProperties, CUmipmappedArray mipmap) {
    const Valid<MipmapCheck> array(mipmap);
    return write_sparse_properties(sparseProperties, array->mapped().get());
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
