// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Approximate functions: instructions of the special function unit, and what ptxas adds to them. Values are bits of numbers.
#include "ptx/handlers/float/special_functions.hpp"

#include <cmath>

#include "ptx/handlers/float/long_functions.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

using Bits = std::uint32_t;

bool is_subnormal(Bits a) {
    return (a & ~sign_bit) < 0x00800000u;
}
Bits flush(Bits a) {
    return is_subnormal(a) ? a & sign_bit : a;
}
Bits canonical(float value) {
    const auto bits = std::bit_cast<Bits>(value);
    return (bits & ~sign_bit) > infinity_bits ? nan_bits : bits;
}
Bits multiply(Bits a, Bits b) {
    return canonical(std::bit_cast<float>(a) * std::bit_cast<float>(b));
}
// The result may be any NaN.
Bits scale(Bits a, float factor) {
    return std::bit_cast<Bits>(std::bit_cast<float>(a) * factor);
}

// Returns a factor for arguments that would be flushed, or whose reciprocal would be. The factor of NaN does not matter.
float factor_of(Bits a) {
    constexpr Bits limit = 0x7e800000u;  // 2^126
    const float factor = (a & ~sign_bit) > limit ? 0.25f : 1.0f;
    return is_subnormal(a) ? 0x1p24f : factor;
}

// The forms without .ftz scale arguments that the unit would flush, and arguments whose result it would flush. ptxas emits these
// multiplications for sm_90.

Bits reciprocal(Bits a) {
    const float factor = factor_of(a);
    return canonical(std::bit_cast<float>(unit_reciprocal(scale(a, factor))) * factor);
}
Bits reciprocal_root(Bits a) {
    const bool is_small = is_subnormal(a);
    const Bits result = unit_reciprocal_root(scale(a, is_small ? 0x1p24f : 1.0f));
    return canonical(std::bit_cast<float>(result) * (is_small ? 0x1p12f : 1.0f));
}
Bits root(Bits a) {
    const bool is_small = is_subnormal(a);
    const Bits result = unit_root(scale(a, is_small ? 0x1p24f : 1.0f));
    return canonical(std::bit_cast<float>(result) * (is_small ? 0x1p-12f : 1.0f));
}
Bits exponential(Bits a) {
    const bool is_small = a > 0xc2fc0000u;  // below -126, or a NaN
    const Bits result = unit_exponential(scale(a, is_small ? 0.5f : 1.0f));
    return multiply(result, is_small ? result : one_bits);
}
Bits logarithm(Bits a) {
    const bool is_small = is_subnormal(a);
    const Bits result = unit_logarithm(scale(a, is_small ? 0x1p24f : 1.0f));
    return canonical(std::bit_cast<float>(result) - (is_small ? 24.0f : 0.0f));
}

Bits divide_approximately_flushed(Bits a, Bits b) {
    return flush(multiply(flush(a), unit_reciprocal(b)));
}
Bits divide_approximately(Bits a, Bits b) {
    const float factor = is_subnormal(b) ? 0x1p24f : 1.0f;
    return multiply(scale(a, factor), unit_reciprocal(scale(b, factor)));
}
Bits divide_flushed(Bits a, Bits b) {
    const float factor = is_subnormal(b) ? 1.0f : factor_of(b);
    return flush(multiply(flush(scale(flush(a), factor)), unit_reciprocal(scale(b, factor))));
}
Bits divide(Bits a, Bits b) {
    const float factor = factor_of(b);
    return multiply(scale(a, factor), unit_reciprocal(scale(b, factor)));
}

// Of a double, the unit reads and writes the upper half.

Bits upper(std::uint64_t a) {
    return static_cast<Bits>(a >> 32);
}
std::uint64_t from_upper(Bits a) {
    return static_cast<std::uint64_t>(a) << 32;
}
constexpr Bits double_infinity = 0x7ff00000u;

std::uint64_t reciprocal_64(std::uint64_t a) {
    const Bits bits = upper(a);
    const Bits exponent = bits >> 20 & 0x7ff;
    const Bits scaled = reciprocal_significand((bits & 0xfffff) << 3);
    const Bits result_exponent = (scaled >> 23) + 1919 - exponent;
    Bits result = result_exponent << 20 | (scaled >> 3 & 0xfffff);
    if ((scaled >> 23) + 1919 <= exponent) result = 0;
    if (exponent == 0) result = double_infinity;
    result |= bits & sign_bit;
    return from_upper((bits & ~sign_bit) > double_infinity ? nan_bits : result);
}
std::uint64_t reciprocal_root_64(std::uint64_t a) {
    const Bits bits = upper(a);
    const Bits exponent = bits >> 20 & 0x7ff;
    const Bits is_odd = ~exponent & 1;
    const Bits scaled = reciprocal_root_significand((bits & 0xfffff) << 3, is_odd);
    Bits result = ((scaled >> 23) + 1919 - ((exponent + 1023 - is_odd) >> 1)) << 20 | (scaled >> 3 & 0xfffff);
    if (exponent == 0x7ff) result = 0;
    if ((bits & sign_bit) != 0) result = nan_bits;
    if (exponent == 0) result = (bits & sign_bit) | double_infinity;
    return from_upper((bits & ~sign_bit) > double_infinity ? nan_bits : result);
}

// ptxas computes rsqrt.approx.f64 with a step of Newton's method from the unit's result. It scales subnormal arguments.
std::uint64_t precise_reciprocal_root_64(std::uint64_t bits) {
    const auto a = std::bit_cast<double>(bits);
    const bool is_small = upper(bits) < 0x00100000u;
    const double scaled = is_small ? a * 0x1p54 : a;
    const auto start = std::bit_cast<double>(reciprocal_root_64(std::bit_cast<std::uint64_t>(scaled)));
    const double error = std::fma(scaled, -(start * start), 1.0);
    const double refined = std::fma(std::fma(error, 0.375, 0.5), start * error, start);
    auto result = std::bit_cast<std::uint64_t>(is_small ? refined * 0x1p27 : refined);
    if (upper(bits) == double_infinity) result = 0;  // NaN has another result
    if (bits >> 63 != 0) result = 0xfff8000000000000u;
    if (a == 0) result = from_upper((upper(bits) & sign_bit) | double_infinity);
    return a != a ? bits | 0x0008000000000000u : result;
}

template <auto Function>
Handler select(Choice&) {
    return ComputeLong<Function>::run;
}

constexpr Form forms[] = {
    {"rcp", ".approx .f32", "=t t", select<reciprocal>},
    {"rcp", ".approx .ftz .f32", "=t t", select<unit_reciprocal>},
    {"rcp", ".approx .ftz .f64", "=t t", select<reciprocal_64>},
    {"rsqrt", ".approx .f32", "=t t", select<reciprocal_root>},
    {"rsqrt", ".approx .ftz .f32", "=t t", select<unit_reciprocal_root>},
    {"rsqrt", ".approx .f64", "=t t", select<precise_reciprocal_root_64>},
    {"rsqrt", ".approx .ftz .f64", "=t t", select<reciprocal_root_64>},
    {"sqrt", ".approx .f32", "=t t", select<root>},
    {"sqrt", ".approx .ftz .f32", "=t t", select<unit_root>},
    {"ex2", ".approx .f32", "=t t", select<exponential>},
    {"ex2", ".approx .ftz .f32", "=t t", select<unit_exponential>},
    {"lg2", ".approx .f32", "=t t", select<logarithm>},
    {"lg2", ".approx .ftz .f32", "=t t", select<unit_logarithm>},
    {"sin", ".approx [.ftz] .f32", "=t t", select<unit_sine<false>>},
    {"cos", ".approx [.ftz] .f32", "=t t", select<unit_sine<true>>},
    {"tanh", ".approx .f32", "=t t", select<unit_tangent>, Flow::none, 7000, 75},
    {"div", ".approx .f32", "=t t t", select<divide_approximately>},
    {"div", ".approx .ftz .f32", "=t t t", select<divide_approximately_flushed>},
    {"div", ".full .f32", "=t t t", select<divide>},
    {"div", ".full .ftz .f32", "=t t t", select<divide_flushed>},
};

}  // namespace

Forms special_function_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
