// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "convert/formats.hpp"
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

// Flags have the same values in both libraries, and extents the same meaning.
cudaError_t describe(const cudaChannelFormatDesc* elements, const cudaExtent& extent, unsigned int flags,
                     CUDA_ARRAY3D_DESCRIPTOR& description) {
    ArrayFormat format;
    if (elements == nullptr) return cudaErrorInvalidValue;
    if (!to_array_format(*elements, format)) return cudaErrorInvalidChannelDescriptor;
    description = {extent.width, extent.height, extent.depth, format.format, format.channels, flags};
    return cudaSuccess;
}

cudaError_t create(cudaArray_t* array, const cudaChannelFormatDesc* elements, const cudaExtent& extent, unsigned int flags) {
    CUDA_ARRAY3D_DESCRIPTOR description;
    if (array == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = describe(elements, extent, flags, description)) return status;
    return call_in_context(cuArray3DCreate_v2, array, &description);
}

}  // namespace

extern "C" {

cudaChannelFormatDesc sim_cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
    return {x, y, z, w, f};
}

cudaError_t sim_cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, std::size_t width, std::size_t height,
                                unsigned int flags) {
    return create(array, desc, {width, height, 0}, flags);
}

cudaError_t sim_cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent, unsigned int flags) {
    return create(array, desc, extent, flags);
}

cudaError_t sim_cudaMallocMipmappedArray(cudaMipmappedArray_t* mipmappedArray, const cudaChannelFormatDesc* desc,
                                         cudaExtent extent, unsigned int numLevels, unsigned int flags) {
    CUDA_ARRAY3D_DESCRIPTOR description;
    if (mipmappedArray == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = describe(desc, extent, flags, description)) return status;
    return call_in_context(cuMipmappedArrayCreate, mipmappedArray, &description, numLevels);
}

cudaError_t sim_cudaFreeArray(cudaArray_t array) {
    return array == nullptr ? bind_context() : call_in_context(cuArrayDestroy, array);
}

cudaError_t sim_cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray) {
    return mipmappedArray == nullptr ? bind_context() : call_in_context(cuMipmappedArrayDestroy, mipmappedArray);
}

cudaError_t sim_cudaGetMipmappedArrayLevel(cudaArray_t* levelArray, cudaMipmappedArray_const_t mipmappedArray,
                                           unsigned int level) {
    return call_in_context(cuMipmappedArrayGetLevel, levelArray, mipmappedArray, level);
}

cudaError_t sim_cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned int* flags, cudaArray_t array) {
    CUDA_ARRAY3D_DESCRIPTOR description = {};
    if (const cudaError_t status = call_in_context(cuArray3DGetDescriptor_v2, &description, array)) return status;
    if (desc != nullptr) *desc = to_channel_description({description.Format, description.NumChannels});
    if (extent != nullptr) *extent = {description.Width, description.Height, description.Depth};
    if (flags != nullptr) *flags = description.Flags;
    return cudaSuccess;
}

cudaError_t sim_cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
    if (desc == nullptr) return cudaErrorInvalidValue;
    return sim_cudaArrayGetInfo(desc, nullptr, nullptr, as<cudaArray_t>(array));
}

cudaError_t sim_cudaArrayGetPlane(cudaArray_t* pPlaneArray, cudaArray_t hArray, unsigned int planeIdx) {
    return call_in_context(cuArrayGetPlane, pPlaneArray, hArray, planeIdx);
}

cudaError_t sim_cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements* memoryRequirements, cudaArray_t array, int device) {
    return call_in_context(cuArrayGetMemoryRequirements, memoryRequirements, array, device);
}

cudaError_t sim_cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements* memoryRequirements,
                                                        cudaMipmappedArray_t mipmap, int device) {
    return call_in_context(cuMipmappedArrayGetMemoryRequirements, memoryRequirements, mipmap, device);
}

cudaError_t sim_cudaArrayGetSparseProperties(cudaArraySparseProperties* sparseProperties, cudaArray_t array) {
    return call_in_context(cuArrayGetSparseProperties, sparseProperties, array);
}

cudaError_t sim_cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties* sparseProperties, cudaMipmappedArray_t mipmap) {
    return call_in_context(cuMipmappedArrayGetSparseProperties, sparseProperties, mipmap);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
