// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>

#include "kernel_runner.hpp"

/// Runs reads of textures and accesses of surfaces.
namespace cubind::testing {

using Words = std::array<std::uint32_t, 4>;

/// Objects of tests, by handles that begin at 1.
class TestTextures : public sim::ptx::TextureSource {
public:
    const sim::ptx::Texture* find_texture(std::uint64_t handle) override {
        return handle - 1 < all.size() ? &all[handle - 1] : nullptr;
    }
    const sim::ptx::Texture* find_surface(std::uint64_t handle) override { return find_texture(handle); }

    std::vector<sim::ptx::Texture> all;
};

/// The coordinates of a thread, %c0 to %c3, and other operands, %g0 to %g7.
struct TextureInput {
    std::array<std::uint32_t, 4> coordinates{};
    std::array<std::uint32_t, 8> others{};
};

inline std::uint32_t bits_of(float value) {
    return std::bit_cast<std::uint32_t>(value);
}
inline float float_of(std::uint32_t bits) {
    return std::bit_cast<float>(bits);
}

/// Returns PTX that runs an instruction for each input. Its handle is %t, results are %d0 to %d3 (all bits set at first), of
/// 16 bits %h0 to %h3, and of 64 bits %l0 and %l1.
inline std::string texture_kernel(const std::string& instruction) {
    std::string text =
        ".version 8.8\n.target sm_90\n.address_size 64\n.visible .entry test(.param .u64 out, .param .u64 in, .param .u64 count, "
        ".param .u64 texture) {\n.reg .b32 %c<4>, %g<8>, %d<4>, %i, %n, %b;\n.reg .b64 %t, %in, %out, %w, %count, %l<2>;\n"
        ".reg .b16 %h<4>;\n.reg .pred %p;\n"
        "mov.u32 %i, %tid.x;\nmov.u32 %n, %ntid.x;\nmov.u32 %b, %ctaid.x;\nmad.lo.s32 %i, %b, %n, %i;\nmul.wide.u32 %w, %i, 1;\n"
        "ld.param.u64 %count, [count];\nsetp.ge.u64 %p, %w, %count;\n@%p ret;\nld.param.u64 %t, [texture];\n"
        "ld.param.u64 %in, [in];\nmul.wide.u32 %w, %i, 48;\nadd.s64 %in, %in, %w;\nld.param.u64 %out, [out];\n"
        "mul.wide.u32 %w, %i, 16;\nadd.s64 %out, %out, %w;\n";
    for (int i = 0; i < 4; ++i) {
        const std::string number = std::to_string(i);
        text += "ld.global.b32 %c" + number + ", [%in+" + std::to_string(4 * i) + "];\nmov.b32 %d" + number + ", -1;\n";
        text += "cvt.u16.u32 %h" + number + ", %c" + number + ";\n";
    }
    for (int i = 0; i < 8; ++i) text += "ld.global.b32 %g" + std::to_string(i) + ", [%in+" + std::to_string(16 + 4 * i) + "];\n";
    text += "mov.b64 %l0, {%g0, %g1};\nmov.b64 %l1, {%g2, %g3};\n" + instruction + "\n";
    for (int i = 0; i < 4; ++i) text += "st.global.b32 [%out+" + std::to_string(4 * i) + "], %d" + std::to_string(i) + ";\n";
    return text + "ret;\n}\n";
}

/// Runs instructions for each input.
class TextureRunner {
public:
    explicit TextureRunner(const std::string& instruction) : runner_(texture_kernel(instruction)), instruction_(instruction) {
        runner_.prototype.textures = &textures;
    }

    /// Stores the result of the launch in `result`.
    std::vector<Words> run(const std::vector<TextureInput>& inputs, std::uint64_t handle = 1) {
        const std::uint64_t out = runner_.memory.allocate(inputs.size() * sizeof(Words));
        const std::uint64_t in = runner_.memory.add(inputs);
        const auto blocks = static_cast<unsigned>((inputs.size() + 127) / 128);
        result = runner_.run("test", {blocks, 1, 1}, {128, 1, 1}, {out, in, inputs.size(), handle});
        return runner_.memory.read<Words>(out, inputs.size());
    }
    /// Requires that the launch succeeds.
    std::vector<Words> read(const std::vector<TextureInput>& inputs) {
        auto words = run(inputs);
        EXPECT_EQ(result.status, driver::CUDA_SUCCESS) << instruction_ << ": " << result.problem;
        return words;
    }

    TestTextures textures;
    sim::ptx::GridResult result;

private:
    KernelRunner runner_;
    std::string instruction_;
};

/// A texture with memory of its own.
template <class Value>
struct TextureMemory {
    TextureMemory(sim::ptx::Geometry geometry, sim::ptx::ChannelType type, std::uint8_t channels, std::uint32_t width,
                  std::uint32_t height = 1, std::uint32_t slices = 1)
        : values(std::size_t{channels} * width * height * slices) {
        texture.geometry = geometry;
        texture.type = type;
        texture.channels = channels;
        sim::ptx::TextureLevel level;
        level.data = reinterpret_cast<std::byte*>(values.data());
        level.width = width;
        level.height = height;
        (geometry == sim::ptx::Geometry::volume ? level.depth : level.layers) = slices;
        level.pitch = std::size_t{channels} * width * sizeof(Value);
        level.slice = level.pitch * height;
        texture.levels.push_back(level);
    }
    std::vector<Value> values;
    sim::ptx::Texture texture;
};

}  // namespace cubind::testing
