// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A kernel writes a layered array through a surface. The layers are then read back, all at once and one by one, and through a
// texture of the same array.

#include <cubind/core.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr unsigned int width = 64;
constexpr unsigned int height = 32;
constexpr unsigned int layers = 5;
constexpr std::size_t pixels_per_layer = std::size_t{width} * height;

const char* const source = R"(
extern "C" __global__ void paint(cudaSurfaceObject_t layers, int add)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, layer = blockIdx.z;
    surf2DLayeredwrite(1000000 * layer + 1000 * y + x + add, layers, x * sizeof(int), y, layer);
}
extern "C" __global__ void sum(cudaTextureObject_t layers, int count, int* sums, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, sum = 0;
    for (int layer = 0; layer < count; ++layer) sum += tex2DLayered<int>(layers, x, y, layer);
    sums[y * width + x] = sum;
}
)";

int value(std::size_t layer, std::size_t index) {
    return static_cast<int>(1000000 * layer + 1000 * (index / width) + index % width + 7);
}

int layered_surface() {
    const Device device;
    const Stream stream(device);
    Program program(source, {.name = "layers.cu", .arch = "sm_" + device.arch()});
    const ObjectCode code = program.compile(CodeType::ptx);

    Array image = device.create_array(
        {.format = ArrayFormat::of<int>(), .width = width, .height = height, .layers = layers, .surface_load_store = true});
    const SurfaceObject surface(image);
    const TextureObject texture(image);
    const ArrayOptions options = image.options();
    std::printf("an array of %zu x %zu elements in %zu layers, %zu bytes\n", options.width, options.height, options.layers,
                image.size_bytes());

    launch(stream, {.grid = {width / 16, height / 16, layers}, .block = {16, 16}}, code.kernel("paint"), surface, 7);

    std::vector<int> all(pixels_per_layer * layers);
    copy(stream, all, image);
    std::vector<int> one(pixels_per_layer);
    copy(stream, one, image.layer(3));
    TypedBuffer<int> sums = device.allocate<int>(stream, pixels_per_layer);
    launch(stream, {.grid = {width / 16, height / 16}, .block = {16, 16}}, code.kernel("sum"), texture, static_cast<int>(layers),
           sums, static_cast<int>(width));
    std::vector<int> totals(pixels_per_layer);
    copy(stream, totals, sums);
    stream.synchronize();

    std::size_t wrong = 0;
    for (std::size_t i = 0; i < pixels_per_layer; ++i) {
        int total = 0;
        for (std::size_t layer = 0; layer < layers; ++layer) {
            wrong += all[layer * pixels_per_layer + i] != value(layer, i);
            total += value(layer, i);
        }
        wrong += one[i] != value(3, i);
        wrong += totals[i] != total;
    }
    std::printf("%zu of %zu values are wrong\n", wrong, all.size() + one.size() + totals.size());
    return example::verdict(wrong == 0, "the layers, and their sums through a texture, equal what the kernel wrote");
}

}  // namespace

int main() {
    return example::run(layered_surface);
}
