// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Kernels of a .cu file as functions. The header image_pyramid.cu.hpp is made from image_pyramid.cu when the example is built: it
// declares the instances of the kernel template and the variable in constant memory. The kernels are compiled at their first
// launch.

#include <cubind/core.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "../core/example.hpp"
#include "image.hpp"
#include "image_pyramid.cu.hpp"

using namespace cubind;

namespace {

constexpr std::array weights = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
constexpr ImageSize full_size = {301, 200};
constexpr int levels = 4;

std::size_t pixels(ImageSize size) {
    return static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
}

ImageSize half(ImageSize size) {
    return {(size.width + 1) / 2, (size.height + 1) / 2};
}

int clamped(int position, int size) {
    return position < 0 ? 0 : position >= size ? size - 1 : position;
}

/// Computes on the host what the kernel computes.
template <class Pixel>
std::vector<Pixel> reduced(const std::vector<Pixel>& large, ImageSize large_size) {
    const ImageSize size = half(large_size);
    std::vector<Pixel> small;
    for (int y = 0; y < size.height; ++y) {
        for (int x = 0; x < size.width; ++x) {
            float mean = 0;
            for (int row = 0; row < 5; ++row) {
                float of_line = 0;
                for (int column = 0; column < 5; ++column) {
                    const int at = clamped(2 * y + row - 2, large_size.height) * large_size.width +
                                   clamped(2 * x + column - 2, large_size.width);
                    of_line = std::fma(weights[static_cast<std::size_t>(column)],
                                       static_cast<float>(large[static_cast<std::size_t>(at)]), of_line);
                }
                mean = std::fma(weights[static_cast<std::size_t>(row)], of_line, mean);
            }
            small.push_back(static_cast<Pixel>(std::is_integral_v<Pixel> ? std::nearbyint(mean) : mean));
        }
    }
    return small;
}

/// Builds a pyramid, prints its levels, and returns whether each of them is right.
template <class Pixel>
bool pyramid(const Device& device, StreamRef stream, const char* title) {
    std::mt19937 generator(1);
    std::vector<Pixel> expected(pixels(full_size));
    for (Pixel& pixel : expected) pixel = static_cast<Pixel>(generator() % 256);
    TypedBuffer<Pixel> level = device.allocate<Pixel>(stream, expected.size());
    copy(stream, level, expected);

    bool right = true;
    ImageSize size = full_size;
    std::printf("%s: %d x %d", title, size.width, size.height);
    for (int i = 1; i < levels; ++i) {
        const ImageSize next = half(size);
        TypedBuffer<Pixel> smaller = device.allocate<Pixel>(stream, pixels(next));
        const LaunchConfig config{.grid = {blocks_for(next.width, 16), blocks_for(next.height, 16)}, .block = {16, 16}};
        kernels::reduce<Pixel>(stream, config, level, size, smaller, next);  // the arguments are checked when this is compiled
        expected = reduced(expected, size);
        std::vector<Pixel> found(expected.size());
        copy(stream, found, smaller);
        stream.synchronize();
        right = right && found == expected;
        std::printf(", %d x %d", next.width, next.height);
        level = std::move(smaller);
        size = next;
    }
    std::printf("\n");
    return right;
}

int image_pyramid() {
    const Device device;
    const Stream stream(device);
    copy(stream, kernels::weights(device), weights);
    const bool right = pyramid<float>(device, stream, "float") && pyramid<unsigned char>(device, stream, "bytes");
    std::printf("The kernel %s has blocks of at most %d threads.\n", kernels::reduce<float>.kernel(device).signature().c_str(),
                kernels::reduce<float>.max_threads);
    return example::verdict(right, "each pixel of all levels");
}

}  // namespace

int main() {
    return example::run(image_pyramid);
}
