// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Kernels that read textures, and read and write surfaces.
#include <algorithm>
#include <array>
#include <cmath>

#include "compiled_kernels.hpp"

namespace cubind::testing {
namespace {

constexpr const char* texture_source = R"(
extern "C" {
__global__ void fetch(cudaTextureObject_t texture, const int* indices, float4* out) {
    out[threadIdx.x] = tex1Dfetch<float4>(texture, indices[threadIdx.x]);
}
__global__ void enlarge(cudaTextureObject_t texture, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = tex2D<float>(texture, (x + 0.5f) / width * 2, (y + 0.5f) / height * 2);
}
__global__ void blur(cudaSurfaceObject_t from, cudaSurfaceObject_t to, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0;
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) sum += surf2Dread<int>(from, (x + dx) * 4, y + dy, cudaBoundaryModeClamp);
    surf2Dwrite(sum, to, x * 4, y, cudaBoundaryModeTrap);
}
__global__ void slices(cudaTextureObject_t volume, short* out) {
    const int i = threadIdx.x;
    out[i] = tex3D<short>(volume, i % 4 + 0.5f, i / 4 % 3 + 0.5f, i / 12 + 0.5f);
}
__global__ void levels(cudaTextureObject_t texture, float* out) {
    for (int k = 0; k < 3; ++k) out[threadIdx.x * 3 + k] = tex2DLod<float>(texture, 0.5f, 0.5f, k);
}
__global__ void layers(cudaTextureObject_t texture, uchar4* out) {
    const int i = threadIdx.x;
    out[i] = tex2DLayered<uchar4>(texture, i % 4, i / 4 % 2, i / 8);
}
}
)";

class TextureKernelsTest : public KernelsTest {
protected:
    void SetUp() override {
        KernelsTest::SetUp();
        if (!IsSkipped()) load(texture_source);
    }

    template <class Value>
    static CUarray make_array(const std::vector<Value>& values, const CUDA_ARRAY3D_DESCRIPTOR& descriptor) {
        const CUarray array = cuArray3DCreate(&descriptor).value;
        const std::size_t row = descriptor.Width * sizeof(Value);
        CUDA_MEMCPY3D copy{};
        copy.srcMemoryType = CU_MEMORYTYPE_HOST;
        copy.srcHost = values.data();
        copy.srcPitch = row;
        copy.srcHeight = descriptor.Height;
        copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        copy.dstArray = array;
        copy.WidthInBytes = row;
        copy.Height = descriptor.Height;
        copy.Depth = std::max<std::size_t>(descriptor.Depth, 1);
        EXPECT_EQ(cuMemcpy3D(&copy).status, CUDA_SUCCESS);
        return array;
    }
    static CUDA_RESOURCE_DESC resource_of(CUarray array) {
        CUDA_RESOURCE_DESC resource{};
        resource.resType = CU_RESOURCE_TYPE_ARRAY;
        resource.res.array.hArray = array;
        return resource;
    }
    static CUtexObject make_texture(const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC& sampler) {
        auto [status, texture] = cuTexObjectCreate(&resource, &sampler, nullptr);
        EXPECT_EQ(status, CUDA_SUCCESS);
        return texture;
    }
};

TEST_P(TextureKernelsTest, FetchesElementsOfMemory) {
    using Four = std::array<float, 4>;
    std::vector<Four> texels(100);
    for (std::size_t i = 0; i < texels.size(); ++i) {
        const auto base = static_cast<float>(i);
        texels[i] = {base, base + 0.25f, -base, base * base};
    }
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear = {upload(texels), CU_AD_FORMAT_FLOAT, 4, texels.size() * sizeof(Four)};
    const auto indices = random_integers<int>(64, 0, 99);
    const CUdeviceptr out = zeros<Four>(64);
    run("fetch", {1}, {64}, make_texture(resource, {}), upload(indices), out);
    const auto results = download<Four>(out, 64);
    for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(results[i], texels[static_cast<std::size_t>(indices[i])]);
}

TEST_P(TextureKernelsTest, FiltersAndRepeatsAnImage) {
    constexpr int width = 8, height = 4, wide = 32, high = 24;
    std::vector<float> image(width * height);
    for (std::size_t i = 0; i < image.size(); ++i) image[i] = static_cast<float>(i * 11 % 32);
    CUDA_TEXTURE_DESC sampler{};
    sampler.addressMode[0] = CU_TR_ADDRESS_MODE_WRAP;
    sampler.addressMode[1] = CU_TR_ADDRESS_MODE_MIRROR;
    sampler.filterMode = CU_TR_FILTER_MODE_LINEAR;
    sampler.flags = CU_TRSF_NORMALIZED_COORDINATES;
    const CUtexObject texture =
        make_texture(resource_of(make_array(image, {width, height, 0, CU_AD_FORMAT_FLOAT, 1, 0})), sampler);
    const CUdeviceptr out = zeros<float>(wide * high);
    run("enlarge", {2, 3}, {16, 8}, texture, out, wide, high);
    const auto results = download<float>(out, wide * high);
    const auto texel = [&](int x, int y) {
        const int row = (y + 2 * height) % (2 * height);
        return static_cast<double>(
            image[static_cast<std::size_t>((row < height ? row : 2 * height - 1 - row) * width + (x + width) % width)]);
    };
    for (int y = 0; y < high; ++y) {
        for (int x = 0; x < wide; ++x) {
            const double u = (x + 0.5) / wide * 2 * width - 0.5, v = (y + 0.5) / high * 2 * height - 0.5;
            const int i = static_cast<int>(std::floor(u)), j = static_cast<int>(std::floor(v));
            const double right = (1 - (v - j)) * texel(i + 1, j) + (v - j) * texel(i + 1, j + 1);
            const double left = (1 - (v - j)) * texel(i, j) + (v - j) * texel(i, j + 1);
            // Textures have weights with 8 bits.
            EXPECT_NEAR(results[static_cast<std::size_t>(y * wide + x)], (1 - (u - i)) * left + (u - i) * right, 0.25)
                << x << ", " << y;
        }
    }
}

TEST_P(TextureKernelsTest, BlursASurface) {
    constexpr int width = 20, height = 12;
    const auto image = random_integers<int>(width * height, -1000, 1000);
    const CUDA_ARRAY3D_DESCRIPTOR descriptor{width, height, 0, CU_AD_FORMAT_SIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST};
    const CUDA_RESOURCE_DESC from = resource_of(make_array(image, descriptor));
    const CUDA_RESOURCE_DESC to = resource_of(make_array(image, descriptor));
    run("blur", {2, 2}, {16, 8}, cuSurfObjectCreate(&from).value, cuSurfObjectCreate(&to).value, width, height);
    std::vector<int> results(width * height);
    CUDA_MEMCPY2D copy{};
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = to.res.array.hArray;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = results.data();
    copy.dstPitch = copy.WidthInBytes = width * sizeof(int);
    copy.Height = height;
    ASSERT_EQ(cuMemcpy2D(&copy).status, CUDA_SUCCESS);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            int sum = 0;
            for (int k = 0; k < 9; ++k) {
                const int column = std::clamp(x + k % 3 - 1, 0, width - 1), row = std::clamp(y + k / 3 - 1, 0, height - 1);
                sum += image[static_cast<std::size_t>(row * width + column)];
            }
            EXPECT_EQ(results[static_cast<std::size_t>(y * width + x)], sum) << x << ", " << y;
        }
    }
}

TEST_P(TextureKernelsTest, ReadsVolumes) {
    const auto volume = random_integers<short>(4 * 3 * 5, -30000, 30000);
    const CUDA_ARRAY3D_DESCRIPTOR descriptor{4, 3, 5, CU_AD_FORMAT_SIGNED_INT16, 1, 0};
    CUDA_TEXTURE_DESC sampler{};
    sampler.flags = CU_TRSF_READ_AS_INTEGER;
    const CUdeviceptr out = zeros<short>(60);
    run("slices", {1}, {60}, make_texture(resource_of(make_array(volume, descriptor)), sampler), out);
    EXPECT_EQ(download<short>(out, 60), volume);
}

TEST_P(TextureKernelsTest, ReadsLayers) {
    using Four = std::array<unsigned char, 4>;
    std::vector<Four> image(24);
    const auto bytes = random_integers<unsigned char>(96, 0, 255);
    std::memcpy(image.data(), bytes.data(), bytes.size());
    const CUDA_ARRAY3D_DESCRIPTOR descriptor{4, 2, 3, CU_AD_FORMAT_UNSIGNED_INT8, 4, CUDA_ARRAY3D_LAYERED};
    CUDA_TEXTURE_DESC sampler{};
    sampler.flags = CU_TRSF_READ_AS_INTEGER;
    const CUdeviceptr out = zeros<Four>(24);
    run("layers", {1}, {24}, make_texture(resource_of(make_array(image, descriptor)), sampler), out);
    EXPECT_EQ(download<Four>(out, 24), image);
}

TEST_P(TextureKernelsTest, ReadsLevels) {
    const CUDA_ARRAY3D_DESCRIPTOR descriptor{4, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    const CUmipmappedArray mipmap = cuMipmappedArrayCreate(&descriptor, 3).value;
    for (unsigned level = 0; level < 3; ++level) {
        const std::vector<float> texels(16, static_cast<float>(level * level + 1));
        CUDA_MEMCPY2D copy{};
        copy.srcMemoryType = CU_MEMORYTYPE_HOST;
        copy.srcHost = texels.data();
        copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
        copy.dstArray = cuMipmappedArrayGetLevel(mipmap, level).value;
        copy.srcPitch = copy.WidthInBytes = (4u >> level) * sizeof(float);
        copy.Height = 4u >> level;
        ASSERT_EQ(cuMemcpy2D(&copy).status, CUDA_SUCCESS);
    }
    CUDA_RESOURCE_DESC resource{};
    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    resource.res.mipmap.hMipmappedArray = mipmap;
    CUDA_TEXTURE_DESC sampler{};
    sampler.flags = CU_TRSF_NORMALIZED_COORDINATES;
    sampler.maxMipmapLevelClamp = 2;
    const CUdeviceptr out = zeros<float>(96);
    run("levels", {1}, {32}, make_texture(resource, sampler), out);
    const auto results = download<float>(out, 96);
    for (std::size_t i = 0; i < 96; ++i) EXPECT_EQ(results[i], static_cast<float>(i % 3 * (i % 3) + 1));
}

INSTANTIATE_TEST_SUITE_P(Kernels, TextureKernelsTest, ::testing::ValuesIn(variants()), name_of_variant);

}  // namespace
}  // namespace cubind::testing
