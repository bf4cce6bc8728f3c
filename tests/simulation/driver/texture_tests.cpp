// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/constants.hpp>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

class SimTextureTest : public SimTest {
protected:
    void SetUp() override {
        SimTest::SetUp();
        const CUDA_ARRAY_DESCRIPTOR descriptor = {16, 4, CU_AD_FORMAT_FLOAT, 1};
        array = cuArrayCreate(&descriptor).value;
        memory = allocate(4096);
        array_resource.resType = CU_RESOURCE_TYPE_ARRAY;
        array_resource.res.array.hArray = array;
        linear_resource.resType = CU_RESOURCE_TYPE_LINEAR;
        linear_resource.res.linear = {memory, CU_AD_FORMAT_FLOAT, 1, 4096};
        pitch2d_resource.resType = CU_RESOURCE_TYPE_PITCH2D;
        pitch2d_resource.res.pitch2D = {memory, CU_AD_FORMAT_FLOAT, 1, 16, 8, 64};
    }
    CUresult create(const CUDA_RESOURCE_DESC& resource) const { return cuTexObjectCreate(&resource, &texture, nullptr).status; }

    CUarray array = nullptr;
    CUdeviceptr memory = 0;
    CUDA_RESOURCE_DESC array_resource{};
    CUDA_RESOURCE_DESC linear_resource{};
    CUDA_RESOURCE_DESC pitch2d_resource{};
    CUDA_TEXTURE_DESC texture{};
};

TEST_F(SimTextureTest, ReturnsItsDescriptors) {
    texture.filterMode = CU_TR_FILTER_MODE_LINEAR;
    const CUtexObject object = cuTexObjectCreate(&array_resource, &texture, nullptr).value;
    EXPECT_EQ(cuTexObjectGetResourceDesc(object).value.res.array.hArray, array);
    EXPECT_EQ(cuTexObjectGetTextureDesc(object).value.filterMode, CU_TR_FILTER_MODE_LINEAR);
    EXPECT_EQ(cuTexObjectGetResourceViewDesc(object).value.format, CU_RES_VIEW_FORMAT_NONE);
    EXPECT_EQ(cuTexObjectDestroy(object).status, CUDA_SUCCESS);
    EXPECT_EQ(cuTexObjectGetResourceDesc(object).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuTexObjectDestroy(object).status, CUDA_SUCCESS) << "as the NVIDIA driver does";
    EXPECT_EQ(create(linear_resource), CUDA_SUCCESS);
    EXPECT_EQ(create(pitch2d_resource), CUDA_SUCCESS);
}

TEST_F(SimTextureTest, RejectsInvalidResources) {
    EXPECT_EQ(cuTexObjectCreate(nullptr, &texture, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuTexObjectCreate(&array_resource, nullptr, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    array_resource.flags = 1;
    EXPECT_EQ(create(array_resource), CUDA_ERROR_INVALID_VALUE);
    array_resource.flags = 0;
    array_resource.res.array.hArray = nullptr;
    EXPECT_EQ(create(array_resource), CUDA_ERROR_INVALID_VALUE);
    linear_resource.res.linear.devPtr = memory + 4;
    EXPECT_EQ(create(linear_resource), CUDA_ERROR_INVALID_VALUE) << "not aligned";
    linear_resource.res.linear.devPtr = 0;
    EXPECT_EQ(create(linear_resource), CUDA_ERROR_INVALID_VALUE);
    linear_resource.res.linear = {memory, CU_AD_FORMAT_FLOAT, 3, 4096};
    EXPECT_EQ(create(linear_resource), CUDA_ERROR_INVALID_VALUE);
    pitch2d_resource.res.pitch2D.pitchInBytes = 68;
    EXPECT_EQ(create(pitch2d_resource), CUDA_ERROR_INVALID_VALUE);
    array_resource.resType = static_cast<CUresourcetype>(9);
    EXPECT_EQ(create(array_resource), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimTextureTest, RejectsInvalidDescriptors) {
    texture.addressMode[1] = static_cast<CUaddress_mode>(9);
    EXPECT_EQ(create(array_resource), CUDA_ERROR_INVALID_VALUE);
    texture = {};
    texture.filterMode = static_cast<CUfilter_mode>(9);
    EXPECT_EQ(create(array_resource), CUDA_ERROR_INVALID_VALUE);
    texture = {};
    texture.flags = 0x80;
    EXPECT_EQ(create(array_resource), CUDA_ERROR_INVALID_VALUE);
    texture = {};
    CUDA_RESOURCE_VIEW_DESC view{};
    view.format = CU_RES_VIEW_FORMAT_UINT_4X8;
    const CUtexObject object = cuTexObjectCreate(&array_resource, &texture, &view).value;
    EXPECT_EQ(cuTexObjectGetResourceViewDesc(object).value.format, CU_RES_VIEW_FORMAT_UINT_4X8);
    view.format = CU_RES_VIEW_FORMAT_UINT_1X8;
    EXPECT_EQ(cuTexObjectCreate(&array_resource, &texture, &view).status, CUDA_ERROR_INVALID_VALUE)
        << "the elements have another size";
    view.format = static_cast<CUresourceViewFormat>(1000);
    EXPECT_EQ(cuTexObjectCreate(&array_resource, &texture, &view).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimTextureTest, SupportsSurfacesOfArraysOnly) {
    const CUsurfObject object = cuSurfObjectCreate(&array_resource).value;
    EXPECT_EQ(cuSurfObjectGetResourceDesc(object).value.res.array.hArray, array);
    EXPECT_EQ(cuTexObjectDestroy(object).status, CUDA_SUCCESS);
    EXPECT_EQ(cuSurfObjectGetResourceDesc(object).status, CUDA_SUCCESS) << "cuTexObjectDestroy does not destroy a surface";
    EXPECT_EQ(cuSurfObjectDestroy(object).status, CUDA_SUCCESS);
    EXPECT_EQ(cuSurfObjectGetResourceDesc(object).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuSurfObjectCreate(&linear_resource).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuSurfObjectCreate(nullptr).status, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
