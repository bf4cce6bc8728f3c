// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "sim_test.hpp"

#include <cubind/driver/constants.hpp>

namespace cubind::testing {
namespace {

class SimTexture : public SimTest {
protected:
    void SetUp() override {
        SimTest::SetUp();
        const CUDA_ARRAY_DESCRIPTOR descriptor = {16, 4, CU_AD_FORMAT_FLOAT, 1};
        array = cuArrayCreate(&descriptor).value;
        memory = allocate(4096);
        of_array.resType = CU_RESOURCE_TYPE_ARRAY;
        of_array.res.array.hArray = array;
        of_line.resType = CU_RESOURCE_TYPE_LINEAR;
        of_line.res.linear = {memory, CU_AD_FORMAT_FLOAT, 1, 4096};
        of_plane.resType = CU_RESOURCE_TYPE_PITCH2D;
        of_plane.res.pitch2D = {memory, CU_AD_FORMAT_FLOAT, 1, 16, 8, 64};
    }
    CUresult create(const CUDA_RESOURCE_DESC& resource) const { return cuTexObjectCreate(&resource, &how, nullptr).status; }

    CUarray array = nullptr;
    CUdeviceptr memory = 0;
    CUDA_RESOURCE_DESC of_array{};
    CUDA_RESOURCE_DESC of_line{};
    CUDA_RESOURCE_DESC of_plane{};
    CUDA_TEXTURE_DESC how{};
};

TEST_F(SimTexture, IsDescribed) {
    how.filterMode = CU_TR_FILTER_MODE_LINEAR;
    const CUtexObject object = cuTexObjectCreate(&of_array, &how, nullptr).value;
    EXPECT_EQ(cuTexObjectGetResourceDesc(object).value.res.array.hArray, array);
    EXPECT_EQ(cuTexObjectGetTextureDesc(object).value.filterMode, CU_TR_FILTER_MODE_LINEAR);
    EXPECT_EQ(cuTexObjectGetResourceViewDesc(object).value.format, CU_RES_VIEW_FORMAT_NONE);
    EXPECT_EQ(cuTexObjectDestroy(object).status, CUDA_SUCCESS);
    EXPECT_EQ(cuTexObjectGetResourceDesc(object).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuTexObjectDestroy(object).status, CUDA_SUCCESS) << "as the driver has it";
    EXPECT_EQ(create(of_line), CUDA_SUCCESS);
    EXPECT_EQ(create(of_plane), CUDA_SUCCESS);
}

TEST_F(SimTexture, WrongResourcesAreRefused) {
    EXPECT_EQ(cuTexObjectCreate(nullptr, &how, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuTexObjectCreate(&of_array, nullptr, nullptr).status, CUDA_ERROR_INVALID_VALUE);
    of_array.flags = 1;
    EXPECT_EQ(create(of_array), CUDA_ERROR_INVALID_VALUE);
    of_array.flags = 0;
    of_array.res.array.hArray = nullptr;
    EXPECT_EQ(create(of_array), CUDA_ERROR_INVALID_VALUE);
    of_line.res.linear.devPtr = memory + 4;
    EXPECT_EQ(create(of_line), CUDA_ERROR_INVALID_VALUE) << "not aligned";
    of_line.res.linear.devPtr = 0;
    EXPECT_EQ(create(of_line), CUDA_ERROR_INVALID_VALUE);
    of_line.res.linear = {memory, CU_AD_FORMAT_FLOAT, 3, 4096};
    EXPECT_EQ(create(of_line), CUDA_ERROR_INVALID_VALUE);
    of_plane.res.pitch2D.pitchInBytes = 68;
    EXPECT_EQ(create(of_plane), CUDA_ERROR_INVALID_VALUE);
    of_array.resType = static_cast<CUresourcetype>(9);
    EXPECT_EQ(create(of_array), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimTexture, WrongDescriptorsAreRefused) {
    how.addressMode[1] = static_cast<CUaddress_mode>(9);
    EXPECT_EQ(create(of_array), CUDA_ERROR_INVALID_VALUE);
    how = {};
    how.filterMode = static_cast<CUfilter_mode>(9);
    EXPECT_EQ(create(of_array), CUDA_ERROR_INVALID_VALUE);
    how = {};
    how.flags = 0x80;
    EXPECT_EQ(create(of_array), CUDA_ERROR_INVALID_VALUE);
    how = {};
    CUDA_RESOURCE_VIEW_DESC view{};
    view.format = CU_RES_VIEW_FORMAT_UINT_4X8;
    const CUtexObject object = cuTexObjectCreate(&of_array, &how, &view).value;
    EXPECT_EQ(cuTexObjectGetResourceViewDesc(object).value.format, CU_RES_VIEW_FORMAT_UINT_4X8);
    view.format = CU_RES_VIEW_FORMAT_UINT_1X8;
    EXPECT_EQ(cuTexObjectCreate(&of_array, &how, &view).status, CUDA_ERROR_INVALID_VALUE) << "of another size";
    view.format = static_cast<CUresourceViewFormat>(1000);
    EXPECT_EQ(cuTexObjectCreate(&of_array, &how, &view).status, CUDA_ERROR_INVALID_VALUE);
}

TEST_F(SimTexture, SurfacesAreOfArrays) {
    const CUsurfObject object = cuSurfObjectCreate(&of_array).value;
    EXPECT_EQ(cuSurfObjectGetResourceDesc(object).value.res.array.hArray, array);
    EXPECT_EQ(cuTexObjectDestroy(object).status, CUDA_SUCCESS);
    EXPECT_EQ(cuSurfObjectGetResourceDesc(object).status, CUDA_SUCCESS) << "it is no texture";
    EXPECT_EQ(cuSurfObjectDestroy(object).status, CUDA_SUCCESS);
    EXPECT_EQ(cuSurfObjectGetResourceDesc(object).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuSurfObjectCreate(&of_line).status, CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(cuSurfObjectCreate(nullptr).status, CUDA_ERROR_INVALID_VALUE);
}

}  // namespace
}  // namespace cubind::testing
