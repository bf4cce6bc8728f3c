// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "runtime/groups.hpp"

namespace answers {

namespace {

void ask_about_linear_textures(const cudaTextureDesc& sampling) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    char* const memory = static_cast<char*>(cudaMalloc(1 << 16).value);
    cudaResourceDesc linear{};
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear.devPtr = memory;
    linear.res.linear.desc = format;
    linear.res.linear.sizeInBytes = 4096;
    const cudaTextureObject_t texture = ASK(cudaCreateTextureObject(&linear, &sampling, nullptr)).value;
    ASK(cudaGetTextureObjectResourceDesc(texture));
    ASK(cudaGetTextureObjectTextureDesc(texture));
    ASK(cudaCreateSurfaceObject(&linear));
    linear.res.linear.devPtr = memory + 4;
    ASK(cudaCreateTextureObject(&linear, &sampling, nullptr));
    linear.res.linear.devPtr = memory;
    linear.res.linear.sizeInBytes = std::size_t{1} << 40;
    ASK(cudaCreateTextureObject(&linear, &sampling, nullptr));
    linear.res.linear.sizeInBytes = 0;
    ASK(cudaCreateTextureObject(&linear, &sampling, nullptr));
    linear.res.linear.sizeInBytes = 4096;
    linear.res.linear.desc.x = 7;
    ASK(cudaCreateTextureObject(&linear, &sampling, nullptr));
    linear.res.linear.desc = format;
    linear.res.linear.devPtr = nullptr;
    ASK(cudaCreateTextureObject(&linear, &sampling, nullptr));
    cudaResourceDesc pitched{};
    pitched.resType = cudaResourceTypePitch2D;
    pitched.res.pitch2D.devPtr = memory;
    pitched.res.pitch2D.desc = format;
    pitched.res.pitch2D.width = 16;
    pitched.res.pitch2D.height = 16;
    pitched.res.pitch2D.pitchInBytes = 512;
    ASK(cudaGetTextureObjectResourceDesc(ASK(cudaCreateTextureObject(&pitched, &sampling, nullptr)).value));
    pitched.res.pitch2D.pitchInBytes = 100;
    ASK(cudaCreateTextureObject(&pitched, &sampling, nullptr));
    pitched.res.pitch2D.pitchInBytes = 32;
    ASK(cudaCreateTextureObject(&pitched, &sampling, nullptr));
    pitched.res.pitch2D.pitchInBytes = 512;
    pitched.res.pitch2D.width = 0;
    ASK(cudaCreateTextureObject(&pitched, &sampling, nullptr));
}

void ask_about_sampling(const cudaResourceDesc& resource) {
    for (int mode = 0; mode <= 4; ++mode) {
        for (const int normalized : {0, 1}) {
            cudaTextureDesc sampling{};
            for (auto& each : sampling.addressMode) each = static_cast<cudaTextureAddressMode>(mode);
            sampling.normalizedCoords = normalized;
            const std::string name = "address mode " + std::to_string(mode) + " normalized " + std::to_string(normalized);
            const auto texture = ask(name.c_str(), [&] { return cudaCreateTextureObject(&resource, &sampling, nullptr); });
            if (texture.ok()) ASK(cudaGetTextureObjectTextureDesc(texture.value));
        }
    }
    cudaTextureDesc sampling{};
    sampling.filterMode = static_cast<cudaTextureFilterMode>(9);
    ASK(cudaCreateTextureObject(&resource, &sampling, nullptr));
    sampling.filterMode = cudaFilterModeLinear;
    ASK(cudaCreateTextureObject(&resource, &sampling, nullptr));
    sampling.readMode = cudaReadModeNormalizedFloat;
    ASK(cudaCreateTextureObject(&resource, &sampling, nullptr));
    sampling.readMode = static_cast<cudaTextureReadMode>(9);
    ASK(cudaCreateTextureObject(&resource, &sampling, nullptr));
    sampling = {};
    sampling.sRGB = 1;
    ASK(cudaCreateTextureObject(&resource, &sampling, nullptr));
    sampling = {};
    sampling.maxAnisotropy = 99;
    ASK(cudaCreateTextureObject(&resource, &sampling, nullptr));
    sampling = {};
    sampling.seamlessCubemap = sampling.disableTrilinearOptimization = 1;
    ASK(cudaGetTextureObjectTextureDesc(ASK(cudaCreateTextureObject(&resource, &sampling, nullptr)).value));
}

}  // namespace

void ask_about_runtime_textures() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    const cudaChannelFormatDesc integers = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
    const cudaChannelFormatDesc bytes = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = cudaMallocArray(&format, 16, 16, cudaArraySurfaceLoadStore).value;
    cudaTextureDesc sampling{};
    const cudaTextureObject_t texture = ASK(cudaCreateTextureObject(&resource, &sampling, nullptr)).value;
    ASK(cudaGetTextureObjectResourceDesc(texture));
    ASK(cudaGetTextureObjectTextureDesc(texture));
    ASK(cudaGetTextureObjectResourceViewDesc(texture));
    ask_about_sampling(resource);
    cudaResourceDesc of_integers = resource;
    of_integers.res.array.array = cudaMallocArray(&integers, 16, 16).value;
    ask_about_sampling(of_integers);
    cudaResourceDesc of_bytes = resource;
    of_bytes.res.array.array = cudaMallocArray(&bytes, 16, 16).value;
    ask_about_sampling(of_bytes);
    resource.flags = 1;
    ASK(cudaCreateTextureObject(&resource, &sampling, nullptr));
    resource.flags = 0;
    cudaResourceViewDesc view{};
    view.format = cudaResViewFormatFloat1;
    view.width = view.height = 16;
    const cudaTextureObject_t viewed = ASK(cudaCreateTextureObject(&resource, &sampling, &view)).value;
    ASK(cudaGetTextureObjectResourceViewDesc(viewed));
    view.width = 99;
    ASK(cudaCreateTextureObject(&resource, &sampling, &view));
    view.width = 16;
    view.format = cudaResViewFormatUnsignedChar1;
    ASK(cudaCreateTextureObject(&resource, &sampling, &view));
    view.format = static_cast<cudaResourceViewFormat>(999);
    ASK(cudaCreateTextureObject(&resource, &sampling, &view));
    const cudaSurfaceObject_t surface = ASK(cudaCreateSurfaceObject(&resource)).value;
    ASK(cudaGetSurfaceObjectResourceDesc(surface));
    ASK(cudaCreateSurfaceObject(&of_integers));
    cudaResourceDesc unknown = resource;
    unknown.resType = static_cast<cudaResourceType>(9);
    ASK(cudaCreateTextureObject(&unknown, &sampling, nullptr));
    ASK(cudaCreateSurfaceObject(&unknown));
    cudaResourceDesc levels{};
    levels.resType = cudaResourceTypeMipmappedArray;
    levels.res.mipmap.mipmap = cudaMallocMipmappedArray(&format, {16, 16, 0}, 3).value;
    sampling.normalizedCoords = 1;
    sampling.maxMipmapLevelClamp = 2;
    ASK(cudaGetTextureObjectResourceDesc(ASK(cudaCreateTextureObject(&levels, &sampling, nullptr)).value));
    ASK(cudaCreateSurfaceObject(&levels));
    sampling.normalizedCoords = 0;
    ASK(cudaCreateTextureObject(&levels, &sampling, nullptr));
    sampling = {};
    ask_about_linear_textures(sampling);
    ASK(cudaDestroyTextureObject(viewed));
    ASK(cudaDestroyTextureObject(texture));
    ASK(cudaDestroyTextureObject(0));
    ASK(cudaDestroySurfaceObject(surface));
    ASK(cudaDestroySurfaceObject(0));
    ASK(cudaGetLastError());
    ASK(cudaCreateTextureObject(nullptr, &sampling, nullptr));
    ASK(cudaCreateTextureObject(&resource, nullptr, nullptr));
    ASK(cudaCreateSurfaceObject(nullptr));
    ASK(cudaGetTextureObjectResourceDesc(0));
    ASK(cudaGetSurfaceObjectResourceDesc(0));
    resource.res.array.array = nullptr;
    ASK(cudaCreateTextureObject(&resource, &sampling, nullptr));
    ASK(cudaCreateSurfaceObject(&resource));
}

}  // namespace answers
