// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "texture_runner.hpp"

namespace cubind::testing::surface_tests {
namespace {

using sim::ptx::ChannelType;
using sim::ptx::Geometry;

TextureMemory<std::uint8_t> numbered_bytes(Geometry geometry, std::uint32_t width, std::uint32_t height = 1,
                                           std::uint32_t slices = 1) {
    TextureMemory<std::uint8_t> memory(geometry, ChannelType::u8, 4, width, height, slices);
    for (std::size_t i = 0; i < memory.values.size(); ++i) memory.values[i] = static_cast<std::uint8_t>(i * 7 + 1);
    return memory;
}

// Coordinates inside of the surface and just outside of it.
std::vector<TextureInput> places(Geometry geometry, std::uint32_t access_bytes) {
    std::vector<TextureInput> inputs;
    const auto signed_word = [](int value) { return static_cast<std::uint32_t>(value); };
    for (int z = -1; z < 4; ++z) {
        for (int y = -1; y < 5; ++y) {
            for (int x = -1; x < static_cast<int>(32 / access_bytes) + 1; ++x) {
                TextureInput input;
                const std::uint32_t byte = signed_word(x * static_cast<int>(access_bytes));
                switch (geometry) {
                    case Geometry::line:
                    case Geometry::plane:
                    case Geometry::volume:
                        input.coordinates = {byte, signed_word(y), signed_word(z), 0};
                        break;
                    default:
                        input.coordinates = {signed_word(z), byte, signed_word(y), 0};
                }
                for (std::uint32_t i = 0; i < 8; ++i) input.others[i] = 0x01010101 * (i + 1) + byte;
                inputs.push_back(input);
            }
        }
    }
    return inputs;
}

/// The offset of an access in the memory of the surface. Returns -1 outside.
struct Model {
    Geometry geometry;
    int row, height, slices;
    int bytes;

    int offset(const TextureInput& input, bool is_clamped) const {
        const bool is_layer_first = geometry == Geometry::layered_line || geometry == Geometry::layered_plane;
        const auto at = [&](unsigned i) { return static_cast<int>(input.coordinates[i]); };
        int x = at(is_layer_first ? 1 : 0);
        int y = geometry == Geometry::line || geometry == Geometry::layered_line ? 0 : at(is_layer_first ? 2 : 1);
        // The index of a layer is unsigned, so -1 is far outside.
        int z = geometry == Geometry::volume ? at(2) : is_layer_first ? at(0) < 0 ? 1000 : at(0) : 0;
        if (is_clamped) {
            x = std::min(std::max(x, 0), row - bytes);
            y = std::min(std::max(y, 0), height - 1);
            z = std::min(std::max(z, 0), slices - 1);
        }
        const bool is_inside = x >= 0 && x + bytes <= row && y >= 0 && y < height && z >= 0 && z < slices;
        return is_inside ? (z * height + y) * row + x : -1;
    }
};

struct Shape {
    Geometry geometry;
    const char* name;
    const char* coordinates;
    std::uint32_t height;
    std::uint32_t slices;
};
constexpr Shape shapes[] = {
    {Geometry::line, ".1d", "{%c0}", 1, 1},
    {Geometry::plane, ".2d", "{%c0, %c1}", 4, 1},
    {Geometry::volume, ".3d", "{%c0, %c1, %c2, %c2}", 4, 3},
    {Geometry::layered_line, ".a1d", "{%c0, %c1}", 1, 3},
    {Geometry::layered_plane, ".a2d", "{%c0, %c1, %c2, %c2}", 4, 3},
};

TEST(SurfaceTest, LoadsAndStoresInsideAndOutside) {
    struct Access {
        const char* type;
        const char* loaded;
        const char* after;  ///< moves what was loaded to the results
        const char* stored;
        std::uint32_t bytes;
        unsigned words;
    };
    constexpr Access accesses[] = {
        {".b8", "{%d0}", "", "{%g0}", 1, 1},
        {".b16", "{%h0}", "cvt.u32.u16 %d0, %h0;", "{%g0}", 2, 1},
        {".b32", "%d0", "", "%g0", 4, 1},
        {".b64", "{%l0}", "mov.b64 {%d0, %d1}, %l0;", "{%l0}", 8, 2},
        {".v2.b32", "{%d0, %d1}", "", "{%g0, %g1}", 8, 2},
        {".v4.b32", "{%d0, %d1, %d2, %d3}", "", "{%g0, %g1, %g2, %g3}", 16, 4},
        {".v2.b64", "{%l0, %l1}", "mov.b64 {%d0, %d1}, %l0; mov.b64 {%d2, %d3}, %l1;", "{%l0, %l1}", 16, 4},
    };
    for (const Shape& shape : shapes) {
        for (const Access& access : accesses) {
            for (const bool is_clamped : {false, true}) {
                const std::string modifiers = ".b" + std::string(shape.name) + access.type + (is_clamped ? ".clamp" : ".zero");
                SCOPED_TRACE(modifiers);
                auto memory = numbered_bytes(shape.geometry, 8, shape.height, shape.slices);
                const Model model{shape.geometry, 32, static_cast<int>(shape.height), static_cast<int>(shape.slices),
                                  static_cast<int>(access.bytes)};
                const auto inputs = places(shape.geometry, access.bytes);
                TextureRunner load("suld" + modifiers + " " + access.loaded + ", [%t, " + shape.coordinates + "]; " +
                                   access.after);
                load.textures.all = {memory.texture};
                const auto loaded = load.read(inputs);
                TextureRunner store("sust" + modifiers + " [%t, " + shape.coordinates + "], " + access.stored + ";");
                store.textures.all = {memory.texture};
                const auto before = memory.values;
                auto expected_memory = memory.values;
                store.read(inputs);
                int failures = 0;
                for (std::size_t i = 0; i < inputs.size(); ++i) {
                    const int offset = model.offset(inputs[i], is_clamped);
                    Words expected = {~0u, ~0u, ~0u, ~0u};
                    std::fill_n(expected.begin(), access.words, 0u);
                    if (offset >= 0) std::memcpy(expected.data(), before.data() + offset, access.bytes);
                    failures += expected != loaded[i];
                    if (offset < 0) continue;
                    // Threads that store to the same place do so in the order of their indices, within a warp and in turn.
                    std::memcpy(expected_memory.data() + offset, inputs[i].others.data(), access.bytes);
                }
                EXPECT_EQ(failures, 0);
                EXPECT_EQ(memory.values, expected_memory);
            }
        }
    }
}

TEST(SurfaceTest, TrapsOutsideOfTheSurface) {
    for (const std::string instruction :
         {"suld.b.2d.b32.trap %d0, [%t, {%c0, %c1}];", "sust.b.2d.b32.trap [%t, {%c0, %c1}], %g0;"}) {
        TextureRunner runner(instruction);
        auto memory = numbered_bytes(Geometry::plane, 8, 4);
        const auto before = memory.values;
        runner.textures.all = {memory.texture};
        TextureInput input;
        input.coordinates = {28, 3, 0, 0};
        runner.read({input});
        for (const auto& [x, y] : {std::pair{32u, 0u}, {0u, 4u}, {static_cast<std::uint32_t>(-4), 0u}, {0u, ~0u}}) {
            input.coordinates = {x, y, 0, 0};
            runner.run({input});
            EXPECT_EQ(runner.result.status, driver::CUDA_ERROR_LAUNCH_FAILED);
            EXPECT_NE(runner.result.problem.find("outside"), std::string::npos);
        }
        input.coordinates = {2, 0, 0, 0};
        runner.run({input});
        EXPECT_EQ(runner.result.status, driver::CUDA_ERROR_MISALIGNED_ADDRESS);
        runner.run({input}, 7);
        EXPECT_EQ(runner.result.status, driver::CUDA_ERROR_ILLEGAL_ADDRESS);
    }
}

}  // namespace
}  // namespace cubind::testing::surface_tests
