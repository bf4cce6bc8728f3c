// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "float_oracle.hpp"
#include "instruction_test.hpp"

namespace cubind::testing::packed_conversion_tests {
namespace {

using Word = std::uint32_t;
using Small = std::uint16_t;

struct Type {
    std::string name;
    SmallFormat format;
};
const Type half{".f16", half_parts}, bfloat{".bf16", bfloat_parts}, e4m3{".e4m3", e4m3_parts}, e5m2{".e5m2", e5m2_parts};

bool has(const std::string& modifiers, const char* text) {
    return modifiers.find(text) != std::string::npos;
}

unsigned rounded(long double value, const Type& to, const std::string& modifiers, int rounding) {
    const SmallFormat format = to.format;
    if (std::isnan(value)) return format.nan();
    if (has(modifiers, ".relu") && std::signbit(value)) return 0;
    const bool is_finite = has(modifiers, ".satfinite");
    if (value == 0) return std::signbit(value) ? format.sign() : 0;
    if (std::isinf(value)) return (value < 0 ? format.sign() : 0) | (format.largest() + (is_finite ? 0 : 1));
    return round_by_search({value, 0}, format, rounding, is_finite);
}

std::vector<float> float_values(unsigned seed) {
    std::vector<float> values = values_for_tests<float>(1024, seed);
    std::mt19937 random(seed);
    for (int i = 0; i < 4096; ++i) {
        const int exponent = static_cast<int>(random() % 60) - 36;
        const auto digits = static_cast<float>((random() & 0xfff) | 0x800);
        values.push_back(
            std::ldexp(i % 3 == 0 ? digits : digits + std::ldexp(static_cast<float>(random() % 3), -11), exponent - 11));
        if (random() % 2 == 0) values.back() = -values.back();
    }
    return values;
}

TEST(PackedConversionTest, RoundsFloat) {
    for (const Type& to : {half, bfloat}) {
        for (int rounding = 0; rounding < 2; ++rounding) {
            for (const std::string modifiers : {"", ".relu", ".satfinite", ".relu.satfinite", ".satfinite.relu"}) {
                const std::string text = "cvt" + rounding_names[rounding] + modifiers + to.name;
                const auto oracle = [&](float value) { return rounded(value, to, modifiers, rounding); };
                expect_instruction<Small>(
                    text + ".f32 %d, %a;", [&](float a) { return static_cast<Small>(oracle(a)); }, float_values(1));
                expect_instruction<Word>(
                    text + "x2.f32 %d, %a, %b;", [&](float a, float b) { return oracle(a) << 16 | oracle(b); }, float_values(1),
                    float_values(2));
            }
        }
    }
    for (const Type& to : {e4m3, e5m2}) {
        for (const std::string modifiers : {".satfinite", ".relu.satfinite", ".satfinite.relu"}) {
            const auto oracle = [&](float value) { return rounded(value, to, modifiers, 0); };
            expect_instruction<Small>(
                "cvt.rn" + modifiers + to.name + "x2.f32 %d, %a, %b;",
                [&](float a, float b) { return static_cast<Small>(oracle(a) << 8 | oracle(b)); }, float_values(1),
                float_values(2));
        }
    }
}

long double value_of(unsigned bits, SmallFormat format) {
    if (format.is_nan(bits)) return NAN;
    return format.is_infinite(bits) ? std::copysign(INFINITY, format.value(bits)) : format.value(bits);
}

TEST(PackedConversionTest, ConvertsSmallNumbers) {
    std::vector<Word> halves;
    std::vector<Small> bytes;
    for (unsigned i = 0; i < 0x10000; ++i) {
        if (i % 5 == 0) halves.push_back(i << 16 | (0xffff - i));
        bytes.push_back(static_cast<Small>(i));
    }
    for (const Type& type : {e4m3, e5m2}) {
        for (const std::string modifiers : {".satfinite", ".relu.satfinite", ".satfinite.relu"}) {
            expect_instruction<Small>(
                "cvt.rn" + modifiers + type.name + "x2.f16x2 %d, %a;",
                [&](Word a) {
                    const unsigned high = rounded(value_of(a >> 16, half_parts), type, modifiers, 0);
                    return static_cast<Small>(high << 8 | rounded(value_of(a & 0xffff, half_parts), type, modifiers, 0));
                },
                halves);
        }
        for (const std::string modifiers : {"", ".relu"}) {
            expect_instruction<Word>(
                "cvt.rn" + modifiers + ".f16x2" + type.name + "x2 %d, %a;",
                [&](Small a) {
                    const unsigned high = rounded(value_of(a >> 8, type.format), half, modifiers, 0);
                    return high << 16 | rounded(value_of(a & 0xff, type.format), half, modifiers, 0);
                },
                bytes);
        }
    }
}

// The upper 19 bits of a float: the host adds half a unit as a number of twice the digits.
TEST(PackedConversionTest, RoundsToTf32) {
    const auto split = [](float value, bool is_away) {
        int exponent = 0;
        std::frexp(value, &exponent);
        const double unit = std::ldexp(1.0, std::max(exponent, -125) - 11);
        const double units = static_cast<double>(value) / unit;
        return static_cast<float>((is_away ? std::round(units) : std::nearbyint(units)) * unit);
    };
    for (const bool is_finite : {false, true}) {
        expect_instruction<Word>(
            std::string("cvt.rna") + (is_finite ? ".satfinite" : "") + ".tf32.f32 %d, %a;",
            [&](float value) {
                const auto bits = std::bit_cast<Word>(value);
                if (!is_nan_bits(value) && !std::isinf(value)) {
                    const auto result = std::bit_cast<Word>(split(value, true));
                    return is_finite && (result & 0x7fffffff) == 0x7f800000 ? result - 0x2000 : result;
                }
                return (bits & 0xffffe000) - (is_finite ? 0x2000u : 0);
            },
            float_values(3));
    }
    for (const std::string relu : {"", ".relu"}) {
        const auto oracle = [&](float value, bool is_nearest) -> Word {
            if (is_nan_bits(value)) return 0x7fffe000;
            if (!relu.empty() && std::signbit(value)) return 0;
            if (std::isinf(value)) return std::bit_cast<Word>(value);
            return is_nearest ? std::bit_cast<Word>(split(value, false)) : std::bit_cast<Word>(value) & 0xffffe000;
        };
        expect_instruction<Word>(
            "cvt.rn" + relu + ".tf32.f32 %d, %a;", [&](float a) { return oracle(a, true); }, float_values(4));
        expect_instruction<Word>(
            "cvt.rz" + relu + ".tf32.f32 %d, %a;", [&](float a) { return oracle(a, false); }, float_values(4));
    }
}

TEST(PackedConversionTest, PacksIntegers) {
    for (const int bits : {2, 4, 8, 16}) {
        for (const bool is_signed : {false, true}) {
            const std::int64_t count = std::int64_t{1} << bits;
            const auto limit = [=](std::int64_t value) {
                const std::int64_t least = is_signed ? -count / 2 : 0;
                value = value < least ? least : value >= least + count ? least + count - 1 : value;
                return static_cast<std::uint64_t>((value + count) % count);
            };
            const auto unit = static_cast<std::uint64_t>(count);
            const std::string text = std::string("cvt.pack.sat.") + (is_signed ? "s" : "u") + std::to_string(bits) + ".s32";
            std::vector<std::int32_t> a = values_for_tests<std::int32_t>(2048, 1), b = values_for_tests<std::int32_t>(2048, 2);
            for (std::size_t i = 0; i < 512; ++i) a[i] = static_cast<std::int32_t>(i) - 256;
            const std::vector<Word> c = values_for_tests<Word>(2048, 3);
            if (bits == 16) {
                expect_instruction<Word>(
                    text + " %d, %a, %b;", [&](int x, int y) { return static_cast<Word>(limit(x) * unit + limit(y)); }, a, b);
            } else {
                expect_instruction<Word>(
                    text + ".b32 %d, %a, %b, %c;",
                    [&](int x, int y, Word z) { return static_cast<Word>((z * unit + limit(x)) * unit + limit(y)); }, a, b, c);
            }
        }
    }
}

}  // namespace
}  // namespace cubind::testing::packed_conversion_tests
