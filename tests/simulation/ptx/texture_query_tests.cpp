// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "texture_runner.hpp"

namespace cubind::testing::texture_query_tests {
namespace {

using sim::ptx::ChannelType;
using sim::ptx::Geometry;
using ::testing::HasSubstr;

struct Shape {
    Geometry geometry;
    std::uint32_t width, height, slices;
    bool has_height, has_depth;
};
constexpr Shape shapes[] = {
    {Geometry::linear, 1000, 1, 1, false, false},     {Geometry::line, 37, 1, 1, false, false},
    {Geometry::plane, 9, 5, 1, true, false},          {Geometry::volume, 6, 4, 3, true, true},
    {Geometry::layered_line, 12, 1, 7, false, false}, {Geometry::layered_plane, 10, 3, 2, true, false},
    {Geometry::cube, 8, 8, 6, true, false},           {Geometry::layered_cube, 4, 4, 12, true, false},
};

sim::ptx::Texture texture_of(const Shape& shape) {
    return TextureMemory<float>(shape.geometry, ChannelType::f32, 1, shape.width, shape.height, shape.slices).texture;
}

// Runs a query of one object. Returns all bits set, as the register has them at first, if the query fails as not supported.
std::uint32_t run_query(const std::string& query, const sim::ptx::Texture& texture, std::uint32_t operand = 0) {
    TextureRunner runner(query);
    runner.textures.all = {texture};
    TextureInput input;
    input.others[0] = operand;
    const std::uint32_t size = runner.run({input})[0][0];
    if (runner.result.status == driver::CUDA_SUCCESS) return size;
    EXPECT_EQ(runner.result.status, driver::CUDA_ERROR_NOT_SUPPORTED) << runner.result.problem;
    return ~0u;
}

TEST(TextureQueryTest, ReturnsTheSizesOfEachGeometry) {
    for (const Shape& shape : shapes) {
        SCOPED_TRACE(static_cast<int>(shape.geometry));
        const auto texture = texture_of(shape);
        for (const std::string opcode : {"txq", "suq"}) {
            EXPECT_EQ(run_query(opcode + ".width.b32 %d0, [%t];", texture), shape.width);
            EXPECT_EQ(run_query(opcode + ".height.b32 %d0, [%t];", texture), shape.has_height ? shape.height : ~0u);
            EXPECT_EQ(run_query(opcode + ".depth.b32 %d0, [%t];", texture), shape.has_depth ? shape.slices : ~0u);
        }
    }
}

TEST(TextureQueryTest, ReturnsTheSizesOfLevels) {
    auto texture = texture_of({Geometry::volume, 16, 8, 4, true, true});
    for (unsigned level = 1; level < 5; ++level) {
        sim::ptx::TextureLevel next = texture.levels[0];
        next.width = 16 >> level;
        next.height = std::max(8u >> level, 1u);
        next.depth = std::max(4u >> level, 1u);
        texture.levels.push_back(next);
    }
    constexpr std::uint32_t sizes[5][3] = {{16, 8, 4}, {8, 4, 2}, {4, 2, 1}, {2, 1, 1}, {1, 1, 1}};
    for (std::uint32_t level = 0; level < 5; ++level) {
        EXPECT_EQ(run_query("txq.level.width.b32 %d0, [%t], %g0;", texture, level), sizes[level][0]);
        EXPECT_EQ(run_query("txq.level.height.b32 %d0, [%t], %g0;", texture, level), sizes[level][1]);
        EXPECT_EQ(run_query("txq.level.depth.b32 %d0, [%t], " + std::to_string(level) + ";", texture), sizes[level][2]);
    }
    EXPECT_EQ(run_query("txq.level.width.b32 %d0, [%t], %g0;", texture, 5), ~0u);
    EXPECT_EQ(run_query("txq.level.width.b32 %d0, [%t], -1;", texture), ~0u);
}

TEST(TextureQueryTest, WritesActiveThreadsOnly) {
    TextureRunner runner("setp.lt.u32 %p, %c0, 40;\n@%p txq.height.b32 %d1, [%t];");
    runner.textures.all = {texture_of({Geometry::plane, 9, 5, 1, true, false})};
    std::vector<TextureInput> inputs(64);
    for (std::uint32_t i = 0; i < 64; ++i) inputs[i].coordinates[0] = i;
    const auto results = runner.read(inputs);
    for (std::uint32_t i = 0; i < 64; ++i) EXPECT_EQ(results[i][1], i < 40 ? 5u : ~0u);
}

TEST(TextureQueryTest, FailsForAnInvalidHandle) {
    for (const std::string opcode : {"txq", "suq"}) {
        TextureRunner runner(opcode + ".width.b32 %d0, [%t];");
        runner.run({TextureInput{}}, 77);
        EXPECT_EQ(runner.result.status, driver::CUDA_ERROR_ILLEGAL_ADDRESS);
        EXPECT_THAT(runner.result.problem, HasSubstr("0x4d is not the handle of a "));
    }
}

TEST(TextureQueryTest, RejectsOtherQueriesAndOperands) {
    for (const char* const text : {
             "txq.channel_data_type.b32 %d0, [%t];",
             "txq.filter_mode.b32 %d0, [%t];",
             "txq.num_mipmap_levels.b32 %d0, [%t];",
             "suq.memory_layout.b32 %d0, [%t];",
             "suq.level.width.b32 %d0, [%t], 0;",
             "txq.width.u32 %d0, [%t];",
             "txq.width.b32 %l0, [%t];",
             "txq.width.b32 %d0, [%d1];",
             "txq.width.b32 %d0, [%t+4];",
             "txq.width.b32 %d0, [%t, {%c0}];",
             "txq.level.width.b32 %d0, [%t], %l0;",
         }) {
        EXPECT_EQ(run_query(text, texture_of({Geometry::plane, 9, 5, 1, true, false})), ~0u) << text;
    }
}

}  // namespace
}  // namespace cubind::testing::texture_query_tests
