// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "groups.hpp"

namespace answers {

namespace {

void ask_about_linear_textures(const CUDA_TEXTURE_DESC& sampling) {
    CUDA_RESOURCE_DESC linear{};
    linear.resType = CU_RESOURCE_TYPE_LINEAR;
    linear.res.linear.devPtr = cuMemAlloc(4096).value;
    linear.res.linear.format = CU_AD_FORMAT_FLOAT;
    linear.res.linear.numChannels = 1;
    linear.res.linear.sizeInBytes = 4096;
    ASK(cuTexObjectCreate(&linear, &sampling, nullptr));
    ASK(cuSurfObjectCreate(&linear));
    linear.res.linear.devPtr += 4;
    ASK(cuTexObjectCreate(&linear, &sampling, nullptr));
    linear.res.linear.devPtr = bad_address;
    ASK(cuTexObjectCreate(&linear, &sampling, nullptr));
    linear.res.linear.devPtr = 0;
    ASK(cuTexObjectCreate(&linear, &sampling, nullptr));
    CUDA_RESOURCE_DESC pitched{};
    pitched.resType = CU_RESOURCE_TYPE_PITCH2D;
    pitched.res.pitch2D.devPtr = cuMemAlloc(1 << 16).value;
    pitched.res.pitch2D.format = CU_AD_FORMAT_FLOAT;
    pitched.res.pitch2D.numChannels = 1;
    pitched.res.pitch2D.width = 16;
    pitched.res.pitch2D.height = 16;
    pitched.res.pitch2D.pitchInBytes = 512;
    ASK(cuTexObjectCreate(&pitched, &sampling, nullptr));
    pitched.res.pitch2D.pitchInBytes = 100;
    ASK(cuTexObjectCreate(&pitched, &sampling, nullptr));
    pitched.res.pitch2D.pitchInBytes = 32;
    ASK(cuTexObjectCreate(&pitched, &sampling, nullptr));
}

}  // namespace

void ask_about_textures() {
    use_device();
    const CUDA_ARRAY3D_DESCRIPTOR shape{16, 16, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
    const CUarray array = cuArray3DCreate(&shape).value;
    const CUDA_ARRAY3D_DESCRIPTOR plain_shape{16, 16, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array;
    CUDA_TEXTURE_DESC sampling{};
    const CUtexObject texture = ASK(cuTexObjectCreate(&resource, &sampling, nullptr)).value;
    ASK(cuTexObjectGetResourceDesc(texture));
    ASK(cuTexObjectGetTextureDesc(texture));
    ASK(cuTexObjectGetResourceViewDesc(texture));
    ASK(cuTexObjectCreate(nullptr, &sampling, nullptr));
    ASK(cuTexObjectCreate(&resource, nullptr, nullptr));
    resource.flags = 1;
    ASK(cuTexObjectCreate(&resource, &sampling, nullptr));
    resource.flags = 0;
    sampling.addressMode[0] = static_cast<CUaddress_mode>(9);
    ASK(cuTexObjectCreate(&resource, &sampling, nullptr));
    sampling.addressMode[0] = CU_TR_ADDRESS_MODE_CLAMP;
    sampling.filterMode = static_cast<CUfilter_mode>(9);
    ASK(cuTexObjectCreate(&resource, &sampling, nullptr));
    sampling.filterMode = CU_TR_FILTER_MODE_LINEAR;
    ASK(cuTexObjectCreate(&resource, &sampling, nullptr));
    sampling.flags = 0x1000;
    ASK(cuTexObjectCreate(&resource, &sampling, nullptr));
    sampling = {};
    sampling.maxAnisotropy = 99;
    ASK(cuTexObjectCreate(&resource, &sampling, nullptr));
    sampling = {};
    CUDA_RESOURCE_VIEW_DESC view{};
    view.format = CU_RES_VIEW_FORMAT_FLOAT_1X32;
    view.width = view.height = 16;
    const CUtexObject viewed = ASK(cuTexObjectCreate(&resource, &sampling, &view)).value;
    ASK(cuTexObjectGetResourceViewDesc(viewed));
    view.width = 99;
    ASK(cuTexObjectCreate(&resource, &sampling, &view));
    view.width = 16;
    view.format = CU_RES_VIEW_FORMAT_UINT_1X8;
    ASK(cuTexObjectCreate(&resource, &sampling, &view));
    const CUsurfObject surface = ASK(cuSurfObjectCreate(&resource)).value;
    ASK(cuSurfObjectGetResourceDesc(surface));
    resource.res.array.hArray = cuArray3DCreate(&plain_shape).value;
    ASK(cuSurfObjectCreate(&resource));
    ASK(cuSurfObjectCreate(nullptr));
    resource.resType = static_cast<CUresourcetype>(9);
    ASK(cuTexObjectCreate(&resource, &sampling, nullptr));
    ASK(cuTexObjectDestroy(viewed));
    ASK(cuTexObjectDestroy(texture));
    ASK(cuTexObjectDestroy(0));
    ASK(cuSurfObjectDestroy(surface));
    ASK(cuSurfObjectDestroy(0));
    ask_about_linear_textures(sampling);
}

}  // namespace answers
