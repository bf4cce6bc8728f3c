// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include "kernels.hpp"

namespace native {

void saxpy(float a, const float* x, float* y, int n) {
    for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

void mandelbrot(int* out, int width, int height, int limit) {
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const float cr = -2.0f + 3.0f * static_cast<float>(x) / static_cast<float>(width);
            const float ci = -1.0f + 2.0f * static_cast<float>(y) / static_cast<float>(height);
            float zr = 0;
            float zi = 0;
            int steps = 0;
            while (steps < limit && zr * zr + zi * zi < 4.0f) {
                const float next = zr * zr - zi * zi + cr;
                zi = 2.0f * zr * zi + ci;
                zr = next;
                ++steps;
            }
            out[y * width + x] = steps;
        }
    }
}

void multiply(const float* a, const float* b, float* c, int n) {
    constexpr int tile = 16;
    for (int row = 0; row < n; row += tile) {
        for (int column = 0; column < n; column += tile) {
            float sums[tile][tile] = {};
            for (int k = 0; k < n; k += tile) {
                for (int y = 0; y < tile; ++y) {
                    for (int x = 0; x < tile; ++x) {
                        for (int i = 0; i < tile; ++i) sums[y][x] += a[(row + y) * n + k + i] * b[(k + i) * n + column + x];
                    }
                }
            }
            for (int y = 0; y < tile; ++y) {
                for (int x = 0; x < tile; ++x) c[(row + y) * n + column + x] = sums[y][x];
            }
        }
    }
}

void bodies(const float* bodies, float* accelerations, int n) {
    for (int i = 0; i < n; ++i) {
        float sum[3] = {};
        for (int j = 0; j < n; ++j) {
            const float dx = bodies[4 * j] - bodies[4 * i];
            const float dy = bodies[4 * j + 1] - bodies[4 * i + 1];
            const float dz = bodies[4 * j + 2] - bodies[4 * i + 2];
            const float inverse = 1.0f / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
            const float scale = bodies[4 * j + 3] * inverse * inverse * inverse;
            sum[0] += dx * scale;
            sum[1] += dy * scale;
            sum[2] += dz * scale;
        }
        for (int k = 0; k < 3; ++k) accelerations[3 * i + k] = sum[k];
    }
}

void sort(int* data, int groups) {
    constexpr int n = 1024;
    for (int group = 0; group < groups; ++group, data += n) {
        for (int k = 2; k <= n; k *= 2) {
            for (int j = k / 2; j > 0; j /= 2) {
                for (int i = 0; i < n; ++i) {
                    const int other = i ^ j;
                    if (other > i && (data[i] > data[other]) == ((i & k) == 0)) std::swap(data[i], data[other]);
                }
            }
        }
    }
}

void reduce(const float* x, float* sum, int n) {
    float total = 0;
    for (int i = 0; i < n; ++i) total += x[i];
    *sum = total;
}

}  // namespace native
