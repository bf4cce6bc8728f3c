// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "cudart_test.hpp"

namespace cubind::testing {
namespace {

const cudaChannelFormatDesc one_float = {32, 0, 0, 0, cudaChannelFormatKindFloat};

cudaArray_t make_array(std::size_t width, std::size_t height, const std::vector<float>& values) {
    const auto [status, array] = cudaMallocArray(&one_float, width, height, 0);
    EXPECT_EQ(status, cudaSuccess);
    const std::size_t row = width * sizeof(float);
    EXPECT_EQ(cudaMemcpy2DToArray(array, 0, 0, values.data(), row, row, height, cudaMemcpyHostToDevice).status, cudaSuccess);
    return array;
}

std::vector<float> contents(cudaArray_t array, std::size_t width, std::size_t height) {
    std::vector<float> values(width * height);
    const std::size_t row = width * sizeof(float);
    EXPECT_EQ(cudaMemcpy2DFromArray(values.data(), row, array, 0, 0, row, height, cudaMemcpyDeviceToHost).status, cudaSuccess);
    return values;
}

TEST(CudartArrayTest, DescribesArrays) {
    const cudaChannelFormatDesc bytes = {8, 8, 8, 8, cudaChannelFormatKindUnsigned};
    const auto [status, array] = cudaMalloc3DArray(&bytes, {8, 8, 6}, cudaArrayCubemap);
    ASSERT_EQ(status, cudaSuccess);
    const auto [info, description, extent, flags] = cudaArrayGetInfo(array);
    EXPECT_EQ(info, cudaSuccess);
    EXPECT_EQ(description.w, 8);
    EXPECT_EQ(description.f, cudaChannelFormatKindUnsigned);
    EXPECT_EQ(extent.depth, 6u);
    EXPECT_EQ(flags, static_cast<unsigned>(cudaArrayCubemap));
    EXPECT_EQ(cudaGetChannelDesc(array).value.x, 8);
    EXPECT_EQ(cudaFreeArray(array).status, cudaSuccess);
    EXPECT_EQ(cudaFreeArray(nullptr).status, cudaSuccess);
    const cudaChannelFormatDesc three = {8, 8, 8, 0, cudaChannelFormatKindUnsigned};
    EXPECT_EQ(cudaMallocArray(&three, 8, 8, 0).status, cudaErrorInvalidChannelDescriptor);
    EXPECT_EQ(cudaMallocArray(nullptr, 8, 8, 0).status, cudaErrorInvalidValue);
    EXPECT_EQ(cudaCreateChannelDesc(1, 2, 3, 4, cudaChannelFormatKindSigned).z, 3);
}

TEST(CudartArrayTest, CopiesElements) {
    const cudaArray_t array = make_array(4, 2, {0, 1, 2, 3, 4, 5, 6, 7});
    cudaMemcpy3DParms copy{};
    std::vector<float> part(2);
    copy.srcArray = array;
    copy.srcPos = {1, 1, 0};
    copy.dstPtr = {part.data(), 8, 8, 1};
    copy.extent = {2, 1, 1};  // in elements of the array
    copy.kind = cudaMemcpyDeviceToHost;
    EXPECT_EQ(cudaMemcpy3D(&copy).status, cudaSuccess);
    EXPECT_EQ(part, (std::vector<float>{5, 6}));
    const cudaArray_t other = make_array(4, 2, std::vector<float>(8));
    EXPECT_EQ(cudaMemcpy2DArrayToArray(other, 4, 0, array, 0, 0, 8, 2, cudaMemcpyDeviceToDevice).status, cudaSuccess);
    EXPECT_EQ(contents(other, 4, 2), (std::vector<float>{0, 0, 1, 0, 0, 4, 5, 0}));
}

TEST(CudartArrayTest, CopiesSequencesThatContinueInTheNextRow) {
    const cudaArray_t array = make_array(3, 3, std::vector<float>(9));
    const std::vector<float> values{1, 2, 3, 4, 5, 6};
    EXPECT_EQ(cudaMemcpyToArray(array, 4, 0, values.data(), 24, cudaMemcpyHostToDevice).status, cudaSuccess);
    EXPECT_EQ(contents(array, 3, 3), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 0, 0}));
    std::vector<float> seen(4);
    EXPECT_EQ(cudaMemcpyFromArray(seen.data(), array, 8, 0, 16, cudaMemcpyDeviceToHost).status, cudaSuccess);
    EXPECT_EQ(seen, (std::vector<float>{2, 3, 4, 5}));
    const cudaArray_t other = make_array(4, 2, std::vector<float>(8));
    EXPECT_EQ(cudaMemcpyArrayToArray(other, 4, 0, array, 4, 0, 20, cudaMemcpyDeviceToDevice).status, cudaSuccess);
    EXPECT_EQ(contents(other, 4, 2), (std::vector<float>{0, 1, 2, 3, 4, 5, 0, 0}));
}

TEST(CudartArrayTest, CreatesMipmaps) {
    const auto [status, mipmap] = cudaMallocMipmappedArray(&one_float, {8, 8, 0}, 3, 0);
    ASSERT_EQ(status, cudaSuccess);
    const auto [info, description, extent, flags] = cudaArrayGetInfo(cudaGetMipmappedArrayLevel(mipmap, 2).value);
    EXPECT_EQ(info, cudaSuccess);
    EXPECT_EQ(extent.width, 2u);
    EXPECT_EQ(cudaGetMipmappedArrayLevel(mipmap, 3).status, cudaErrorInvalidValue);
    EXPECT_EQ(cudaFreeMipmappedArray(mipmap).status, cudaSuccess);
}

TEST(CudartArrayTest, DescribesTexturesAndSurfaces) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = cudaMallocArray(&one_float, 8, 8, cudaArraySurfaceLoadStore).value;
    cudaTextureDesc texture{};
    texture.addressMode[1] = cudaAddressModeMirror;
    texture.filterMode = cudaFilterModeLinear;
    texture.normalizedCoords = 1;
    texture.borderColor[2] = 5;
    const auto [status, object] = cudaCreateTextureObject(&resource, &texture, nullptr);
    ASSERT_EQ(status, cudaSuccess);
    EXPECT_EQ(cudaGetTextureObjectResourceDesc(object).value.res.array.array, resource.res.array.array);
    const cudaTextureDesc seen = cudaGetTextureObjectTextureDesc(object).value;
    EXPECT_EQ(seen.addressMode[1], cudaAddressModeMirror);
    EXPECT_EQ(seen.filterMode, cudaFilterModeLinear);
    EXPECT_EQ(seen.readMode, cudaReadModeElementType);
    EXPECT_EQ(seen.normalizedCoords, 1);
    EXPECT_EQ(seen.borderColor[2], 5);
    EXPECT_EQ(cudaDestroyTextureObject(object).status, cudaSuccess);
    const auto [created, surface] = cudaCreateSurfaceObject(&resource);
    EXPECT_EQ(created, cudaSuccess);
    EXPECT_EQ(cudaGetSurfaceObjectResourceDesc(surface).value.res.array.array, resource.res.array.array);
    EXPECT_EQ(cudaDestroySurfaceObject(surface).status, cudaSuccess);

    cudaResourceDesc linear{};
    linear.resType = cudaResourceTypeLinear;
    linear.res.linear = {allocate(256), one_float, 256};
    const cudaTextureDesc plain{};
    const auto [linear_status, linear_object] = cudaCreateTextureObject(&linear, &plain, nullptr);
    EXPECT_EQ(linear_status, cudaSuccess);
    EXPECT_EQ(cudaGetTextureObjectResourceDesc(linear_object).value.res.linear.desc.x, 32);
    EXPECT_EQ(cudaCreateTextureObject(nullptr, &plain, nullptr).status, cudaErrorInvalidValue);
}

}  // namespace
}  // namespace cubind::testing
