// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "texture_runner.hpp"

namespace cubind::testing::texture_tests {
namespace {

using sim::ptx::AddressMode;
using sim::ptx::ChannelType;
using sim::ptx::Geometry;

// The inputs of the recorded results.
constexpr std::uint32_t hash(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

std::vector<TextureInput> floats(std::size_t count, const std::function<std::array<float, 4>(std::uint32_t)>& make) {
    std::vector<TextureInput> inputs(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto values = make(static_cast<std::uint32_t>(i));
        for (std::size_t k = 0; k < 4; ++k) inputs[i].coordinates[k] = bits_of(values[k]);
    }
    return inputs;
}

std::uint64_t checksum(const std::vector<Words>& results) {
    std::uint64_t sum = 0xcbf29ce484222325;
    for (const Words& each : results) sum = (sum ^ each[0]) * 0x100000001b3;
    return sum;
}

TextureMemory<float> float_texture(Geometry geometry, std::uint32_t width, std::uint32_t height = 1, std::uint32_t slices = 1) {
    TextureMemory<float> memory(geometry, ChannelType::f32, 1, width, height, slices);
    for (std::size_t i = 0; i < memory.values.size(); ++i) {
        memory.values[i] = static_cast<float>(static_cast<int>(hash(static_cast<std::uint32_t>(i)))) * (1.f / (1 << 30));
    }
    return memory;
}

constexpr const char* read_1d = "tex.1d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%c0}];";
constexpr const char* read_2d = "tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%c0, %c1}];";

// The checksums are those of what an H200 computes.
TEST(TextureTest, FiltersALineAsAnH200) {
    TextureRunner runner(read_1d);
    auto memory = float_texture(Geometry::line, 64);
    memory.texture.is_linear = true;
    runner.textures.all = {memory.texture};
    const auto results = runner.read(floats(65536, [](std::uint32_t i) {
        return std::array{static_cast<float>(i) * (1.f / 1024), 0.f, 0.f, 0.f};
    }));
    EXPECT_EQ(checksum(results), 0x5a9d1c7f598beca5);
}

TEST(TextureTest, FiltersBytesAsAnH200) {
    TextureRunner runner(read_1d);
    TextureMemory<std::uint8_t> memory(Geometry::line, ChannelType::u8, 1, 64);
    for (std::uint32_t i = 0; i < 64; ++i) memory.values[i] = static_cast<std::uint8_t>(hash(i));
    memory.texture.is_linear = memory.texture.is_normalized = true;
    runner.textures.all = {memory.texture};
    const auto results = runner.read(floats(65536, [](std::uint32_t i) {
        return std::array{static_cast<float>(i) * (1.f / 1024), 0.f, 0.f, 0.f};
    }));
    EXPECT_EQ(checksum(results), 0x1515d066d7b6b1e3);
}

TEST(TextureTest, FiltersAPlaneAsAnH200) {
    TextureRunner runner(read_2d);
    auto memory = float_texture(Geometry::plane, 8, 8);
    memory.texture.is_linear = true;
    runner.textures.all = {memory.texture};
    const auto results = runner.read(floats(65536, [](std::uint32_t i) {
        return std::array{static_cast<float>(hash(i) >> 8) * (8.f / (1 << 24)),
                          static_cast<float>(hash(i + 99) >> 8) * (8.f / (1 << 24)), 0.f, 0.f};
    }));
    EXPECT_EQ(checksum(results), 0xc252615ebf876213);
}

// The texel that a mode selects, by counting steps from texel to texel. Returns -1 for the border.
int walk(AddressMode mode, int index, int size) {
    if (index >= 0 && index < size) return index;
    if (mode == AddressMode::border) return -1;
    if (mode == AddressMode::clamp) return index < 0 ? 0 : size - 1;
    const bool is_before = index < 0;
    int at = is_before ? 0 : size - 1;
    int step = is_before ? -1 : 1;
    for (int left = is_before ? -index : index - (size - 1); left > 0; --left) {
        const int next = at + step;
        if (next >= 0 && next < size) {
            at = next;
        } else if (mode == AddressMode::wrap) {
            at = step > 0 ? 0 : size - 1;
        } else {
            step = -step;  // the texel at the edge is read twice
        }
    }
    return at;
}

TEST(TextureTest, SelectsTheTexelOfEachAddressMode) {
    constexpr int size = 7;
    for (const AddressMode mode : {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror, AddressMode::border}) {
        for (const bool is_normalized : {false, true}) {
            TextureRunner runner(read_1d);
            auto memory = float_texture(Geometry::line, size);
            memory.texture.address.fill(mode);
            memory.texture.border = {9, 0, 0, 0};
            memory.texture.has_normalized_coordinates = is_normalized;
            runner.textures.all = {memory.texture};
            std::vector<TextureInput> inputs(200);
            for (int i = 0; i < 200; ++i) {
                const float center = static_cast<float>(i - 100) + 0.5f;
                inputs[static_cast<std::size_t>(i)].coordinates[0] = bits_of(is_normalized ? center / size : center);
            }
            const auto results = runner.read(inputs);
            const bool repeats = is_normalized || mode == AddressMode::border;
            for (int i = 0; i < 200; ++i) {
                const int index = walk(repeats ? mode : AddressMode::clamp, i - 100, size);
                const float expected = index < 0 ? 9.0f : memory.values[static_cast<std::size_t>(index)];
                const Words words = {bits_of(expected), 0, 0, bits_of(1)};
                EXPECT_EQ(results[static_cast<std::size_t>(i)], words) << static_cast<int>(mode) << ' ' << i - 100;
            }
        }
    }
}

TEST(TextureTest, AcceptsAllCoordinates) {
    for (const AddressMode mode : {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror, AddressMode::border}) {
        for (const bool is_linear : {false, true}) {
            TextureRunner runner("tex.3d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%c0, %c1, %c2, %c2}];");
            auto memory = float_texture(Geometry::volume, 3, 5, 2);
            memory.texture.address.fill(mode);
            memory.texture.is_linear = is_linear;
            memory.texture.has_normalized_coordinates = true;
            runner.textures.all = {memory.texture};
            std::vector<TextureInput> inputs(1000);
            for (std::uint32_t i = 0; i < 1000; ++i) {
                for (std::uint32_t k = 0; k < 4; ++k) inputs[i].coordinates[k] = hash(4 * i + k);
            }
            inputs[0].coordinates = {0x7f800000, 0xff800000, 0x7fc00000, 0};
            runner.read(inputs);
        }
    }
}

// The sum of the weighted texels, with weights that are not rounded, is near.
TEST(TextureTest, FiltersAVolume) {
    TextureRunner runner("tex.3d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%c0, %c1, %c2, %c2}];");
    auto memory = float_texture(Geometry::volume, 4, 5, 6);
    memory.texture.is_linear = true;
    runner.textures.all = {memory.texture};
    const auto inputs = floats(2000, [](std::uint32_t i) {
        const auto part = [&](std::uint32_t k) { return static_cast<float>(hash(3 * i + k) >> 8) * 0x1p-24f; };
        return std::array{4 * part(0), 5 * part(1), 6 * part(2), 0.f};
    });
    const auto results = runner.read(inputs);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const int sizes[] = {4, 5, 6};
        double expected = 0;
        for (unsigned corner = 0; corner < 8; ++corner) {
            double weight = 1;
            std::size_t index = 0;
            for (unsigned axis = 3; axis-- > 0;) {
                const double place = static_cast<double>(float_of(inputs[i].coordinates[axis])) - 0.5;
                const double fraction = place - std::floor(place);
                const bool is_second = (corner >> axis & 1) != 0;
                weight *= is_second ? fraction : 1 - fraction;
                const int at = walk(AddressMode::clamp, static_cast<int>(std::floor(place)) + is_second, sizes[axis]);
                index = index * static_cast<std::size_t>(sizes[axis]) + static_cast<std::size_t>(at);
            }
            expected += weight * static_cast<double>(memory.values[index]);
        }
        EXPECT_NEAR(static_cast<double>(float_of(results[i][0])), expected, 0.06);
    }
}

TEST(TextureTest, ConvertsFormats) {
    const auto read_first = [](sim::ptx::Texture texture, auto instruction) {
        TextureRunner runner(instruction);
        runner.textures.all = {std::move(texture)};
        return runner.read({TextureInput{}})[0];
    };
    TextureMemory<std::int8_t> bytes(Geometry::plane, ChannelType::s8, 4, 1);
    bytes.values = {-128, -127, 127, -1};
    EXPECT_EQ(read_first(bytes.texture, read_2d), (Words{0xffffff80, 0xffffff81, 127, 0xffffffff}));
    bytes.texture.is_normalized = true;
    EXPECT_EQ(read_first(bytes.texture, read_2d), (Words{bits_of(-1), bits_of(-1), bits_of(1), bits_of(-1 / 127.f)}));
    TextureMemory<std::uint16_t> words(Geometry::plane, ChannelType::u16, 2, 1);
    words.values = {65535, 13107};
    EXPECT_EQ(read_first(words.texture, read_2d), (Words{65535, 13107, 0, 1}));
    words.texture.is_normalized = true;
    EXPECT_EQ(read_first(words.texture, read_2d), (Words{bits_of(1), bits_of(0.2f), 0, bits_of(1)}));
    words.texture.type = ChannelType::f16;
    words.values = {0x3555, 0x8001};
    EXPECT_EQ(read_first(words.texture, read_2d), (Words{0x3eaaa000, bits_of(-0x1p-24f), 0, bits_of(1)}));
    TextureMemory<std::uint8_t> unsigned_bytes(Geometry::plane, ChannelType::u8, 1, 1);
    unsigned_bytes.texture.is_normalized = true;
    for (int i = 0; i < 256; ++i) {
        unsigned_bytes.values = {static_cast<std::uint8_t>(i)};
        unsigned_bytes.texture.levels[0].data = reinterpret_cast<std::byte*>(unsigned_bytes.values.data());
        EXPECT_EQ(read_first(unsigned_bytes.texture, read_2d)[0], bits_of(static_cast<float>(i) / 255.f));
    }
}

TEST(TextureTest, ReadsLinearMemoryByTheIndex) {
    TextureRunner runner("tex.1d.v4.s32.s32 {%d0, _, %d2, %d3}, [%t, {%c0}];");
    TextureMemory<std::uint32_t> memory(Geometry::linear, ChannelType::u32, 1, 3);
    memory.values = {5, 6, 7};
    runner.textures.all = {memory.texture};
    std::vector<TextureInput> inputs(5);
    for (std::uint32_t i = 0; i < 5; ++i) inputs[i].coordinates[0] = i - 1;
    const auto results = runner.read(inputs);
    const std::array<std::uint32_t, 5> expected = {0, 5, 6, 7, 0};
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(results[i], (Words{expected[i], ~0u, 0, 1}));
}

TEST(TextureTest, ClampsTheLayer) {
    TextureRunner runner("tex.a2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%c0, %c1, %c2, %c3}];");
    auto memory = float_texture(Geometry::layered_plane, 2, 3, 4);
    runner.textures.all = {memory.texture};
    std::vector<TextureInput> inputs(6);
    for (std::uint32_t i = 0; i < 6; ++i) inputs[i].coordinates = {i, bits_of(1.5f), bits_of(2.5f), 0};
    const auto results = runner.read(inputs);
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(float_of(results[i][0]), memory.values[6 * std::min<std::size_t>(i, 3) + 5]);
}

TEST(TextureTest, SelectsTheFaceOfACube) {
    TextureRunner runner("tex.acube.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%c0, %c1, %c2, %c3}];");
    auto memory = float_texture(Geometry::layered_cube, 2, 2, 12);
    memory.texture.has_normalized_coordinates = true;
    runner.textures.all = {memory.texture};
    // Directions to the texel at column 1 of row 0 of each face.
    const std::array<std::array<float, 3>, 6> directions = {
        {{2, 1, -1}, {-2, 1, 1}, {1, 2, -1}, {1, -2, 1}, {1, 1, 2}, {-1, 1, -2}}};
    std::vector<TextureInput> inputs(12);
    for (std::uint32_t i = 0; i < 12; ++i) {
        const auto& d = directions[i % 6];
        inputs[i].coordinates = {i / 6, bits_of(d[0]), bits_of(d[1]), bits_of(d[2])};
    }
    const auto results = runner.read(inputs);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(float_of(results[i][0]), memory.values[4 * i + 1]) << i;
}

TEST(TextureTest, SelectsTheLevel) {
    for (const bool is_linear : {false, true}) {
        TextureRunner runner("tex.level.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%c0, %c1}], %g0;");
        auto memory = float_texture(Geometry::plane, 4, 4);
        auto second = float_texture(Geometry::plane, 2, 2);
        second.values = {10, 20, 30, 40};
        memory.texture.levels.push_back(second.texture.levels[0]);
        memory.texture.has_normalized_coordinates = true;
        memory.texture.is_linear_of_levels = is_linear;
        memory.texture.max_level = 1;
        runner.textures.all = {memory.texture};
        std::vector<TextureInput> inputs(5);
        const std::array<float, 5> levels = {-1, 0.25f, 0.75f, 1, 7};
        for (std::size_t i = 0; i < 5; ++i) {
            inputs[i].coordinates = {bits_of(0.6f), bits_of(0.1f), 0, 0};
            inputs[i].others[0] = bits_of(levels[i]);
        }
        const auto results = runner.read(inputs);
        const float first = memory.values[2];
        const std::array<float, 5> expected = {first, is_linear ? 0.75f * first + 5 : first, is_linear ? 0.25f * first + 15 : 20,
                                               20, 20};
        for (std::size_t i = 0; i < 5; ++i) EXPECT_FLOAT_EQ(float_of(results[i][0]), expected[i]) << i;
    }
}

TEST(TextureTest, GathersTheTexelsOfAFilter) {
    TextureRunner runner("tld4.g.2d.v4.u32.f32 {%d0, %d1, %d2, %d3}, [%t, {%c0, %c1}];");
    TextureMemory<std::uint8_t> memory(Geometry::plane, ChannelType::u8, 2, 3, 3);
    for (std::uint8_t i = 0; i < 18; ++i) memory.values[i] = i;
    runner.textures.all = {memory.texture};
    TextureInput inside;
    inside.coordinates = {bits_of(2.1f), bits_of(1.2f), 0, 0};
    EXPECT_EQ(runner.read({inside})[0], (Words{9, 11, 5, 3}));
}

TEST(TextureTest, FailsForWhatIsNotSimulated) {
    TextureRunner runner(read_2d);
    auto memory = float_texture(Geometry::plane, 4, 4);
    auto line = float_texture(Geometry::line, 4);
    auto integers = memory;
    integers.texture.type = ChannelType::u32;
    integers.texture.is_linear = true;
    memory.texture.problem = "has a reason";
    runner.textures.all = {memory.texture, line.texture, integers.texture};
    for (const std::uint64_t handle : {1u, 2u, 3u}) {
        runner.run({TextureInput{}}, handle);
        EXPECT_EQ(runner.result.status, driver::CUDA_ERROR_NOT_SUPPORTED);
        EXPECT_NE(runner.result.problem.find("texture"), std::string::npos) << runner.result.problem;
    }
    runner.run({TextureInput{}}, 4);
    EXPECT_EQ(runner.result.status, driver::CUDA_ERROR_ILLEGAL_ADDRESS);
}

}  // namespace
}  // namespace cubind::testing::texture_tests
