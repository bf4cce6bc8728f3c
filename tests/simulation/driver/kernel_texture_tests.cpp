// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/driver/constants.hpp>

#include <cstddef>
#include <numeric>

#include "sim_test.hpp"

namespace cubind::testing {
namespace {

// `read` copies the texel of each thread, and `write` stores the number of each thread plus 100.
constexpr const char* text = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry read(.param .u64 object, .param .u64 out) {
    .reg .b32 %x, %y, %i, %n;
    .reg .f32 %u, %v, %d<4>;
    .reg .b64 %t, %o, %w;
    ld.param.u64 %t, [object];
    ld.param.u64 %o, [out];
    mov.u32 %x, %tid.x;
    mov.u32 %y, %tid.y;
    mov.u32 %n, %ntid.x;
    mad.lo.u32 %i, %y, %n, %x;
    mul.wide.u32 %w, %i, 4;
    add.s64 %o, %o, %w;
    cvt.rn.f32.u32 %u, %x;
    cvt.rn.f32.u32 %v, %y;
    tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%u, %v}];
    st.global.f32 [%o], %d0;
    ret;
}
.visible .entry write(.param .u64 object) {
    .reg .b32 %x, %y, %i, %n;
    .reg .f32 %d;
    .reg .b64 %t;
    ld.param.u64 %t, [object];
    mov.u32 %x, %tid.x;
    mov.u32 %y, %tid.y;
    mov.u32 %n, %ntid.x;
    mad.lo.u32 %i, %y, %n, %x;
    add.u32 %i, %i, 100;
    cvt.rn.f32.u32 %d, %i;
    shl.b32 %x, %x, 2;
    sust.b.2d.b32.trap [%t, {%x, %y}], {%d};
    ret;
}
)";

class KernelTextureTest : public SimTest {
protected:
    static constexpr unsigned width = 8;
    static constexpr unsigned height = 4;

    void SetUp() override {
        SimTest::SetUp();
        auto [status, loaded] = cuModuleLoadData(text);
        ASSERT_EQ(status, CUDA_SUCCESS);
        module = loaded;
        out = allocate(4 * width * height);
    }
    CUresult launch(const char* kernel, unsigned long long object) {
        void* parameters[] = {&object, &out};
        const CUfunction function = cuModuleGetFunction(module, kernel).value;
        const CUresult status = cuLaunchKernel(function, 1, 1, 1, width, height, 1, 0, nullptr, parameters, nullptr).status;
        return status != CUDA_SUCCESS ? status : cuCtxSynchronize().status;
    }
    std::vector<float> results() const {
        std::vector<float> values(width * height);
        EXPECT_EQ(cuMemcpyDtoH_v2(values.data(), out, 4 * width * height).status, CUDA_SUCCESS);
        return values;
    }
    static std::vector<float> numbers(float first) {
        std::vector<float> values(width * height);
        std::iota(values.begin(), values.end(), first);
        return values;
    }

    CUmodule module = nullptr;
    CUdeviceptr out = 0;
};

TEST_F(KernelTextureTest, ReadsPitchedMemory) {
    const CUdeviceptr memory = allocate(4 * width * height);
    const auto values = numbers(0);
    ASSERT_EQ(cuMemcpyHtoD_v2(memory, values.data(), 4 * width * height).status, CUDA_SUCCESS);
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D = {memory, CU_AD_FORMAT_FLOAT, 1, width, height, 4 * width};
    const CUDA_TEXTURE_DESC sampler{};
    const CUtexObject object = cuTexObjectCreate(&resource, &sampler, nullptr).value;
    EXPECT_EQ(launch("read", object), CUDA_SUCCESS);
    EXPECT_EQ(results(), values);
}

TEST_F(KernelTextureTest, FailsForPitchedMemoryOfMoreBytesThanAddresses) {
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D = {allocate(4 * width * height), CU_AD_FORMAT_FLOAT, 1, width, 3, std::size_t{1} << 63};
    const CUDA_TEXTURE_DESC sampler{};
    const auto [status, object] = cuTexObjectCreate(&resource, &sampler, nullptr);
    if (status == CUDA_SUCCESS) {
        EXPECT_NE(launch("read", object), CUDA_SUCCESS);
    }
}

TEST_F(KernelTextureTest, ReadsWhatASurfaceHasStored) {
    CUDA_ARRAY3D_DESCRIPTOR descriptor{};
    descriptor.Width = width;
    descriptor.Height = height;
    descriptor.Format = CU_AD_FORMAT_FLOAT;
    descriptor.NumChannels = 1;
    descriptor.Flags = CUDA_ARRAY3D_SURFACE_LDST;
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = cuArray3DCreate(&descriptor).value;
    const CUsurfObject surface = cuSurfObjectCreate(&resource).value;
    ASSERT_EQ(launch("write", surface), CUDA_SUCCESS);
    const CUDA_TEXTURE_DESC sampler{};
    const CUtexObject object = cuTexObjectCreate(&resource, &sampler, nullptr).value;
    EXPECT_EQ(launch("read", object), CUDA_SUCCESS);
    EXPECT_EQ(results(), numbers(100));
}

TEST_F(KernelTextureTest, FailsForAnInvalidHandle) {
    EXPECT_EQ(launch("read", 12345), CUDA_ERROR_ILLEGAL_ADDRESS);
}

}  // namespace
}  // namespace cubind::testing
