// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "convert/textures.hpp"

#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

extern "C" {

cudaError_t sim_cudaCreateTextureObject(cudaTextureObject_t* pTexObject, const cudaResourceDesc* pResDesc,
                                        const cudaTextureDesc* pTexDesc, const cudaResourceViewDesc* pResViewDesc) {
    if (pTexObject == nullptr || pResDesc == nullptr || pTexDesc == nullptr) return cudaErrorInvalidValue;
    CUDA_RESOURCE_DESC resource;
    if (!to_driver(*pResDesc, resource)) return cudaErrorInvalidChannelDescriptor;
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
    if (!to_driver(*pResDesc, resource)) return cudaErrorInvalidChannelDescriptor;
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
