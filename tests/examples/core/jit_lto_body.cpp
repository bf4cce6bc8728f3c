// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Installs the simulated driver for the example core/jit_lto before main() and implements its linked kernels in C++.
#include <cubind/sim/install.hpp>
#include <cubind/sim/kernels.hpp>

namespace {

namespace sim = cubind::sim;

struct Point {
    long long x, y;
};

long long coordinate(std::size_t index, unsigned width) {
    return (static_cast<long long>(index) * 4 << 24) / width - (2ll << 24);
}

unsigned steps(Point z, Point c, unsigned limit) {
    unsigned steps = 0;
    for (; steps < limit && z.x * z.x + z.y * z.y < 4ll << 48; ++steps) {
        z = {((z.x * z.x - z.y * z.y) >> 24) + c.x, ((z.x * z.y) >> 23) + c.y};
    }
    return steps;
}

[[maybe_unused]] const bool is_installed = [] {
    sim::install();
    // A body is registered by the name of the kernel alone, so both linked programs share it. The first launch computes the
    // Mandelbrot set, the second the Julia set.
    sim::define_kernel("fractal", [](const sim::Launch& launch, unsigned* out, unsigned width, unsigned limit) {
        static bool is_julia = false;
        const auto image = launch.memory(out, std::size_t{width} * width);
        for (std::size_t i = 0; i < image.size(); ++i) {
            const Point pixel = {coordinate(i % width, width), coordinate(i / width, width)};
            image[i] = is_julia ? steps(pixel, {-(2ll << 20), 12ll << 20}, limit) : steps({0, 0}, pixel, limit);
        }
        is_julia = true;
    });
    return true;
}();

}  // namespace
