// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "convert/textures.hpp"

#include <algorithm>

#include "convert/formats.hpp"
#include "state/call.hpp"

namespace CUBIND_NAMESPACE::sim::cudart {

namespace {

unsigned int flags_of(const cudaTextureDesc& texture) noexcept {
    int flags = texture.readMode == cudaReadModeElementType ? CU_TRSF_READ_AS_INTEGER : 0;
    if (texture.normalizedCoords != 0) flags |= CU_TRSF_NORMALIZED_COORDINATES;
    if (texture.sRGB != 0) flags |= CU_TRSF_SRGB;
    if (texture.disableTrilinearOptimization != 0) flags |= CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION;
    if (texture.seamlessCubemap != 0) flags |= CU_TRSF_SEAMLESS_CUBEMAP;
    return static_cast<unsigned int>(flags);
}

}  // namespace

bool to_driver(const cudaResourceDesc& resource, CUDA_RESOURCE_DESC& converted) noexcept {
    converted = {};
    converted.resType = static_cast<CUresourcetype>(resource.resType);
    ArrayFormat format;
    switch (resource.resType) {
        case cudaResourceTypeArray:
            converted.res.array.hArray = as<CUarray>(resource.res.array.array);
            return true;
        case cudaResourceTypeMipmappedArray:
            converted.res.mipmap.hMipmappedArray = as<CUmipmappedArray>(resource.res.mipmap.mipmap);
            return true;
        case cudaResourceTypeLinear:
            if (!to_array_format(resource.res.linear.desc, format)) return false;
            converted.res.linear = {as<CUdeviceptr>(resource.res.linear.devPtr), format.format, format.channels,
                                    resource.res.linear.sizeInBytes};
            return true;
        case cudaResourceTypePitch2D: {
            const auto& pitched = resource.res.pitch2D;
            if (!to_array_format(pitched.desc, format)) return false;
            converted.res.pitch2D = {as<CUdeviceptr>(pitched.devPtr),
                                     format.format,
                                     format.channels,
                                     pitched.width,
                                     pitched.height,
                                     pitched.pitchInBytes};
            return true;
        }
    }
    return false;
}

cudaResourceDesc from_driver(const CUDA_RESOURCE_DESC& resource) noexcept {
    cudaResourceDesc converted = {};
    converted.resType = static_cast<cudaResourceType>(resource.resType);
    converted.flags = resource.flags;
    switch (converted.resType) {
        case cudaResourceTypeArray:
            converted.res.array.array = as<cudaArray_t>(resource.res.array.hArray);
            break;
        case cudaResourceTypeMipmappedArray:
            converted.res.mipmap.mipmap = as<cudaMipmappedArray_t>(resource.res.mipmap.hMipmappedArray);
            break;
        case cudaResourceTypeLinear: {
            const auto& linear = resource.res.linear;
            converted.res.linear = {as<void*>(linear.devPtr), to_channel_description({linear.format, linear.numChannels}),
                                    linear.sizeInBytes};
            break;
        }
        case cudaResourceTypePitch2D: {
            const auto& pitched = resource.res.pitch2D;
            converted.res.pitch2D = {as<void*>(pitched.devPtr), to_channel_description({pitched.format, pitched.numChannels}),
                                     pitched.width, pitched.height, pitched.pitchInBytes};
            break;
        }
    }
    return converted;
}

CUDA_TEXTURE_DESC to_driver(const cudaTextureDesc& texture) noexcept {
    CUDA_TEXTURE_DESC converted = {};
    std::transform(texture.addressMode, texture.addressMode + 3, converted.addressMode,
                   [](cudaTextureAddressMode mode) { return static_cast<CUaddress_mode>(mode); });
    converted.filterMode = static_cast<CUfilter_mode>(texture.filterMode);
    converted.flags = flags_of(texture);
    converted.maxAnisotropy = texture.maxAnisotropy;
    converted.mipmapFilterMode = static_cast<CUfilter_mode>(texture.mipmapFilterMode);
    converted.mipmapLevelBias = texture.mipmapLevelBias;
    converted.minMipmapLevelClamp = texture.minMipmapLevelClamp;
    converted.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
    std::copy(texture.borderColor, texture.borderColor + 4, converted.borderColor);
    return converted;
}

cudaTextureDesc from_driver(const CUDA_TEXTURE_DESC& texture) noexcept {
    const auto has = [&](int flag) { return (texture.flags & static_cast<unsigned int>(flag)) != 0 ? 1 : 0; };
    cudaTextureDesc converted = {};
    std::transform(texture.addressMode, texture.addressMode + 3, converted.addressMode,
                   [](CUaddress_mode mode) { return static_cast<cudaTextureAddressMode>(mode); });
    converted.filterMode = static_cast<cudaTextureFilterMode>(texture.filterMode);
    converted.readMode = has(CU_TRSF_READ_AS_INTEGER) ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    converted.sRGB = has(CU_TRSF_SRGB);
    std::copy(texture.borderColor, texture.borderColor + 4, converted.borderColor);
    converted.normalizedCoords = has(CU_TRSF_NORMALIZED_COORDINATES);
    converted.maxAnisotropy = texture.maxAnisotropy;
    converted.mipmapFilterMode = static_cast<cudaTextureFilterMode>(texture.mipmapFilterMode);
    converted.mipmapLevelBias = texture.mipmapLevelBias;
    converted.minMipmapLevelClamp = texture.minMipmapLevelClamp;
    converted.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
    converted.disableTrilinearOptimization = has(CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION);
    converted.seamlessCubemap = has(CU_TRSF_SEAMLESS_CUBEMAP);
    return converted;
}

}  // namespace CUBIND_NAMESPACE::sim::cudart
