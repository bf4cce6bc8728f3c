// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Draws a plasma without a window. A kernel writes the pixels into a buffer of OpenGL. OpenGL copies them to a texture, draws the
// texture mirrored into a second one, and reads the pixels back. Then CUDA reads the second texture, too. Both must equal what
// the host computes. The picture is written to a file.
//
//     gl_plasma [FILE]      // plasma.ppm by default

#include <cubind/core.hpp>
#include <cubind/core/device/simulation.hpp>
#include <cubind/interop/graphics_resource.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "../core/example.hpp"
#include "gl_context.hpp"

using namespace cubind;

namespace {

constexpr int width = 640;
constexpr int height = 360;
constexpr std::size_t pixel_count = std::size_t{width} * height;

using Pixel = std::array<unsigned char, 4>;

const char* const source = R"(
__device__ unsigned char level(float value) { return (unsigned char)(127.5f + 127.5f * value); }

extern "C" __global__ void plasma(uchar4* pixels, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float u = 8.0f * x / height, v = 8.0f * y / height;
    const float du = u - 6.0f, dv = v - 3.0f;
    const float wave = 0.25f * (sinf(u) + sinf(1.3f * v) + sinf(0.7f * (u + v)) + sinf(2.0f * sqrtf(du * du + dv * dv)));
    const float pi = 3.14159265f;
    pixels[y * width + x] = make_uchar4(level(sinf(pi * wave)), level(sinf(pi * wave + 2.1f)), level(sinf(pi * wave + 4.2f)), 255);
}
)";

// The same as the kernel.
Pixel plasma(int x, int y) {
    const auto level = [](float value) { return static_cast<unsigned char>(127.5f + 127.5f * value); };
    const float u = 8.0f * static_cast<float>(x) / height, v = 8.0f * static_cast<float>(y) / height;
    const float du = u - 6.0f, dv = v - 3.0f;
    const float wave =
        0.25f * (std::sin(u) + std::sin(1.3f * v) + std::sin(0.7f * (u + v)) + std::sin(2.0f * std::sqrt(du * du + dv * dv)));
    const float pi = 3.14159265f;
    return {level(std::sin(pi * wave)), level(std::sin(pi * wave + 2.1f)), level(std::sin(pi * wave + 4.2f)), 255};
}

gl::Name create_buffer(const gl::Context& context) {
    const gl::Name buffer = context.create_object("glGenBuffers");
    context.call<void(gl::Enum, gl::Name)>("glBindBuffer")(gl::pixel_unpack_buffer, buffer);
    context.call<void(gl::Enum, std::ptrdiff_t, const void*, gl::Enum)>("glBufferData")(
        gl::pixel_unpack_buffer, static_cast<std::ptrdiff_t>(pixel_count * sizeof(Pixel)), nullptr, gl::dynamic_draw);
    context.call<void(gl::Enum, gl::Name)>("glBindBuffer")(gl::pixel_unpack_buffer, 0);
    context.check("create a buffer");
    return buffer;
}

gl::Name create_texture(const gl::Context& context) {
    const gl::Name texture = context.create_object("glGenTextures");
    context.call<void(gl::Enum, gl::Name)>("glBindTexture")(gl::texture_2d, texture);
    const auto set = context.call<void(gl::Enum, gl::Enum, int)>("glTexParameteri");
    set(gl::texture_2d, gl::min_filter, int{gl::nearest});
    set(gl::texture_2d, gl::mag_filter, int{gl::nearest});
    context.call<void(gl::Enum, int, int, int, int, int, gl::Enum, gl::Enum, const void*)>("glTexImage2D")(
        gl::texture_2d, 0, int{gl::rgba8}, width, height, 0, gl::rgba, gl::unsigned_byte, nullptr);
    context.check("create a texture");
    return texture;
}

// Binds a framebuffer that reads from, or draws to, the texture.
void attach(const gl::Context& context, gl::Enum target, gl::Name texture) {
    context.call<void(gl::Enum, gl::Name)>("glBindFramebuffer")(target, context.create_object("glGenFramebuffers"));
    context.call<void(gl::Enum, gl::Enum, gl::Enum, gl::Name, int)>("glFramebufferTexture2D")(target, gl::color_attachment,
                                                                                              gl::texture_2d, texture, 0);
    if (context.call<gl::Enum(gl::Enum)>("glCheckFramebufferStatus")(target) != gl::framebuffer_complete) {
        throw std::runtime_error("OpenGL cannot use a texture as a framebuffer");
    }
}

// Copies the buffer to the first texture, draws it mirrored into the second one, and returns the pixels of the latter.
std::vector<Pixel> draw(const gl::Context& context, gl::Name buffer, gl::Name first, gl::Name second) {
    context.call<void(gl::Enum, gl::Name)>("glBindBuffer")(gl::pixel_unpack_buffer, buffer);
    context.call<void(gl::Enum, gl::Name)>("glBindTexture")(gl::texture_2d, first);
    context.call<void(gl::Enum, int, int, int, int, int, gl::Enum, gl::Enum, const void*)>("glTexSubImage2D")(
        gl::texture_2d, 0, 0, 0, width, height, gl::rgba, gl::unsigned_byte, nullptr);  // reads from the buffer
    context.call<void(gl::Enum, gl::Name)>("glBindBuffer")(gl::pixel_unpack_buffer, 0);
    attach(context, gl::read_framebuffer, first);
    attach(context, gl::draw_framebuffer, second);
    context.call<void(int, int, int, int, int, int, int, int, unsigned, gl::Enum)>("glBlitFramebuffer")(
        0, 0, width, height, width, 0, 0, height, gl::color_buffer_bit, gl::nearest);
    attach(context, gl::read_framebuffer, second);
    std::vector<Pixel> pixels(pixel_count);
    context.call<void(int, int, int, int, gl::Enum, gl::Enum, void*)>("glReadPixels")(0, 0, width, height, gl::rgba,
                                                                                      gl::unsigned_byte, pixels.data());
    context.check("draw");
    return pixels;
}

// Returns the number of pixels that differ from the mirrored plasma by more than rounding.
std::size_t wrong_pixels(const std::vector<Pixel>& pixels) {
    std::size_t wrong = 0;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const Pixel expected = plasma(width - 1 - x, y);
            const Pixel found = pixels[std::size_t(y) * width + std::size_t(x)];
            int difference = 0;
            for (std::size_t i = 0; i < found.size(); ++i) difference = std::max(difference, std::abs(found[i] - expected[i]));
            wrong += difference > 2;
        }
    }
    return wrong;
}

// Writes the pixels as a portable pixmap.
void write_picture(const std::string& path, const std::vector<Pixel>& pixels) {
    std::ofstream file(path, std::ios::binary);
    file << "P6\n" << width << ' ' << height << "\n255\n";
    for (const Pixel& pixel : pixels) file.write(reinterpret_cast<const char*>(pixel.data()), 3);
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path);
}

int gl_plasma(const std::string& path) {
    if (is_simulated_driver()) return example::skip("OpenGL has no simulated device, so this example needs a GPU.");
    const Device device;
    std::string why;
    const auto context = gl::Context::create(device.ordinal(), why);
    if (context == nullptr) return example::skip(why + ".");
    std::printf("CUDA: %s, OpenGL: %s, %s\n", device.name().c_str(), context->text(gl::renderer).c_str(),
                context->text(gl::version).c_str());

    const Stream stream(device);
    Program program(source, {.name = "plasma.cu", .arch = "sm_" + device.arch()});
    const Kernel kernel = program.compile(CodeType::ptx).kernel("plasma");
    const LaunchConfig config{.grid = {(width + 31) / 32, (height + 7) / 8}, .block = {32, 8}};

    const gl::Name buffer = create_buffer(*context), first = create_texture(*context), second = create_texture(*context);
    const GraphicsResource pixels = GraphicsResource::from_gl_buffer(device, buffer, {.access = GraphicsAccess::write_discard});
    const GraphicsResource drawn =
        GraphicsResource::from_gl_image(device, second, gl::texture_2d, {.access = GraphicsAccess::read_only});

    {
        const GraphicsMapping mapping = pixels.map(stream);
        launch(stream, config, kernel, mapping.buffer(), width, height);
    }  // OpenGL waits for the kernel
    const std::vector<Pixel> read_by_gl = draw(*context, buffer, first, second);

    std::vector<Pixel> read_by_cuda(pixel_count);
    {
        const GraphicsMapping mapping = drawn.map(stream);
        copy(stream, read_by_cuda, mapping.array());
        stream.synchronize();
    }
    const std::size_t wrong = wrong_pixels(read_by_gl), wrong_for_cuda = wrong_pixels(read_by_cuda);
    std::printf("%zu pixels that OpenGL reads are wrong, and %zu that CUDA reads\n", wrong, wrong_for_cuda);
    write_picture(path, read_by_gl);
    std::printf("wrote %s, %d x %d pixels\n", path.c_str(), width, height);
    return example::verdict(wrong + wrong_for_cuda == 0, "the picture equals that of the host, read by OpenGL and by CUDA");
}

}  // namespace

int main(int count, char** arguments) {
    return example::run([&] { return gl_plasma(count > 1 ? arguments[1] : "plasma.ppm"); });
}
