// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "ptx/handlers/families.hpp"
#include "texture_runner.hpp"

namespace cubind::testing::texture_form_tests {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

// Returns the modifiers of each instruction that a row accepts.
std::vector<std::string> expand(std::string_view groups) {
    std::vector<std::string> all = {""};
    for (std::string group : split(groups, ' ')) {
        std::vector<std::string> next;
        if (group.starts_with('[')) {
            next = all;
            group = group.substr(1, group.size() - 2);
        }
        for (const std::string& alternative : split(group, '|')) {
            for (const std::string& begin : all) next.push_back(begin + alternative);
        }
        all = std::move(next);
    }
    return all;
}

std::string coordinates_for(const std::string& modifiers) {
    const bool has_one = modifiers.find(".1d") != std::string::npos;
    const bool has_two = modifiers.find(".2d") != std::string::npos || modifiers.find(".a1d") != std::string::npos;
    return has_one ? "{%c0}" : has_two ? "{%c0, %c1}" : "{%c0, %c1, %c2, %c3}";
}

std::string gradient_for(const std::string& modifiers) {
    const bool has_one = modifiers.find("1d") != std::string::npos;
    const bool has_two = modifiers.find("2d") != std::string::npos;
    return has_one ? "{%g0}" : has_two ? "{%g0, %g1}" : "{%g0, %g1, %g2, %g3}";
}

std::string values_for(const std::string& modifiers) {
    const bool is_wide = modifiers.find(".b64") != std::string::npos;
    if (modifiers.find(".v4") != std::string::npos) return "{%d0, %d1, %d2, %d3}";
    if (modifiers.find(".v2") != std::string::npos) return is_wide ? "{%l0, %l1}" : "{%d0, %d1}";
    return is_wide ? "{%l0}" : "{%d0}";
}

// The tests pass no valid object. With a handler, an instruction fails with an illegal address; without, as not supported.
TEST(TextureFormTest, HasAHandlerForEachAlternative) {
    std::size_t count = 0;
    const std::set<std::string_view> opcodes = {"tex", "tld4", "suld", "sust"};
    for (const sim::ptx::Forms& family : sim::ptx::families()) {
        for (const sim::ptx::Form& form : family) {
            if (!opcodes.contains(form.opcode)) continue;
            for (const std::string& modifiers : expand(form.modifiers)) {
                ++count;
                std::string text(form.opcode);
                text += modifiers;
                const std::string object = "[%t, " + coordinates_for(modifiers) + "]";
                const std::string values = values_for(modifiers);
                text += form.opcode == "sust" ? " " + object + ", " + values : " " + values + ", " + object;
                if (modifiers.find(".level") != std::string::npos) text += ", %g0";
                if (modifiers.find(".grad") != std::string::npos) {
                    text += ", " + gradient_for(modifiers) + ", " + gradient_for(modifiers);
                }
                TextureRunner runner(text + ";");
                runner.run({TextureInput{}});
                ASSERT_EQ(runner.result.status, driver::CUDA_ERROR_ILLEGAL_ADDRESS) << text << ": " << runner.result.problem;
            }
        }
    }
    EXPECT_EQ(count, 1788u);
}

TEST(TextureFormTest, RejectsOtherOperands) {
    for (const char* const text : {
             "tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%c0, %c1, %c2}];",
             "tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%c0}];",
             "tex.2d.v4.f32.f32 {%d0, %d1}, [%t, {%c0, %c1}];",
             "tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%c0, {%c0, %c1}];",
             "tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, %t, {%c0, %c1}];",
             "tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t];",
             "tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%c0, %c1}], {%g0, %g1};",
             "tex.2d.v4.f32.f32 {%d0, %d1, %d2, %l0}, [%t, {%c0, %c1}];",
             "tex.2d.v4.f32.f32 {%d0, %d1, %d2, %d3}|%p, [%t, {%c0, %c1}];",
             "suld.b.2d.v2.b16.trap {%h0, %d1}, [%t, {%c0, %c1}];",
             "suld.b.2d.v4.b64.trap {%l0, %l1, %l0, %l1}, [%t, {%c0, %c1}];",
         }) {
        TextureRunner runner(text);
        runner.run({TextureInput{}});
        EXPECT_EQ(runner.result.status, driver::CUDA_ERROR_NOT_SUPPORTED) << text;
    }
}

TEST(TextureFormTest, SamplesWithGradients) {
    TextureRunner runner(
        "tex.grad.3d.v4.f32.f32 {%d0, %d1, %d2, %d3}, [%t, {%c0, %c1, %c2, %c2}], {%g0, %g1, %g2, %g2}, "
        "{%g3, %g4, %g5, %g5};");
    TextureMemory<float> memory(sim::ptx::Geometry::volume, sim::ptx::ChannelType::f32, 1, 2, 2, 2);
    memory.values = {0, 1, 2, 3, 4, 5, 6, 7};
    runner.textures.all = {memory.texture};
    TextureInput input;
    input.coordinates = {0, bits_of(1), bits_of(1), 0};
    EXPECT_EQ(runner.read({input})[0], (Words{bits_of(6), 0, 0, bits_of(1)}));
}

}  // namespace
}  // namespace cubind::testing::texture_form_tests
