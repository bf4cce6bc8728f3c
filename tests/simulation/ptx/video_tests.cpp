// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Instructions for video. The oracle computes with long double, which has 64 bits.
#include <cmath>
#include <functional>

#include "instruction_test.hpp"

namespace cubind::testing::video_tests {
namespace {

using Word = std::uint32_t;
using Binary = std::function<long double(long double, long double)>;

const std::string part_names[] = {"", ".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};

// Returns a part of a word as a number.
long double part_of(Word word, std::size_t part, bool is_signed) {
    std::uint8_t bytes[4];
    std::memcpy(bytes, &word, sizeof word);
    std::uint16_t halves[2];
    std::memcpy(halves, &word, sizeof word);
    if (part == 0) return is_signed ? static_cast<long double>(static_cast<std::int32_t>(word)) : word;
    if (part < 5) return is_signed ? static_cast<long double>(static_cast<std::int8_t>(bytes[part - 1])) : bytes[part - 1];
    return is_signed ? static_cast<long double>(static_cast<std::int16_t>(halves[part - 5])) : halves[part - 5];
}

Word low_bits(long double value) {
    const long double rest = std::fmod(std::floor(value), 0x1p32L);
    return static_cast<Word>(rest < 0 ? rest + 0x1p32L : rest);
}

Word merge(Word result, std::size_t part, Word third) {
    if (part == 0) return result;
    if (part < 5) {
        const auto byte = static_cast<std::uint8_t>(result);
        std::memcpy(reinterpret_cast<char*>(&third) + part - 1, &byte, 1);
    } else {
        // An H200 stores the upper half of the result in the upper half.
        const auto half = static_cast<std::uint16_t>(part == 6 ? result >> 16 : result);
        std::memcpy(reinterpret_cast<char*>(&third) + 2 * (part - 5), &half, 2);
    }
    return third;
}

struct Operation {
    std::string opcode;
    std::string suffix;  ///< behind the types
    Binary compute;
    bool has_destination_type = true;
    bool has_count = false;
};

std::vector<Operation> operations() {
    const auto left = [](long double a, long double count) { return a * std::pow(2.0L, count); };
    const auto right = [](long double a, long double count) { return std::floor(a / std::pow(2.0L, count)); };
    const auto clamped = [](long double count) { return std::fmin(count, 32.0L); };
    const auto wrapped = [](long double count) { return std::fmod(count, 32.0L); };
    return {
        {"vadd", "", std::plus<>()},
        {"vsub", "", std::minus<>()},
        {"vabsdiff", "", [](long double a, long double b) { return std::fabs(a - b); }},
        {"vmin", "", [](long double a, long double b) { return std::fmin(a, b); }},
        {"vmax", "", [](long double a, long double b) { return std::fmax(a, b); }},
        {"vshl", ".clamp", [=](long double a, long double b) { return left(a, clamped(b)); }, true, true},
        {"vshl", ".wrap", [=](long double a, long double b) { return left(a, wrapped(b)); }, true, true},
        {"vshr", ".clamp", [=](long double a, long double b) { return right(a, clamped(b)); }, true, true},
        {"vshr", ".wrap", [=](long double a, long double b) { return right(a, wrapped(b)); }, true, true},
        {"vset", ".eq", std::equal_to<>(), false},
        {"vset", ".ne", std::not_equal_to<>(), false},
        {"vset", ".lt", std::less<>(), false},
        {"vset", ".le", std::less_equal<>(), false},
        {"vset", ".gt", std::greater<>(), false},
        {"vset", ".ge", std::greater_equal<>(), false},
    };
}

const std::string types[] = {".u32", ".s32"};

// Runs the forms of an operation with the types of its operands and one choice of parts.
void expect_operation(const Operation& operation, int signs, std::size_t first, std::size_t second, std::size_t destination) {
    const bool is_first_signed = (signs & 1) != 0, is_second_signed = (signs & 2) != 0;
    std::string name = operation.opcode + (operation.has_destination_type ? types[signs >> 2 & 1] : "") + types[signs & 1];
    name += types[signs >> 1 & 1] + operation.suffix;
    const std::string sources = ", %a" + part_names[first] + ", %b" + part_names[second];
    const auto compute = [=](Word a, Word b) {
        return low_bits(operation.compute(part_of(a, first, is_first_signed), part_of(b, second, is_second_signed)));
    };
    expect_instruction_for_all<Word, Word, Word>(name + " %d" + sources + ";", compute);
    expect_instruction_for_all<Word, Word, Word, Word>(name + ".add %d" + sources + ", %c;",
                                                       [=](Word a, Word b, Word c) { return compute(a, b) + c; });
    expect_instruction_for_all<Word, Word, Word, Word>(
        name + " %d" + part_names[destination] + sources + ", %c;",
        [=](Word a, Word b, Word c) { return merge(compute(a, b), destination, c); });
}

TEST(VideoTest, ComputesWithPartsOfRegisters) {
    std::mt19937 random(1);
    for (const Operation& operation : operations()) {
        for (int signs = 0; signs < (operation.has_destination_type ? 8 : 4); ++signs) {
            if (operation.has_count && (signs & 2) != 0) continue;
            expect_operation(operation, signs, 0, 0, 1 + random() % 6);
            const std::size_t destination = 1 + random() % 6;
            const std::size_t second = 1 + random() % 6;
            const std::size_t first = 1 + random() % 6;
            expect_operation(operation, signs, first, second, destination);
        }
    }
}

TEST(VideoTest, SelectsEachPart) {
    for (std::size_t part = 1; part < 7; ++part) expect_operation(operations()[1], 7, part, 7 - part, part);
}

TEST(VideoTest, MultipliesAndAdds) {
    for (int signs = 0; signs < 8; ++signs) {
        const std::string name = "vmad" + types[signs >> 2 & 1] + types[signs & 1] + types[signs >> 1 & 1];
        for (const std::size_t first : {0u, 3u, 6u}) {
            for (const std::size_t second : {0u, 1u, 5u}) {
                const std::string a = "%a" + part_names[first], b = "%b" + part_names[second];
                const auto product = [=](Word x, Word y) {
                    const long double factors[] = {part_of(x, first, (signs & 1) != 0), part_of(y, second, (signs & 2) != 0)};
                    return low_bits(factors[0] * factors[1]);
                };
                const auto expect = [&](const std::string& operands, const char* mode, auto oracle) {
                    expect_instruction_for_all<Word, Word, Word, Word>(name + mode + " %d, " + operands + ";", oracle);
                };
                expect(a + ", " + b + ", %c", "", [=](Word x, Word y, Word c) { return product(x, y) + c; });
                expect(a + ", " + b + ", %c", ".po", [=](Word x, Word y, Word c) { return product(x, y) + c + 1; });
                expect("-" + a + ", " + b + ", %c", "", [=](Word x, Word y, Word c) { return c - product(x, y); });
                expect(a + ", -" + b + ", %c", "", [=](Word x, Word y, Word c) { return c - product(x, y); });
                expect("-" + a + ", -" + b + ", %c", "", [=](Word x, Word y, Word c) { return product(x, y) + c; });
                expect(a + ", " + b + ", -%c", "", [=](Word x, Word y, Word c) { return product(x, y) - c; });
            }
        }
    }
}

TEST(VideoTest, AcceptsNumbers) {
    expect_instruction_for_all<Word, Word>("vadd.s32.s32.s32 %d, %a.b1, -5;",
                                           [](Word a) { return low_bits(part_of(a, 2, true) - 5); });
    expect_instruction_for_all<Word, Word>("vsub.s32.s32.s32.add %d, 7, %a.h0, 100;",
                                           [](Word a) { return low_bits(107 - part_of(a, 5, true)); });
}

TEST(VideoTest, RejectsOtherForms) {
    for (const char* const text : {
             "vadd.u32.u32.u32.sat %d, %a, %b;",
             "vadd.u32.u32.u32.min %d, %a, %b, %c;",
             "vadd.u32.u32.u32.add %d.b0, %a, %b, %c;",
             "vadd.u32.u32.u32 %d, %a, %b, %c;",
             "vadd.u32.u32.u32 %d.b0, %a, %b, %c.b1;",
             "vadd.u32.u32.u32 %d, -%a, %b;",
             "vadd.u32.u32.u32 _, %a, %b;",
             "vadd.b32.u32.u32 %d, %a, %b;",
             "vshl.u32.u32.u32 %d, %a, %b;",
             "vshl.u32.u32.s32.wrap %d, %a, %b;",
             "vset.u32.u32.lt.sat %d, %a, %b;",
             "vmad.s32.s32.s32.shr7 %d, %a, %b, %c;",
             "vmad.s32.s32.s32 %d, -%a, %b, -%c;",
             "vmad.s32.s32.s32.po %d, -%a, %b, %c;",
             "vmad.s32.s32.s32 %d.b0, %a, %b, %c;",
             "vmad.s32.s32.s32 %d, %a, %b, %c.h0;",
             "add.s32 %d, %a, -%b;",
         }) {
        KernelRunner runner(instruction_kernel<Word, Word, Word, Word>(text, false, "8.8"));
        const std::uint64_t words = runner.memory.add(std::vector<Word>{1});
        EXPECT_EQ(runner.run("test", {1, 1, 1}, {32, 1, 1}, {words, 1, words, words, words}).status,
                  driver::CUDA_ERROR_NOT_SUPPORTED)
            << text;
    }
}

}  // namespace
}  // namespace cubind::testing::video_tests
