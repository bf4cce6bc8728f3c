// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "runtime/text.hpp"

#include <cubind/runtime/strings.hpp>

#include <initializer_list>

namespace answers {

namespace {

// The names and values, for example "width 4 height 2".
struct Field {
    const char* name;
    std::string value;
};

std::string text_of_fields(std::initializer_list<Field> fields) {
    std::string text;
    for (const Field& each : fields) {
        if (!text.empty()) text += ' ';
        text += std::string(each.name) + ' ' + each.value;
    }
    return text;
}

std::string text_of_dimensions(const dim3& size) {
    return std::to_string(size.x) + 'x' + std::to_string(size.y) + 'x' + std::to_string(size.z);
}

std::string text_of_position(const cudaPos& position) {
    return std::to_string(position.x) + ',' + std::to_string(position.y) + ',' + std::to_string(position.z);
}

}  // namespace

template <>
std::string text_of(cudaError_t status) {
    const std::string name = to_string(status);
    return name.find("unrecognized") == 0 ? std::to_string(static_cast<int>(status)) : name;
}

template <>
std::string text_of(cudaChannelFormatDesc format) {
    return text_of_fields({{"bits", std::to_string(format.x) + ',' + std::to_string(format.y) + ',' + std::to_string(format.z) +
                                        ',' + std::to_string(format.w)},
                           {"kind", text_of(format.f)}});
}

template <>
std::string text_of(cudaExtent extent) {
    return std::to_string(extent.width) + 'x' + std::to_string(extent.height) + 'x' + std::to_string(extent.depth);
}

template <>
std::string text_of(cudaPitchedPtr memory) {
    return text_of_fields({{"memory", text_of(memory.ptr)},
                           {"pitch", std::to_string(memory.pitch)},
                           {"width", std::to_string(memory.xsize)},
                           {"height", std::to_string(memory.ysize)}});
}

template <>
std::string text_of(cudaPointerAttributes pointer) {
    return text_of_fields({{"type", text_of(pointer.type)},
                           {"device", text_of(pointer.device)},
                           {"device pointer", text_of(pointer.devicePointer)},
                           {"host pointer", text_of(pointer.hostPointer)}});
}

// Without the registers and the local memory, which depend on the compiler.
template <>
std::string text_of(cudaFuncAttributes function) {
    return text_of_fields({{"shared", std::to_string(function.sharedSizeBytes)},
                           {"threads", text_of(function.maxThreadsPerBlock)},
                           {"PTX", text_of(function.ptxVersion)},
                           {"binary", text_of(function.binaryVersion)},
                           {"cache", text_of(function.cacheModeCA)},
                           {"dynamic", text_of(function.maxDynamicSharedSizeBytes)},
                           {"carveout", text_of(function.preferredShmemCarveout)},
                           {"cluster must be set", text_of(function.clusterDimMustBeSet)},
                           {"cluster", text_of_dimensions({static_cast<unsigned>(function.requiredClusterWidth),
                                                           static_cast<unsigned>(function.requiredClusterHeight),
                                                           static_cast<unsigned>(function.requiredClusterDepth)})},
                           {"policy", text_of(function.clusterSchedulingPolicyPreference)},
                           {"not portable", text_of(function.nonPortableClusterSizeAllowed)}});
}

template <>
std::string text_of(cudaGraphExecUpdateResultInfo update) {
    return text_of_fields(
        {{"result", text_of(update.result)}, {"node", text_of(update.errorNode)}, {"from", text_of(update.errorFromNode)}});
}

template <>
std::string text_of(cudaGraphInstantiateParams parameters) {
    return text_of_fields({{"result", text_of(parameters.result_out)}, {"node", text_of(parameters.errNode_out)}});
}

template <>
std::string text_of(cudaMemcpy3DParms copy) {
    return text_of_fields({{"from array", text_of(copy.srcArray)},
                           {"from", text_of(copy.srcPtr)},
                           {"at", text_of_position(copy.srcPos)},
                           {"to array", text_of(copy.dstArray)},
                           {"to", text_of(copy.dstPtr)},
                           {"at", text_of_position(copy.dstPos)},
                           {"extent", text_of(copy.extent)},
                           {"kind", text_of(copy.kind)}});
}

template <>
std::string text_of(cudaMemsetParams fill) {
    return text_of_fields({{"memory", text_of(fill.dst)},
                           {"pitch", std::to_string(fill.pitch)},
                           {"value", std::to_string(fill.value)},
                           {"element", std::to_string(fill.elementSize)},
                           {"width", std::to_string(fill.width)},
                           {"height", std::to_string(fill.height)}});
}

template <>
std::string text_of(cudaKernelNodeParams kernel) {
    return text_of_fields({{"kernel", text_of(kernel.func)},
                           {"grid", text_of_dimensions(kernel.gridDim)},
                           {"block", text_of_dimensions(kernel.blockDim)},
                           {"shared", std::to_string(kernel.sharedMemBytes)}});
}

template <>
std::string text_of(cudaMemAllocNodeParams memory) {
    return text_of_fields({{"memory", text_of(memory.dptr)},
                           {"bytes", std::to_string(memory.bytesize)},
                           {"type", text_of(memory.poolProps.allocType)},
                           {"location", text_of(memory.poolProps.location.type)}});
}

template <>
std::string text_of(cudaResourceDesc resource) {
    std::string text = "type " + text_of(resource.resType);
    switch (resource.resType) {
        case cudaResourceTypeArray:
            return text + " array " + text_of(resource.res.array.array);
        case cudaResourceTypeMipmappedArray:
            return text + " levels " + text_of(resource.res.mipmap.mipmap);
        case cudaResourceTypeLinear:
            return text + ' ' + text_of(resource.res.linear.desc) + " bytes " + std::to_string(resource.res.linear.sizeInBytes);
        case cudaResourceTypePitch2D:
            return text + ' ' + text_of(resource.res.pitch2D.desc) + " width " + std::to_string(resource.res.pitch2D.width) +
                   " height " + std::to_string(resource.res.pitch2D.height) + " pitch " +
                   std::to_string(resource.res.pitch2D.pitchInBytes);
    }
    return text;
}

template <>
std::string text_of(cudaTextureDesc sampling) {
    return text_of_fields(
        {{"address",
          text_of(sampling.addressMode[0]) + ',' + text_of(sampling.addressMode[1]) + ',' + text_of(sampling.addressMode[2])},
         {"filter", text_of(sampling.filterMode)},
         {"read", text_of(sampling.readMode)},
         {"sRGB", text_of(sampling.sRGB)},
         {"normalized", text_of(sampling.normalizedCoords)},
         {"anisotropy", text_of(sampling.maxAnisotropy)},
         {"level filter", text_of(sampling.mipmapFilterMode)},
         {"level clamp", std::to_string(sampling.minMipmapLevelClamp) + ',' + std::to_string(sampling.maxMipmapLevelClamp)},
         {"trilinear off", text_of(sampling.disableTrilinearOptimization)},
         {"seamless", text_of(sampling.seamlessCubemap)}});
}

template <>
std::string text_of(cudaResourceViewDesc view) {
    return text_of_fields({{"format", text_of(view.format)},
                           {"extent", text_of(cudaExtent{view.width, view.height, view.depth})},
                           {"levels", std::to_string(view.firstMipmapLevel) + ',' + std::to_string(view.lastMipmapLevel)},
                           {"layers", std::to_string(view.firstLayer) + ',' + std::to_string(view.lastLayer)}});
}

}  // namespace answers
