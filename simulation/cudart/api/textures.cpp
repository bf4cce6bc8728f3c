// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "convert/textures.hpp"

#include "convert/formats.hpp"
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

cudaError_t read_format(CUarray array, cudaChannelFormatDesc& format) {
    CUDA_ARRAY3D_DESCRIPTOR description = {};
    if (const CUresult status = cuArray3DGetDescriptor_v2(&description, array)) return status_of(status);
    format = to_channel_description({description.Format, description.NumChannels});
    return cudaSuccess;
}

// Writes the elements of a resource. Returns cudaErrorInvalidResourceHandle for an array that does not exist.
cudaError_t read_format(const cudaResourceDesc& resource, cudaChannelFormatDesc& format) {
    CUarray level = nullptr;
    switch (resource.resType) {
        case cudaResourceTypeArray:
            return read_format(as<CUarray>(resource.res.array.array), format);
        case cudaResourceTypeMipmappedArray: {
            const auto levels = as<CUmipmappedArray>(resource.res.mipmap.mipmap);
            if (const CUresult status = cuMipmappedArrayGetLevel(&level, levels, 0)) return status_of(status);
            return read_format(level, format);
        }
        case cudaResourceTypeLinear:
            format = resource.res.linear.desc;
            return cudaSuccess;
        case cudaResourceTypePitch2D:
            format = resource.res.pitch2D.desc;
            return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

cudaError_t convert(const cudaResourceDesc& resource, CUDA_RESOURCE_DESC& converted, cudaChannelFormatDesc& format) {
    if (const cudaError_t status = bind_context()) return status;
    if (const cudaError_t status = read_format(resource, format)) return status;
    return to_driver(resource, converted) ? cudaSuccess : cudaErrorInvalidChannelDescriptor;
}

// Checks whether a texture can filter its elements, and convert them to numbers of at most 1. Integers of 32 bits are not
// converted, so they cannot be filtered, and numbers of floating point need no conversion.
cudaError_t check_sampling(const cudaTextureDesc& texture, const cudaChannelFormatDesc& format) {
    const bool is_integer = format.f == cudaChannelFormatKindSigned || format.f == cudaChannelFormatKindUnsigned;
    const bool remains_integer = is_integer && (format.x == 32 || texture.readMode == cudaReadModeElementType);
    if (texture.filterMode == cudaFilterModeLinear && remains_integer) return cudaErrorInvalidFilterSetting;
    const bool is_converted = texture.readMode == cudaReadModeNormalizedFloat;
    return is_converted && format.f == cudaChannelFormatKindFloat ? cudaErrorInvalidNormSetting : cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t sim_cudaCreateTextureObject(cudaTextureObject_t* pTexObject, const cudaResourceDesc* pResDesc,
                                        const cudaTextureDesc* pTexDesc, const cudaResourceViewDesc* pResViewDesc) {
    if (pTexObject == nullptr || pResDesc == nullptr) return cudaErrorInvalidValue;
    if (pTexDesc == nullptr) return cudaErrorInvalidResourceHandle;
    CUDA_RESOURCE_DESC resource;
    cudaChannelFormatDesc format = {};
    if (const cudaError_t status = convert(*pResDesc, resource, format)) return status;
    if (const cudaError_t status = check_sampling(*pTexDesc, format)) return status;
    const CUDA_TEXTURE_DESC texture = to_driver(*pTexDesc);
    static_assert(sizeof(CUDA_RESOURCE_VIEW_DESC) == sizeof *pResViewDesc);
    return call_in_context(cuTexObjectCreate, pTexObject, &resource, &texture, pResViewDesc);
}

cudaError_t sim_cudaDestroyTextureObject(cudaTextureObject_t texObject) {
    return texObject == 0 ? bind_context() : call_in_context(cuTexObjectDestroy, texObject);
}

cudaError_t sim_cudaGetTextureObjectResourceDesc(cudaResourceDesc* pResDesc, cudaTextureObject_t texObject) {
    CUDA_RESOURCE_DESC resource = {};
    if (pResDesc == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = call_in_context(cuTexObjectGetResourceDesc, &resource, texObject)) return status;
    *pResDesc = from_driver(resource);
    return cudaSuccess;
}

cudaError_t sim_cudaGetTextureObjectTextureDesc(cudaTextureDesc* pTexDesc, cudaTextureObject_t texObject) {
    CUDA_TEXTURE_DESC texture = {};
    if (pTexDesc == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = call_in_context(cuTexObjectGetTextureDesc, &texture, texObject)) return status;
    *pTexDesc = from_driver(texture);
    return cudaSuccess;
}

cudaError_t sim_cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* pResViewDesc, cudaTextureObject_t texObject) {
    return call_in_context(cuTexObjectGetResourceViewDesc, pResViewDesc, texObject);
}

cudaError_t sim_cudaCreateSurfaceObject(cudaSurfaceObject_t* pSurfObject, const cudaResourceDesc* pResDesc) {
    if (pSurfObject == nullptr || pResDesc == nullptr) return cudaErrorInvalidValue;
    CUDA_RESOURCE_DESC resource;
    cudaChannelFormatDesc format = {};
    if (const cudaError_t status = convert(*pResDesc, resource, format)) return status;
    return call_in_context(cuSurfObjectCreate, pSurfObject, &resource);
}

cudaError_t sim_cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject) {
    return surfObject == 0 ? bind_context() : call_in_context(cuSurfObjectDestroy, surfObject);
}

cudaError_t sim_cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* pResDesc, cudaSurfaceObject_t surfObject) {
    CUDA_RESOURCE_DESC resource = {};
    if (pResDesc == nullptr) return cudaErrorInvalidValue;
    if (const cudaError_t status = call_in_context(cuSurfObjectGetResourceDesc, &resource, surfObject)) return status;
    *pResDesc = from_driver(resource);
    return cudaSuccess;
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim::cudart
