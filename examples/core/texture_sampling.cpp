// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Samples an image with every address mode and every filter mode, through a texture of an array and through a texture of pitched
// memory, and compares each result with the same computation on the host.

#include <cubind/core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr int width = 16;
constexpr int height = 8;
constexpr unsigned int samples = 128;  // in each direction
constexpr float border = -1;

const char* const source = R"(
extern "C" __global__ void sample(cudaTextureObject_t image, float begin, float step_x, float step_y, unsigned n, float* out)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) out[y * n + x] = tex2D<float>(image, begin + x * step_x, begin + y * step_y);
}
)";

// Returns the index that an address mode selects in a row or column, or -1 for the border.
int selected(AddressMode mode, int index, int count) {
    const int period = mode == AddressMode::mirror ? 2 * count : count;
    const int repeated = (index % period + period) % period;
    switch (mode) {
        case AddressMode::wrap:
            return repeated;
        case AddressMode::mirror:
            return repeated < count ? repeated : period - 1 - repeated;
        case AddressMode::border:
            return index < 0 || index >= count ? -1 : index;
        default:
            return std::clamp(index, 0, count - 1);
    }
}

float element(const std::vector<float>& image, AddressMode mode, float x, float y) {
    const int column = selected(mode, static_cast<int>(x), width);
    const int row = selected(mode, static_cast<int>(y), height);
    return column < 0 || row < 0 ? border : image[static_cast<std::size_t>(row * width + column)];
}

// Returns what the texture returns at a position in elements.
float expected(const std::vector<float>& image, const TextureOptions& options, float x, float y) {
    const AddressMode mode = options.address_mode.x;
    if (options.filter_mode == FilterMode::point) return element(image, mode, std::floor(x), std::floor(y));
    const float left = std::floor(x - 0.5f), top = std::floor(y - 0.5f);
    const float a = x - 0.5f - left, b = y - 0.5f - top;
    return (1 - a) * (1 - b) * element(image, mode, left, top) + a * (1 - b) * element(image, mode, left + 1, top) +
           (1 - a) * b * element(image, mode, left, top + 1) + a * b * element(image, mode, left + 1, top + 1);
}

const char* name_of(AddressMode mode) {
    const char* const names[] = {"wrap", "clamp", "mirror", "border"};
    return names[static_cast<std::size_t>(mode)];
}

int texture_sampling() {
    const Device device;
    const Stream stream(device);
    Program program(source, {.name = "sample.cu", .arch = "sm_" + device.arch()});
    const KernelFunction<void(driver::CUtexObject, float, float, float, unsigned int, float*)> sample(
        program.compile(CodeType::ptx).kernel("sample"), device);
    const LaunchConfig config{.grid = {samples / 16, samples / 16}, .block = {16, 16}};

    std::vector<float> pixels(width * height);
    for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<float>(i * 7 % 64);
    Array image = device.create_array({.format = ArrayFormat::of<float>(), .width = width, .height = height});
    PitchedBuffer<float> rows = device.allocate_pitched<float>(stream, {.width = width, .height = height});
    copy(stream, image, pixels);
    copy(stream, rows, image);

    TypedBuffer<float> out = device.allocate<float>(stream, samples * samples);
    std::vector<float> results(out.count());
    std::size_t wrong = 0;
    for (const AddressMode mode : {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror, AddressMode::border}) {
        for (const FilterMode filter : {FilterMode::point, FilterMode::linear}) {
            const TextureOptions options{
                .address_mode = mode, .filter_mode = filter, .normalized_coordinates = true, .border_color = {border}};
            const TextureObject of_array(image, options);
            const TextureObject of_rows(rows, options);
            for (const TextureObject* const texture : {&of_array, &of_rows}) {
                // From one image before the first element to one image after the last one.
                const float begin = -1, step_x = 3.0f / samples, step_y = 3.0f / samples;
                sample(stream, config, *texture, begin, step_x, step_y, samples, out);
                copy(stream, results, out);
                stream.synchronize();
                float largest = 0;
                for (unsigned int i = 0; i < samples * samples; ++i) {
                    const float x = (begin + step_x * static_cast<float>(i % samples)) * width;
                    const float y = (begin + step_y * static_cast<float>(i / samples)) * height;
                    largest = std::max(largest, std::abs(results[i] - expected(pixels, options, x, y)));
                }
                // The interpolation weights of the device have 8 fractional bits.
                const bool is_right = largest <= (filter == FilterMode::point ? 0.0f : 64.0f * 2 / 256);
                wrong += is_right ? 0 : 1;
                std::printf("%-6s  %-6s  %-14s  largest difference %g\n", name_of(mode),
                            filter == FilterMode::point ? "point" : "linear", texture == &of_array ? "array" : "pitched memory",
                            static_cast<double>(largest));
            }
        }
    }
    return example::verdict(wrong == 0, "all samples equal those that the host computed");
}

}  // namespace

int main() {
    return example::run(texture_sampling);
}
