// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "float_oracle.hpp"
#include "instruction_test.hpp"

namespace cubind::testing::conversion_tests {
namespace {

__extension__ using Wide = __int128;

struct Integer {
    std::string name;
    unsigned bits;
    bool is_signed;

    Wide lowest() const { return is_signed ? -(Wide{1} << (bits - 1)) : Wide{0}; }
    Wide highest() const { return (Wide{1} << (is_signed ? bits - 1 : bits)) - 1; }
    unsigned register_bits() const { return std::max(bits, 16u); }
    /// Returns the value of the lower bits of a register.
    Wide value(std::uint64_t of) const {
        const Wide rest = static_cast<Wide>(of) & ((Wide{1} << bits) - 1);
        return is_signed && rest > highest() ? rest - (Wide{1} << bits) : rest;
    }
};
const Integer integers[] = {{".u8", 8, false},   {".s8", 8, true},   {".u16", 16, false}, {".s16", 16, true},
                            {".u32", 32, false}, {".s32", 32, true}, {".u64", 64, false}, {".s64", 64, true}};

/// Runs a conversion. The sources are the lower bits of the values. The registers have `to_bits` and `from_bits` bits.
std::vector<std::uint64_t> convert(const std::string& text, unsigned to_bits, unsigned from_bits,
                                   const std::vector<std::uint64_t>& values) {
    const auto run = [&]<class To, class From>(To, From) {
        std::vector<From> sources(values.begin(), values.end());
        for (std::size_t i = 0; i < values.size(); ++i) sources[i] = static_cast<From>(values[i]);
        const auto results = run_instruction<To>(text + " %d, %a;", false, "8.8", sources);
        return std::vector<std::uint64_t>(results.begin(), results.end());
    };
    const auto run_to = [&]<class To>(To to) {
        return from_bits == 16 ? run(to, std::uint16_t{}) : from_bits == 32 ? run(to, std::uint32_t{}) : run(to, std::uint64_t{});
    };
    return to_bits == 16 ? run_to(std::uint16_t{}) : to_bits == 32 ? run_to(std::uint32_t{}) : run_to(std::uint64_t{});
}

template <class Oracle>
void expect_conversion(const std::string& text, unsigned to_bits, unsigned from_bits, const std::vector<std::uint64_t>& values,
                       Oracle oracle) {
    const auto results = convert(text, to_bits, from_bits, values);
    int shown = 0;
    const std::uint64_t mask = to_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << to_bits) - 1;
    for (std::size_t i = 0; i < values.size() && shown < 4; ++i) {
        const std::uint64_t expected = static_cast<std::uint64_t>(oracle(values[i])) & mask;
        if (results[i] == expected) continue;
        ++shown;
        ADD_FAILURE() << text << " (" << to_bits << " from " << from_bits << ") of " << std::hex << values[i] << ": "
                      << results[i] << ", not " << expected;
    }
}

std::vector<std::uint64_t> integer_values() {
    std::vector<std::uint64_t> values = values_for_tests<std::uint64_t>(768, 5);
    for (unsigned shift = 0; shift < 64; ++shift) {
        for (const std::uint64_t near : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
            values.push_back((std::uint64_t{1} << shift) + near);
            values.push_back(~values.back());
        }
    }
    return values;
}

TEST(ConversionTest, ConvertsIntegers) {
    for (const Integer& from : integers) {
        for (const Integer& to : integers) {
            for (const bool saturates : {false, true}) {
                if (saturates && (to.lowest() <= from.lowest() && to.highest() >= from.highest())) continue;
                const std::string text = "cvt" + std::string(saturates ? ".sat" : "") + to.name + from.name;
                for (const unsigned from_bits : {16u, 32u, 64u}) {
                    for (const unsigned to_bits : {16u, 32u, 64u}) {
                        if (from_bits < from.bits || to_bits < to.bits) continue;
                        expect_conversion(text, to_bits, from_bits, integer_values(), [&](std::uint64_t bits) {
                            const Wide value = from.value(bits);
                            if (saturates) return std::clamp(value, to.lowest(), to.highest());
                            return to.value(static_cast<std::uint64_t>(value));
                        });
                    }
                }
            }
        }
    }
}

/// A type of floating point.
struct Float {
    std::string name;
    unsigned bits;
    int digits;  ///< of the significand

    SmallFormat parts() const { return digits == 11 ? half_parts : bfloat_parts; }
    bool is_nan(std::uint64_t of) const {
        return bits == 64   ? is_nan_bits(std::bit_cast<double>(of))
               : bits == 32 ? is_nan_bits(float_from(static_cast<std::uint32_t>(of)))
                            : parts().is_nan(static_cast<unsigned>(of));
    }
    long double value(std::uint64_t of) const {
        if (bits == 64) return std::bit_cast<double>(of);
        if (bits == 32) return float_from(static_cast<std::uint32_t>(of));
        const auto small = static_cast<unsigned>(of);
        return parts().is_infinite(small) ? std::copysign(INFINITY, parts().value(small)) : parts().value(small);
    }
    std::uint64_t nan() const { return bits == 16 ? 0x7fff : 0x7fffffff; }
    std::uint64_t sign() const { return std::uint64_t{1} << (bits - 1); }
    std::uint64_t one() const {
        return bits == 64 ? 0x3ff0000000000000 : bits == 32 ? 0x3f800000 : digits == 11 ? 0x3c00 : 0x3f80;
    }

    /// Rounds a number with the processor, or by comparisons.
    std::uint64_t round(long double number, int rounding) const {
        if (bits == 16) {
            if (number == 0) return std::signbit(number) ? sign() : 0;
            if (std::isinf(number)) return (number < 0 ? sign() : 0) | (parts().largest() + 1);
            return round_by_search({number, 0}, parts(), rounding, false);
        }
        const HostRounding mode(rounding);
        const volatile long double source = number;
        if (bits == 64) {
            const volatile double result = static_cast<double>(source);
            return std::bit_cast<std::uint64_t>(double{result});
        }
        const volatile float result = static_cast<float>(source);
        return std::bit_cast<std::uint32_t>(float{result});
    }
};
const Float half{".f16", 16, 11}, bfloat{".bf16", 16, 8}, single{".f32", 32, 24}, double_type{".f64", 64, 53};

std::uint64_t limited(std::uint64_t bits, const Float& type) {
    return (bits & type.sign()) != 0 ? 0 : std::min(bits, type.one());
}

TEST(ConversionTest, ConvertsIntegersToFloat) {
    for (const Float& to : {half, bfloat, single, double_type}) {
        for (const Integer& from : integers) {
            if (to.name == ".bf16" && from.bits == 8) continue;
            for (int rounding = 0; rounding < 4; ++rounding) {
                for (const std::string modifiers : {"", ".sat", ".ftz", ".ftz.sat"}) {
                    const bool saturates = modifiers.ends_with(".sat");
                    if ((saturates && to.name == ".bf16") || (modifiers.starts_with(".ftz") && to.bits != 32)) continue;
                    const std::string text = "cvt" + rounding_names[rounding] + modifiers + to.name + from.name;
                    expect_conversion(text, to.bits, from.register_bits(), integer_values(), [&](std::uint64_t bits) {
                        const std::uint64_t result = to.round(static_cast<long double>(from.value(bits)), rounding);
                        return saturates ? limited(result, to) : result;
                    });
                }
            }
        }
    }
}

std::vector<std::uint64_t> float_bits(const Float& type) {
    std::vector<std::uint64_t> values;
    if (type.bits == 64) {
        for (const double each : values_for_tests<double>(1024, 6)) values.push_back(std::bit_cast<std::uint64_t>(each));
    } else if (type.bits == 32) {
        for (const float each : values_for_tests<float>(1024, 6)) values.push_back(std::bit_cast<std::uint32_t>(each));
    } else {
        for (unsigned i = 0; i < 0x10000; i += 7) values.push_back(i);
    }
    std::mt19937_64 random(8);
    // Halves, numbers close to the limits of types, and to the middle between two numbers of smaller types.
    for (int i = 0; i < 4096; ++i) {
        const int exponent = static_cast<int>(random() % 3 == 0 ? random() % 80 : random() % 300) - (random() % 2 == 0 ? 2 : 160);
        const double significand = static_cast<double>((random() & 0xffffff) | 0x800000) * 0x1p-23;
        double number = i % 3 == 0 ? static_cast<double>(random() % 512) / 2 : std::ldexp(significand, exponent);
        if (i % 7 == 0) number = std::ldexp(1.0 + static_cast<double>(random() % 4096 * 2 + 1) * 0x1p-12, exponent);
        if (type.bits == 64 && i % 5 == 0) number = std::nextafter(number, random() % 2 == 0 ? INFINITY : 0.0);
        const double value = random() % 2 == 0 ? number : -number;
        values.push_back(type.round(value, 0));
    }
    return values;
}

TEST(ConversionTest, ConvertsFloatToIntegers) {
    static const std::string names[] = {".rni", ".rzi", ".rmi", ".rpi"};
    for (const Float& from : {half, bfloat, single, double_type}) {
        for (const Integer& to : integers) {
            if (from.name == ".bf16" && to.bits == 8) continue;
            for (int rounding = 0; rounding < 4; ++rounding) {
                for (const std::string modifiers : {"", ".sat", ".ftz", ".ftz.sat"}) {
                    const bool flushes = modifiers.starts_with(".ftz");
                    if ((!modifiers.empty() && from.name == ".bf16") || (flushes && from.bits != 32)) continue;
                    const std::string text = "cvt" + names[rounding] + modifiers + to.name + from.name;
                    expect_conversion(text, std::max(32u, to.bits), from.bits, float_bits(from), [&](std::uint64_t bits) -> Wide {
                        if (from.is_nan(bits)) {
                            const bool is_zero = to.bits != 64 && from.bits != 64;
                            return is_zero ? Wide{0} : to.value(std::uint64_t{1} << (to.bits - 1));
                        }
                        long double value = from.value(bits);
                        if (flushes) value = without_subnormals(static_cast<float>(value));
                        const HostRounding mode(rounding);
                        const volatile long double source = value;
                        const long double whole = std::nearbyint(source);
                        if (whole >= static_cast<long double>(to.highest())) return to.highest();
                        if (whole <= static_cast<long double>(to.lowest())) return to.lowest();
                        return static_cast<Wide>(whole);
                    });
                }
            }
        }
    }
}

// These conversions require registers of 8 bits, as cuda_bf16.hpp has them.
TEST(ConversionTest, ConvertsBetweenBfloatsAndBytes) {
    const std::vector<std::uint64_t> values = float_bits(bfloat);
    const std::vector<std::uint16_t> sources(values.begin(), values.end());
    for (const Integer& type : {integers[0], integers[1]}) {
        const std::string wide = type.is_signed ? ".s32" : ".u32";
        for (int rounding = 0; rounding < 4; ++rounding) {
            const std::string whole = rounding_names[rounding] + "i";
            const auto to_byte = [&](std::uint16_t bits) {
                if (bfloat.is_nan(bits)) return std::uint32_t{0};
                const HostRounding mode(rounding);
                const volatile long double source = bfloat.value(bits);
                const long double result = std::nearbyint(source);
                const Wide limited = result >= static_cast<long double>(type.highest())  ? type.highest()
                                     : result <= static_cast<long double>(type.lowest()) ? type.lowest()
                                                                                         : static_cast<Wide>(result);
                return static_cast<std::uint32_t>(limited);
            };
            expect_instruction<std::uint32_t>(
                "{\n.reg .b8 %byte;\ncvt" + whole + type.name + ".bf16 %byte, %a;\ncvt" + wide + type.name + " %d, %byte;\n}",
                to_byte, sources);
            const auto from_byte = [&](std::uint16_t bits) {
                return static_cast<std::uint16_t>(bfloat.round(static_cast<long double>(type.value(bits)), rounding));
            };
            expect_instruction<std::uint16_t>("{\n.reg .b8 %byte;\ncvt.u8.u16 %byte, %a;\ncvt" + rounding_names[rounding] +
                                                  ".bf16" + type.name + " %d, %byte;\n}",
                                              from_byte, sources);
        }
    }
}

// The result of a conversion of a NaN. Conversions from and to double keep the upper digits of the payload; the result of most
// others is one NaN.
std::uint64_t nan_of(std::uint64_t bits, const Float& to, const Float& from, const std::string& modifiers) {
    if (modifiers.find(".sat") != std::string::npos) return 0;
    const bool flushes = modifiers.find(".ftz") != std::string::npos;
    if (to.bits == 16 && from.bits == 64) {
        const bool is_half = to.digits == 11;
        const std::uint64_t upper = bits >> (is_half ? 42 : 45) & (is_half ? 0x3ff : 0x7f);
        return upper | (is_half ? 0x7e00 : 0x7fc0) | bits >> 63 << 15;
    }
    if (to.bits == 16) return 0x7fff;
    if (from.bits == 64 && to.bits == 64) return bits | 0x0008000000000000;
    if (to.bits == 64 && flushes) return 0x7fffffffe0000000;
    if (to.bits == 64 || from.bits == 64) {
        const std::uint64_t fraction = (bits & (from.sign() - 1)) << (64 - from.bits)
                                                                  << (from.bits == 64     ? 12
                                                                      : from.bits == 32   ? 9
                                                                      : from.digits == 11 ? 6
                                                                                          : 9);
        const std::uint64_t upper = to.bits == 64 ? fraction >> 12 | 0x7ff8000000000000 : fraction >> 41 | 0x7fc00000;
        return upper | ((bits & from.sign()) != 0 ? to.sign() : 0);
    }
    return from.name == ".bf16" && !flushes ? bits << 16 : 0x7fffffff;
}

// Whether a number is below the normal floats after rounding to 24 bits without a limit of the exponent.
bool is_tiny(long double value, int rounding) {
    const HostRounding mode(rounding);
    const volatile long double magnitude = value * 0x1p100L;
    const volatile float scaled = static_cast<float>(magnitude);
    return std::fabs(scaled) < 0x1p-26f;
}

void test_float(const Float& to, const Float& from, const std::string& modifiers, int rounding, bool is_whole) {
    const std::string text = "cvt" + modifiers + to.name + from.name;
    const bool flushes = modifiers.find(".ftz") != std::string::npos;
    const bool saturates = modifiers.find(".sat") != std::string::npos;
    expect_conversion(text, to.bits, from.bits, float_bits(from), [&](std::uint64_t bits) -> std::uint64_t {
        if (from.is_nan(bits)) return nan_of(bits, to, from, modifiers);
        long double value = from.value(bits);
        if (flushes && from.bits == 32 && to.name != ".f16") value = without_subnormals(static_cast<float>(value));
        if (is_whole) {
            const HostRounding mode(rounding);
            const volatile long double source = value;
            value = std::copysign(std::nearbyint(source), source);
        }
        std::uint64_t result = to.round(value, rounding);
        const bool is_flushed =
            flushes && to.bits == 32 && value != 0 && std::fabs(value) < 0x1p-125L && is_tiny(value, rounding);
        if (is_flushed) result &= to.sign();
        return saturates ? limited(result, to) : result;
    });
}

TEST(ConversionTest, RoundsFloatToFewerDigits) {
    const std::tuple<Float, Float, std::vector<std::string>> all[] = {
        {half, single, {"", ".ftz", ".sat", ".ftz.sat"}},
        {single, double_type, {"", ".ftz", ".sat", ".ftz.sat"}},
        {half, double_type, {"", ".sat"}},
        {bfloat, single, {"", ".ftz"}},
        {bfloat, double_type, {""}},
        {bfloat, half, {""}},
        {half, bfloat, {""}},
        {single, bfloat, {"", ".ftz"}},
        {double_type, bfloat, {""}},
    };
    for (const auto& [to, from, modifiers] : all) {
        for (int rounding = 0; rounding < 4; ++rounding) {
            for (const std::string& each : modifiers) test_float(to, from, rounding_names[rounding] + each, rounding, false);
        }
    }
}

TEST(ConversionTest, RoundsFloatToWholeNumbers) {
    static const std::string names[] = {".rni", ".rzi", ".rmi", ".rpi"};
    for (int rounding = 0; rounding < 4; ++rounding) {
        for (const std::string modifiers : {"", ".ftz", ".sat", ".ftz.sat"}) {
            test_float(single, single, names[rounding] + modifiers, rounding, true);
            if (modifiers.starts_with(".ftz")) continue;
            test_float(half, half, names[rounding] + modifiers, rounding, true);
            test_float(double_type, double_type, names[rounding] + modifiers, rounding, true);
        }
        test_float(bfloat, bfloat, names[rounding], rounding, true);
    }
}

TEST(ConversionTest, WidensFloat) {
    for (const std::string modifiers : {"", ".sat"}) {
        for (const Float& to : {half, single, double_type}) test_float(to, half, modifiers, 0, false);
        test_float(double_type, single, modifiers, 0, false);
        test_float(double_type, single, ".ftz" + modifiers, 0, false);
        test_float(single, half, ".ftz" + modifiers, 0, false);
    }
    for (const std::string modifiers : {".sat", ".ftz", ".ftz.sat"}) test_float(single, single, modifiers, 0, false);
    test_float(double_type, double_type, ".sat", 0, false);
    for (const Float& to : {half, bfloat, single, double_type}) test_float(to, bfloat, "", 0, false);
    test_float(single, bfloat, ".ftz", 0, false);
    test_float(bfloat, half, "", 0, false);
}

TEST(ConversionTest, MovesNumbersOfTheSameType) {
    expect_conversion("cvt.f32.f32", 32, 32, float_bits(single), [](std::uint64_t bits) { return bits; });
    expect_conversion("cvt.f64.f64", 64, 64, float_bits(double_type), [](std::uint64_t bits) { return bits; });
}

TEST(ConversionTest, ReadsAndWritesWiderRegisters) {
    const auto narrow = [](std::uint64_t bits) {
        return half.is_nan(bits & 0xffff) ? 0x7fffffff : single.round(half.value(bits & 0xffff), 0);
    };
    expect_conversion("cvt.f32.f16", 32, 32, integer_values(), narrow);
    expect_conversion("cvt.f32.f16", 64, 64, integer_values(), narrow);
    expect_conversion("cvt.rn.f64.s16", 64, 32, integer_values(),
                      [](std::uint64_t bits) { return double_type.round(static_cast<std::int16_t>(bits), 0); });
}

// NaNs of double keep their sign and the upper digits of their payload.
TEST(ConversionTest, CutsPayloadsOfDoubles) {
    const std::vector<std::uint64_t> sources = {0x7ff4aaaaaaaaaaaa, 0xfff5555555555555, 0x7ffaaaaaaaaaaaaa, 0xfffdcba987654321,
                                                0x7ff0000000000001, 0xfff8000000000000, 0x7fffffffffffffff, 0xfff00000ffffffff};
    for (const std::string rounding : {".rn", ".rz", ".rm", ".rp"}) {
        expect_instruction<std::uint16_t>(
            "cvt" + rounding + ".f16.f64 %d, %a;", [](std::uint64_t a) { return 0x7e00 | (a >> 63 << 15) | (a >> 42 & 0x3ff); },
            sources);
        expect_instruction<std::uint16_t>(
            "cvt" + rounding + ".bf16.f64 %d, %a;", [](std::uint64_t a) { return 0x7fc0 | (a >> 63 << 15) | (a >> 45 & 0x7f); },
            sources);
        expect_instruction<std::uint32_t>(
            "cvt" + rounding + ".f32.f64 %d, %a;",
            [](std::uint64_t a) { return 0x7fc00000 | (a >> 63 << 31) | (a >> 29 & 0x7fffff); }, sources);
    }
}

}  // namespace
}  // namespace cubind::testing::conversion_tests
