// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <simulation/functions.hpp>

#include "machine/check.hpp"
#include "objects/device/attributes.hpp"
#include "objects/texture/tensor_map.hpp"

namespace CUBIND_NAMESPACE::sim {

namespace {

TensorMapDevice device_of(const Context& context) {
    const int bytes = device_attribute(context.device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    return {context.device.major, static_cast<std::uint64_t>(bytes)};
}

}  // namespace

extern "C" {

CUresult sim_cuTensorMapEncodeTiled(CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank,
                                    void* globalAddress, const cuuint64_t* globalDim, const cuuint64_t* globalStrides,
                                    const cuuint32_t* boxDim, const cuuint32_t* elementStrides, CUtensorMapInterleave interleave,
                                    CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
                                    CUtensorMapFloatOOBfill oobFill) {
    const Valid<CurrentCheck> context;
    const TensorDescription tensor{tensorDataType, tensorRank, globalAddress, globalDim,   globalStrides,
                                   elementStrides, interleave, swizzle,       l2Promotion, oobFill};
    return encode_tiled(tensorMap, tensor, boxDim, device_of(*context));
}

CUresult sim_cuTensorMapEncodeIm2col(CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank,
                                     void* globalAddress, const cuuint64_t* globalDim, const cuuint64_t* globalStrides,
                                     const int* pixelBoxLowerCorner, const int* pixelBoxUpperCorner, cuuint32_t channelsPerPixel,
                                     cuuint32_t pixelsPerColumn, const cuuint32_t* elementStrides,
                                     CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                     CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill) {
    const Valid<CurrentCheck> context;
    const TensorDescription tensor{tensorDataType, tensorRank, globalAddress, globalDim,   globalStrides,
                                   elementStrides, interleave, swizzle,       l2Promotion, oobFill};
    return encode_im2col(tensorMap, tensor, pixelBoxLowerCorner, pixelBoxUpperCorner, {channelsPerPixel, pixelsPerColumn},
                         device_of(*context));
}

CUresult sim_cuTensorMapEncodeIm2colWide(CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank,
                                         void* globalAddress, const cuuint64_t* globalDim, const cuuint64_t* globalStrides,
                                         int pixelBoxLowerCornerWidth, int pixelBoxUpperCornerWidth, cuuint32_t channelsPerPixel,
                                         cuuint32_t pixelsPerColumn, const cuuint32_t* elementStrides,
                                         CUtensorMapInterleave interleave, CUtensorMapIm2ColWideMode mode,
                                         CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
                                         CUtensorMapFloatOOBfill oobFill) {
    const Valid<CurrentCheck> context;
    const TensorDescription tensor{tensorDataType, tensorRank, globalAddress, globalDim,   globalStrides,
                                   elementStrides, interleave, swizzle,       l2Promotion, oobFill};
    return encode_im2col_wide(tensorMap, tensor, pixelBoxLowerCornerWidth, pixelBoxUpperCornerWidth,
                              {channelsPerPixel, pixelsPerColumn}, mode, device_of(*context));
}

CUresult sim_cuTensorMapReplaceAddress(CUtensorMap* tensorMap, void* globalAddress) {
    const Valid<CurrentCheck> context;
    return replace_address(tensorMap, globalAddress, device_of(*context));
}

}  // extern "C"

}  // namespace CUBIND_NAMESPACE::sim
