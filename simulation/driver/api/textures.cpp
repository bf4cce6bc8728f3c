// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/constants.hpp>

#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "objects/texture/descriptors.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

// A context must be current, but any context may be.
template <class Objects, class Handle>
auto find_object(const Objects& objects, Handle handle, CUresult& status) {
    status = CurrentCheck().status;
    auto found = status == CUDA_SUCCESS ? objects.find(handle) : nullptr;
    if (status == CUDA_SUCCESS && found == nullptr) status = CUDA_ERROR_INVALID_VALUE;
    return found;
}

ResourceObjects resource_objects() {
    return {machine().memory, machine().arrays, machine().mipmapped_arrays};
}

// Checks for an array of another device whose memory the context cannot access.
bool is_out_of_reach(const CUDA_RESOURCE_DESC& resource, Context& context) {
    std::shared_ptr<Context> owner;
    if (resource.resType == CU_RESOURCE_TYPE_ARRAY) {
        if (const auto array = machine().arrays.find(resource.res.array.hArray)) owner = array->context;
    } else if (resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY) {
        if (const auto array = machine().mipmapped_arrays.find(resource.res.mipmap.hMipmappedArray)) owner = array->context;
    }
    const Device& device = context.device;
    if (owner == nullptr || &owner->device == &device || device.allows_peer_memory) return false;
    const std::lock_guard lock(context.settings_mutex);
    return !context.peers.contains(owner->id);
}

}  // namespace

extern "C" {

CUresult sim_cuTexObjectCreate(CUtexObject* pTexObject, const CUDA_RESOURCE_DESC* pResDesc, const CUDA_TEXTURE_DESC* pTexDesc,
                               const CUDA_RESOURCE_VIEW_DESC* pResViewDesc) {
    const Valid<CurrentCheck> context;
    if (pTexObject == nullptr || pResDesc == nullptr || pTexDesc == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const auto bytes = element_bytes(*pResDesc, resource_objects());
    const CUDA_RESOURCE_VIEW_DESC view = pResViewDesc != nullptr ? *pResViewDesc : CUDA_RESOURCE_VIEW_DESC{};
    if (!bytes || !is_valid(*pTexDesc) || !is_valid(view, *pResDesc, *bytes, resource_objects())) return CUDA_ERROR_INVALID_VALUE;
    const bool is_seamless = (pTexDesc->flags & unsigned{CU_TRSF_SEAMLESS_CUBEMAP}) != 0;
    if (is_seamless && !is_cubemap(*pResDesc, resource_objects())) return CUDA_ERROR_INVALID_VALUE;
    if (is_out_of_reach(*pResDesc, *context)) return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
    const auto owner = machine().contexts.find(context->handle);
    if (owner == nullptr) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return write_output(pTexObject, add_new(machine().textures, owner, *pResDesc, *pTexDesc, view)->handle);
}

// As in the driver, destroying an unknown object is no error.
CUresult sim_cuTexObjectDestroy(CUtexObject texObject) {
    const CurrentCheck context;
    if (!context.failed()) machine().textures.remove(texObject);
    return context.status;
}

CUresult sim_cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* pResDesc, CUtexObject texObject) {
    CUresult status{};
    const auto object = find_object(machine().textures, texObject, status);
    return object == nullptr ? status : write_output(pResDesc, object->resource);
}

CUresult sim_cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* pTexDesc, CUtexObject texObject) {
    CUresult status{};
    const auto object = find_object(machine().textures, texObject, status);
    return object == nullptr ? status : write_output(pTexDesc, object->texture);
}

CUresult sim_cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* pResViewDesc, CUtexObject texObject) {
    CUresult status{};
    const auto object = find_object(machine().textures, texObject, status);
    return object == nullptr ? status : write_output(pResViewDesc, object->view);
}

CUresult sim_cuSurfObjectCreate(CUsurfObject* pSurfObject, const CUDA_RESOURCE_DESC* pResDesc) {
    const Valid<CurrentCheck> context;
    const bool is_array = pResDesc != nullptr && pResDesc->resType == CU_RESOURCE_TYPE_ARRAY;
    if (pSurfObject == nullptr || !is_array || !element_bytes(*pResDesc, resource_objects())) return CUDA_ERROR_INVALID_VALUE;
    const auto owner = machine().contexts.find(context->handle);
    if (owner == nullptr) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
    return write_output(pSurfObject, add_new(machine().surfaces, owner, *pResDesc)->handle);
}

CUresult sim_cuSurfObjectDestroy(CUsurfObject surfObject) {
    const CurrentCheck context;
    if (!context.failed()) machine().surfaces.remove(surfObject);
    return context.status;
}

CUresult sim_cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* pResDesc, CUsurfObject surfObject) {
    CUresult status{};
    const auto object = find_object(machine().surfaces, surfObject, status);
    return object == nullptr ? status : write_output(pResDesc, object->resource);
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
