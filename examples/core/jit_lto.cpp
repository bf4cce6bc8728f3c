// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Links device code at run time. A library contains a kernel that iterates z = z * z + c for every pixel. The kernel
// calls the function begin(), which the library does not define, for the initial values of z and c. Two snippets, such as
// a user could enter, define begin(): one for the Mandelbrot set, one for a Julia set. All code is compiled to LTO-IR, so
// the linker inlines the snippet into the kernel.

#include <cubind/core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "example.hpp"

using namespace cubind;

namespace {

constexpr unsigned int width = 256;  // width and height in pixels
constexpr unsigned int limit = 100;  // maximum number of iterations

// Numbers are in fixed point, with 1.0 as 1 << 24, so host and device compute the same bits.
const char* const point = R"(
struct Point { long long x, y; };
)";

const char* const library_source = R"(
#include "point.h"
extern __device__ void begin(Point pixel, Point& z, Point& c);  // defined by the user's code

extern "C" __global__ void fractal(unsigned int* out, unsigned int width, unsigned int limit)
{
    unsigned int column = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= width) return;
    Point z, c;
    begin({(column * 4ll << 24) / width - (2ll << 24), (row * 4ll << 24) / width - (2ll << 24)}, z, c);
    unsigned int steps = 0;
    while (steps < limit && z.x * z.x + z.y * z.y < 4ll << 48) {
        z = {((z.x * z.x - z.y * z.y) >> 24) + c.x, ((z.x * z.y) >> 23) + c.y};
        ++steps;
    }
    out[row * width + column] = steps;
}
)";

const char* const mandelbrot_source = R"(
#include "point.h"
__device__ void begin(Point pixel, Point& z, Point& c) { z = {0, 0}; c = pixel; }
)";

const char* const julia_source = R"(
#include "point.h"
__device__ void begin(Point pixel, Point& z, Point& c) { z = pixel; c = {-(2ll << 20), 12ll << 20}; }
)";

struct Point {
    long long x, y;
};

// Returns the image that the kernel must compute.
template <class Begin>
std::vector<unsigned int> expected(Begin begin) {
    std::vector<unsigned int> out;
    for (long long row = 0; row < width; ++row) {
        for (long long column = 0; column < width; ++column) {
            Point z{}, c{};
            begin({(column * 4 << 24) / width - (2ll << 24), (row * 4 << 24) / width - (2ll << 24)}, z, c);
            unsigned int steps = 0;
            for (; steps < limit && z.x * z.x + z.y * z.y < 4ll << 48; ++steps) {
                z = {((z.x * z.x - z.y * z.y) >> 24) + c.x, ((z.x * z.y) >> 23) + c.y};
            }
            out.push_back(steps);
        }
    }
    return out;
}

ObjectCode compile(Device device, const char* source, const char* name) {
    Program program(source, {.name = name, .arch = "sm_" + device.arch(), .link_time_optimization = true}, {{"point.h", point}});
    const ObjectCode code = program.compile(CodeType::lto_ir);
    std::printf("%-14s %zu bytes of %s\n", name, code.bytes().size(), to_string(code.kind()));
    return code;
}

// Links the library with a snippet, draws the image, and returns whether it is the expected one.
bool draw(Device device, const ObjectCode& library, const ObjectCode& snippet, const std::vector<unsigned int>& right) {
    Linker linker({library, snippet}, {.arch = "sm_" + device.arch()});
    const ObjectCode linked = linker.link(CodeType::ptx);
    const std::string_view text = linked.text();
    const bool is_inlined = text.find("begin") == text.npos;

    const Stream stream(device);
    std::vector<unsigned int> image(right.size());
    TypedBuffer<unsigned int> out = device.allocate<unsigned int>(stream, image.size());
    launch(stream, {.grid = {width / 16, width / 16}, .block = {16, 16}}, linked.kernel("fractal"), out, width, limit);
    copy(stream, image, out);
    stream.synchronize();

    std::size_t wrong = 0;
    for (std::size_t i = 0; i < image.size(); ++i) wrong += image[i] != right[i];
    std::printf("fractal + %s: %s linked %zu bytes of PTX, begin() is %s; %.1f %% of the pixels never escape, %zu are wrong\n",
                snippet.name().c_str(), to_string(linker.backend()), linked.bytes().size(), is_inlined ? "inlined" : "called",
                100.0 * static_cast<double>(std::ranges::count(image, limit)) / static_cast<double>(image.size()), wrong);
    return wrong == 0;
}

int jit_lto() {
    const Device device;
    if (Linker::which_backend() == LinkerBackend::driver) return example::skip("LTO-IR requires nvJitLink, which was not found.");
    const ObjectCode library = compile(device, library_source, "library.cu");
    const ObjectCode mandelbrot = compile(device, mandelbrot_source, "mandelbrot.cu");
    const ObjectCode julia = compile(device, julia_source, "julia.cu");
    const bool mandelbrot_is_right = draw(device, library, mandelbrot, expected([](Point pixel, Point& z, Point& c) {
                                              z = {0, 0}, c = pixel;
                                          }));
    const bool julia_is_right = draw(device, library, julia, expected([](Point pixel, Point& z, Point& c) {
                                         z = pixel, c = {-(2ll << 20), 12ll << 20};
                                     }));
    return example::verdict(mandelbrot_is_right && julia_is_right,
                            "every pixel of both images equals the pixel computed on the host");
}

}  // namespace

int main() {
    return example::run(jit_lto);
}
