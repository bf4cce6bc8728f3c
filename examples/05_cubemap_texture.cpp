// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A cubemap is a texture of six square faces that is sampled by direction: a ray from the center of the cube selects the
// texel. The runtime API creates the array and the texture object, and the driver API launches the kernel. This works
// because both APIs use the device's primary context and the same handles. One thread per texel samples the center of its
// texel, and the host checks that the kernel read every texel of every face.

#include <cubind/runtime.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "compile.hpp"
#include "example.hpp"

namespace driver = cubind::driver;
namespace runtime = cubind::runtime;
using cubind::check;

namespace {

constexpr unsigned int n = 64;     // texels along an edge
constexpr unsigned int faces = 6;  // +x, -x, +y, -y, +z, -z
constexpr std::size_t texels = std::size_t{faces} * n * n;

const char* const source = R"(
extern "C" __global__ void look_around(cudaTextureObject_t cubemap, float* out, unsigned int n)
{
    unsigned int column = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int row = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned int face = blockIdx.z;
    if (column >= n || row >= n) {
        return;
    }

    // Position of the center of the texel on its face, from -1 to 1.
    float u = (2 * column + 1) / (float)n - 1;
    float v = (2 * row + 1) / (float)n - 1;

    // Every face is one unit away from the center of the cube and has its own directions for right and down. Only the
    // direction of the vector matters, so its length need not be 1.
    float x, y, z;
    switch (face) {
        case 0:  x =  1; y = -v; z = -u; break;
        case 1:  x = -1; y = -v; z =  u; break;
        case 2:  x =  u; y =  1; z =  v; break;
        case 3:  x =  u; y = -1; z = -v; break;
        case 4:  x =  u; y = -v; z =  1; break;
        default: x = -u; y = -v; z = -1; break;
    }
    out[(face * n + row) * n + column] = texCubemap<float>(cubemap, x, y, z);
}
)";

// Creates a cubemap array. Width and height are equal, and the depth is the number of faces. Extents of arrays are in elements.
runtime::cudaArray_t make_cubemap(std::vector<float>& content) {
    const runtime::cudaChannelFormatDesc one_float =
        runtime::cudaCreateChannelDesc(32, 0, 0, 0, runtime::cudaChannelFormatKindFloat);
    const runtime::cudaExtent extent = {n, n, faces};
    const runtime::cudaArray_t array = check(runtime::cudaMalloc3DArray(&one_float, extent, runtime::cudaArrayCubemap));

    runtime::cudaMemcpy3DParms copy = {};
    copy.srcPtr = {content.data(), n * sizeof(float), n, n};  // pitch in bytes, then width and height of a face
    copy.dstArray = array;
    copy.extent = extent;
    copy.kind = runtime::cudaMemcpyHostToDevice;
    check(runtime::cudaMemcpy3D(&copy));
    return array;
}

// Creates a texture object that returns the nearest texel unchanged. Cubemaps require normalized coordinates.
runtime::cudaTextureObject_t make_texture(runtime::cudaArray_t array) {
    runtime::cudaResourceDesc resource = {};
    resource.resType = runtime::cudaResourceTypeArray;
    resource.res.array.array = array;

    runtime::cudaTextureDesc texture = {};
    for (auto& mode : texture.addressMode) mode = runtime::cudaAddressModeClamp;
    texture.filterMode = runtime::cudaFilterModePoint;
    texture.readMode = runtime::cudaReadModeElementType;
    texture.normalizedCoords = 1;
    return check(runtime::cudaCreateTextureObject(&resource, &texture, nullptr));
}

int cubemap_texture() {
    const example::Gpu gpu = example::first_gpu();
    if (!gpu.usable) return example::skip(gpu);

    // The runtime makes the device's primary context current on this thread and creates it if needed. From here on, the
    // driver API works in it, too.
    check(runtime::cudaSetDevice(gpu.device));

    const std::vector<char> ptx =
        example::compile(source, "look_around.cu", {"-arch=compute_" + gpu.architecture}, example::Output::ptx);
    const driver::CUmodule code = example::load_ptx(ptx, "NVRTC", "CUBIND_NVRTC_LIBRARY");
    const driver::CUfunction kernel = check(driver::cuModuleGetFunction(code, "look_around"));

    // Each texel contains its own number, so that the check detects a wrong face, a flipped axis and a shifted texel.
    std::vector<float> content(texels);
    for (std::size_t i = 0; i < texels; ++i) content[i] = static_cast<float>(i);
    const runtime::cudaArray_t array = make_cubemap(content);
    runtime::cudaTextureObject_t texture = make_texture(array);
    void* device_out = check(runtime::cudaMalloc(texels * sizeof(float)));
    check(runtime::cudaMemset(device_out, 0xFF, texels * sizeof(float)));  // all NaN

    // A texture object is a number and is passed by value.
    unsigned int edge = n;
    void* arguments[] = {&texture, &device_out, &edge};
    const unsigned int tile = 16;
    check(driver::cuLaunchKernel(kernel, n / tile, n / tile, faces, tile, tile, 1, 0, nullptr, arguments, nullptr));

    // Kernel and copy are in the default stream, so the copy waits for the kernel.
    std::vector<float> seen(texels);
    check(runtime::cudaMemcpy(seen.data(), device_out, texels * sizeof(float), runtime::cudaMemcpyDeviceToHost));

    const char* const names[faces] = {"+x", "-x", "+y", "-y", "+z", "-z"};
    std::size_t all_wrong = 0;
    for (std::size_t face = 0; face < faces; ++face) {
        std::size_t wrong = 0;
        for (std::size_t i = face * n * n; i < (face + 1) * n * n; ++i) {
            if (seen[i] == content[i]) continue;
            if (wrong == 0) std::printf("Texel %zu contains %g, but the kernel read %g.\n", i, content[i], seen[i]);
            ++wrong;
        }
        std::printf("Face %s: %zu of %u texels are wrong.\n", names[face], wrong, n * n);
        all_wrong += wrong;
    }

    check(runtime::cudaFree(device_out));
    check(runtime::cudaDestroyTextureObject(texture));
    check(runtime::cudaFreeArray(array));
    check(driver::cuModuleUnload(code));
    return example::verdict(all_wrong == 0);
}

}  // namespace

int main() {
    return example::run(cubemap_texture);
}
