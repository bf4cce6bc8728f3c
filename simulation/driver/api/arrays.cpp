// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "objects/array/array.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

/// An array, found by its handle.
struct ArrayCheck {
    explicit ArrayCheck(CUarray handle) : status(check_initialized()) {
        if (status != CUDA_SUCCESS) return;
        array = machine().arrays.find(handle);
        if (array == nullptr) status = CUDA_ERROR_INVALID_HANDLE;
    }
    bool failed() const noexcept { return status != CUDA_SUCCESS; }
    Array* operator->() const noexcept { return array.get(); }

    CUresult status;
    std::shared_ptr<Array> array;
};

}  // namespace

extern "C" {

CUresult sim_cuArray3DCreate_v2(CUarray* pHandle, const CUDA_ARRAY3D_DESCRIPTOR* pAllocateArray) {
    const Valid<CurrentCheck> context;
    if (pHandle == nullptr || pAllocateArray == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const NewArray result = make_array(machine().arrays, machine().contexts.find(context->handle), *pAllocateArray);
    return result.status != CUDA_SUCCESS ? result.status : write_output(pHandle, result.array->handle);
}

CUresult sim_cuArrayCreate_v2(CUarray* pHandle, const CUDA_ARRAY_DESCRIPTOR* pAllocateArray) {
    const Valid<CurrentCheck> context;
    if (pAllocateArray == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    descriptor.Width = pAllocateArray->Width;
    descriptor.Height = pAllocateArray->Height;
    descriptor.Format = pAllocateArray->Format;
    descriptor.NumChannels = pAllocateArray->NumChannels;
    return sim_cuArray3DCreate_v2(pHandle, &descriptor);
}

// Succeeds without an effect for a level of a mipmapped array: only cuMipmappedArrayDestroy destroys levels.
CUresult sim_cuArrayDestroy(CUarray hArray) {
    const ArrayCheck array(hArray);
    if (array.failed() || array->is_level) return array.status;
    return machine().arrays.remove(hArray) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult sim_cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR* pArrayDescriptor, CUarray hArray) {
    const Valid<ArrayCheck> array(hArray);
    return write_output(pArrayDescriptor, array->descriptor);
}

CUresult sim_cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR* pArrayDescriptor, CUarray hArray) {
    const Valid<ArrayCheck> array(hArray);
    const CUDA_ARRAY3D_DESCRIPTOR& all = array->descriptor;
    return write_output(pArrayDescriptor, CUDA_ARRAY_DESCRIPTOR{all.Width, all.Height, all.Format, all.NumChannels});
}

// No simulated format stores its channels in planes.
CUresult sim_cuArrayGetPlane(CUarray*, CUarray hArray, unsigned int) {
    const Valid<ArrayCheck> array(hArray);
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult sim_cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* memoryRequirements, CUarray array, CUdevice device) {
    const ArrayCheck check(array);
    if (check.failed())
        return array == nullptr && check.status == CUDA_ERROR_INVALID_HANDLE ? CUDA_ERROR_INVALID_VALUE : check.status;
    if (find_device(device) == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return write_requirements(memoryRequirements, check->own_mapped().get());
}

CUresult sim_cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES* sparseProperties, CUarray array) {
    const Valid<ArrayCheck> check(array);
    return write_sparse_properties(sparseProperties, check->own_mapped().get());
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
