// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// Kernels that read textures, and read and write surfaces.

#include <cubind/core/array/surface.hpp>
#include <cubind/core/array/texture.hpp>
#include <cubind/core/graph/graph_builder.hpp>
#include <cubind/core/launch/kernel_function.hpp>
#include <cubind/core/program/program.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "toolkit_test.hpp"

namespace cubind::testing {
namespace {

constexpr const char* source = R"(
extern "C" {
__global__ void line(cudaTextureObject_t texture, float begin, float step, float* out) {
    out[threadIdx.x] = tex1D<float>(texture, begin + step * threadIdx.x);
}
__global__ void plane(cudaTextureObject_t texture, float begin, float step, float* out) {
    const int i = threadIdx.y * blockDim.x + threadIdx.x;
    out[i] = tex2D<float>(texture, begin + step * threadIdx.x, begin + step * threadIdx.y);
}
__global__ void volume(cudaTextureObject_t texture, float* out) {
    const int i = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[i] = tex3D<float>(texture, threadIdx.x + 0.5f, threadIdx.y + 0.5f, threadIdx.z + 0.5f);
}
__global__ void layers(cudaTextureObject_t texture, int* out) {
    const int i = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[i] = tex2DLayered<int>(texture, threadIdx.x, threadIdx.y, threadIdx.z);
}
__global__ void faces(cudaTextureObject_t texture, float* out) {
    const float directions[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    const float* d = directions[threadIdx.x % 6];
    out[threadIdx.x] = texCubemapLayered<float>(texture, d[0], d[1], d[2], threadIdx.x / 6);
}
__global__ void levels(cudaTextureObject_t texture, float step, float* out) {
    out[threadIdx.x] = tex2DLod<float>(texture, 0.5f, 0.5f, step * threadIdx.x);
}
__global__ void fetch(cudaTextureObject_t texture, int4* out) { out[threadIdx.x] = tex1Dfetch<int4>(texture, threadIdx.x); }
__global__ void increment(cudaSurfaceObject_t surface) {
    int value;
    surf2DLayeredread(&value, surface, threadIdx.x * 4, threadIdx.y, threadIdx.z);
    surf2DLayeredwrite(value + 1, surface, threadIdx.x * 4, threadIdx.y, threadIdx.z);
}
}
)";

/// The kernels, compiled once.
class TextureKernelTest : public ToolkitTest {
protected:
    Kernel kernel(const char* name) const {
        static std::optional<ObjectCode> code;
        if (!code) code = Program(source, {.arch = "sm_90"}).compile(CodeType::ptx);
        return code->kernel(name);
    }
    template <class Element>
    std::vector<Element> read(const TypedBuffer<Element>& buffer) {
        std::vector<Element> values(buffer.count());
        copy(stream, values, buffer);
        stream.synchronize();
        return values;
    }
    static std::vector<float> numbers(std::size_t count) {
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i * i % 37);
        return values;
    }

    Device device;
    Stream stream{device};
    ArrayFormat floats = ArrayFormat::of<float>();
};

// Returns the index of the element that the mode selects; -1 is the border.
int selected(AddressMode mode, int index, int count) {
    const int period = mode == AddressMode::mirror ? 2 * count : count;
    const int wrapped = (index % period + period) % period;
    switch (mode) {
        case AddressMode::wrap:
            return wrapped;
        case AddressMode::mirror:
            return wrapped < count ? wrapped : period - 1 - wrapped;
        case AddressMode::border:
            return index >= 0 && index < count ? index : -1;
        default:
            return std::clamp(index, 0, count - 1);
    }
}

// Returns what a texture with a border of 5 returns at an unnormalized coordinate.
float sampled(const std::vector<float>& row, const TextureOptions& options, float at) {
    const int count = static_cast<int>(row.size());
    const auto element = [&](float index) {
        const int chosen = selected(options.address_mode.x, static_cast<int>(index), count);
        return chosen < 0 ? 5.0f : row[static_cast<std::size_t>(chosen)];
    };
    if (options.filter_mode == FilterMode::point) return element(std::floor(at));
    const float lower = std::floor(at - 0.5f), weight = at - 0.5f - lower;
    return (1 - weight) * element(lower) + weight * element(lower + 1);
}

TEST_F(TextureKernelTest, SamplesWithEachAddressAndFilterMode) {
    constexpr unsigned int points = 200;
    const std::vector<float> row = numbers(8);
    Array array(device, {.format = floats, .width = 8});
    copy(stream, array, row);
    for (const AddressMode mode : {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror, AddressMode::border}) {
        for (const FilterMode filter : {FilterMode::point, FilterMode::linear}) {
            const TextureOptions options{
                .address_mode = mode, .filter_mode = filter, .normalized_coordinates = true, .border_color = {5, 6, 7, 8}};
            const TextureObject texture(array, options);
            TypedBuffer<float> out = device.allocate<float>(stream, points);
            constexpr float begin = -1.5f, step = 1.0f / 64;  // eighths of an element, which the filter weighs exactly
            launch(stream, {.block = points}, kernel("line"), texture, begin, step, out);
            const std::vector<float> results = read(out);
            for (unsigned int i = 0; i < points; ++i) {
                const float at = (begin + step * static_cast<float>(i)) * 8;
                EXPECT_EQ(results[i], sampled(row, options, at))
                    << "mode " << int(mode) << " filter " << int(filter) << " at " << at;
            }
        }
    }
}

TEST_F(TextureKernelTest, SamplesEachDimensionWithItsMode) {
    const std::vector<float> image = numbers(12);  // 4 x 3
    Array array(device, {.format = floats, .width = 4, .height = 3});
    copy(stream, array, image);
    const TextureObject texture(array, {.address_mode = {AddressMode::clamp, AddressMode::border}, .border_color = {-1}});
    TypedBuffer<float> out = device.allocate<float>(stream, 64);
    launch(stream, {.block = {8, 8}}, kernel("plane"), texture, -1.5f, 1.0f, out);
    const std::vector<float> results = read(out);
    for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) {
            const int row = y - 2, column = std::clamp(x - 2, 0, 3);
            const float expected = row < 0 || row > 2 ? -1 : image[static_cast<std::size_t>(row * 4 + column)];
            EXPECT_EQ(results[static_cast<std::size_t>(y * 8 + x)], expected) << x << ", " << y;
        }
    }
}

TEST_F(TextureKernelTest, ReadsIntegersAsNormalizedFloats) {
    const std::vector<unsigned char> bytes{0, 51, 102, 255};
    Array array(device, {.format = ArrayFormat::of<unsigned char>(), .width = 4});
    copy(stream, array, bytes);
    const TextureObject texture(array, {.read_mode = ReadMode::normalized_float});
    TypedBuffer<float> out = device.allocate<float>(stream, 4);
    launch(stream, {.block = 4}, kernel("line"), texture, 0.5f, 1.0f, out);
    const std::vector<float> results = read(out);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(results[i], static_cast<float>(bytes[i]) / 255);
}

TEST_F(TextureKernelTest, SamplesVolumesLayersAndCubemaps) {
    const std::vector<float> values = numbers(24);
    Array volume(device, {.format = floats, .width = 4, .height = 3, .depth = 2});
    copy(stream, volume, values);
    TypedBuffer<float> out = device.allocate<float>(stream, 24);
    const TextureObject cells(volume);
    launch(stream, {.block = {4, 3, 2}}, kernel("volume"), cells, out);
    EXPECT_EQ(read(out), values);

    std::vector<int> integers(24);
    std::iota(integers.begin(), integers.end(), 0);
    Array layered(device, {.format = ArrayFormat::of<int>(), .width = 4, .height = 3, .layers = 2});
    copy(stream, layered, integers);
    TypedBuffer<int> out_integers = device.allocate<int>(stream, 24);
    const TextureObject texture(layered);
    launch(stream, {.block = {4, 3, 2}}, kernel("layers"), texture, out_integers);
    EXPECT_EQ(read(out_integers), integers);

    Array cubemaps(device, {.format = floats, .width = 1, .height = 1, .layers = 2, .cubemap = true});
    copy(stream, cubemaps, std::span(values).first(12));
    const TextureObject cube(cubemaps);
    TypedBuffer<float> faces = device.allocate<float>(stream, 12);
    launch(stream, {.block = 12}, kernel("faces"), cube, faces);
    EXPECT_EQ(read(faces), std::vector<float>(values.begin(), values.begin() + 12));
}

TEST_F(TextureKernelTest, SamplesLevelsOfDetail) {
    MipmappedArray array(device, {.format = floats, .width = 4, .height = 4});
    for (unsigned int i = 0; i < 3; ++i) {
        const std::vector<float> level(array.level(i).size_bytes() / sizeof(float), 10.0f * static_cast<float>(i));
        copy(stream, array.level(i), level);
        stream.synchronize();
    }
    TypedBuffer<float> out = device.allocate<float>(stream, 7);
    const auto sample = [&](TextureOptions options) {
        options.normalized_coordinates = true;
        const TextureObject texture(array, options);
        launch(stream, {.block = 7}, kernel("levels"), texture, 0.5f, out);
        return read(out);
    };
    EXPECT_THAT(sample({.mipmap_filter_mode = FilterMode::linear}), ElementsAre(0, 5, 10, 15, 20, 20, 20))
        << "all levels by default";
    EXPECT_THAT(sample({.mipmap_filter_mode = FilterMode::linear, .max_mipmap_level_clamp = 1}),
                ElementsAre(0, 5, 10, 10, 10, 10, 10));
    EXPECT_THAT(sample({.mipmap_filter_mode = FilterMode::linear, .min_mipmap_level_clamp = 1}),
                ElementsAre(10, 10, 10, 15, 20, 20, 20));
    EXPECT_THAT(sample({.mipmap_filter_mode = FilterMode::linear, .mipmap_level_bias = 1}),
                ElementsAre(10, 15, 20, 20, 20, 20, 20));
}

TEST_F(TextureKernelTest, ReadsLinearAndPitchedMemory) {
    struct Int4 {
        int x, y, z, w;
        bool operator==(const Int4&) const = default;
    };
    const std::vector<Int4> values{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
    TypedBuffer<Int4> elements = device.allocate<Int4>(stream, 3);
    copy(stream, elements, values);
    TypedBuffer<Int4> out = device.allocate<Int4>(stream, 3);
    const TextureObject fetched(elements);
    launch(stream, {.block = 3}, kernel("fetch"), fetched, out);
    EXPECT_EQ(read(out), values);
    const TextureObject untyped(elements.bytes(), ArrayFormat::of<Int4>());
    fill(stream, out, std::byte{0});
    launch(stream, {.block = 3}, kernel("fetch"), untyped, out);
    EXPECT_EQ(read(out), values);

    const std::vector<float> image = numbers(64);
    PitchedBuffer<float> rows = device.allocate_pitched<float>(stream, {.width = 8, .height = 8});
    copy(stream, rows, image);
    TypedBuffer<float> pixels = device.allocate<float>(stream, 64);
    const TextureObject plane(rows);
    launch(stream, {.block = {8, 8}}, kernel("plane"), plane, 0.5f, 1.0f, pixels);
    EXPECT_EQ(read(pixels), image);
    const TextureObject span(rows.span());
    fill(stream, pixels, 0.0f);
    launch(stream, {.block = {8, 8}}, kernel("plane"), span, 0.5f, 1.0f, pixels);
    EXPECT_EQ(read(pixels), image);
}

TEST_F(TextureKernelTest, WritesSurfaces) {
    Array array(device, {.format = ArrayFormat::of<int>(), .width = 4, .height = 2, .layers = 3, .surface_load_store = true});
    std::vector<int> values(24), results(24);
    std::iota(values.begin(), values.end(), 100);
    copy(stream, array, values);
    const SurfaceObject surface(array);
    launch(stream, {.block = {4, 2, 3}}, kernel("increment"), surface);
    const KernelFunction<void(driver::CUsurfObject)> increment(kernel("increment"), device);
    increment(stream, {.block = {4, 2, 3}}, surface);
    copy(stream, results, array);
    stream.synchronize();
    for (int& value : values) value += 2;
    EXPECT_EQ(results, values);
}

TEST_F(TextureKernelTest, PassesThroughKernelFunctions) {
    const std::vector<float> row = numbers(4);
    Array array(device, {.format = floats, .width = 4});
    copy(stream, array, row);
    const TextureObject texture(array);
    TypedBuffer<float> out = device.allocate<float>(stream, 4);
    const KernelFunction<void(driver::CUtexObject, float, float, float*)> line(kernel("line"), device);
    line(stream, {.block = 4}, texture, 0.5f, 1.0f, out);
    EXPECT_EQ(read(out), row);
    line(stream, {.block = 4}, texture.native_handle(), 0.5f, 1.0f, out);
    line(stream, {.block = 4}, TextureRef(texture.native_handle()), 0.5f, 1.0f, out);
    EXPECT_EQ(read(out), row);
    EXPECT_THAT(message_of<std::invalid_argument>([&] { launch(stream, {}, kernel("line"), 0.5f, 0.5f, 1.0f, out); }),
                HasSubstr("argument 1 has 4 bytes, but parameter 1 has 8"));
    TextureObject empty;
    EXPECT_THROW(launch(stream, {}, kernel("line"), empty, 0.5f, 1.0f, out), std::invalid_argument);
    EXPECT_THROW(line(stream, {}, empty, 0.5f, 1.0f, out), std::invalid_argument);
}

TEST_F(TextureKernelTest, IsRetainedByGraphs) {
    const std::vector<float> row = numbers(4);
    TypedBuffer<float> out = device.allocate<float>(stream, 4);
    const KernelFunction<void(driver::CUtexObject, float, float, float*)> line(kernel("line"), device);
    for (const bool is_function : {false, true}) {
        fill(stream, out, 0.0f);
        stream.synchronize();
        Graph graph;
        {
            Array array(device, {.format = floats, .width = 4});
            copy(stream, array, row);
            stream.synchronize();
            const TextureObject texture(array);
            array.close();  // the texture retains it
            GraphBuilder builder(device);
            builder.begin_building();
            if (is_function) {
                line(builder, {.block = 4}, texture, 0.5f, 1.0f, out);
            } else {
                launch(builder, {.block = 4}, kernel("line"), texture, 0.5f, 1.0f, out);
            }
            graph = builder.end_building().complete();
        }
        graph.launch(stream);
        EXPECT_EQ(read(out), row);
    }
}

}  // namespace
}  // namespace cubind::testing
