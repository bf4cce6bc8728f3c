// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Approximate functions of f16 and bf16. The special function unit computes them as for float, and cuts the result.
#include "ptx/handlers/float/long_functions.hpp"
#include "ptx/handlers/float/special_functions.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

using Bits = std::uint32_t;

// Conversions to and from the bits of a float. The upper bits of the argument of `widen` are 0.

struct Half {
    static Bits widen(Bits a) {
        const Bits magnitude = a & 0x7fff;
        const float scaled = static_cast<float>(static_cast<int>(magnitude)) * 0x1p-24f;  // of subnormal ones
        Bits result = magnitude < 0x400 ? std::bit_cast<Bits>(scaled) : (magnitude << 13) + (112u << 23);
        if (magnitude >= 0x7c00) result = infinity_bits | magnitude << 13;
        return result | (a & 0x8000) << 16;
    }
    static Bits cut(Bits a) {
        const Bits magnitude = a & ~sign_bit;
        const Bits exponent = magnitude >> 23;
        const Bits shift = exponent > 95 ? 126 - exponent : 31;  // of subnormal ones
        const Bits small = ((a & 0x7fffff) | 0x800000) >> (shift & 31);
        Bits result = exponent < 113 ? small : (magnitude - (112u << 23)) >> 13;
        result = exponent >= 143 ? 0x7c00 : result;
        result = magnitude > infinity_bits ? 0x7fff : result;
        return result | (a >> 16 & 0x8000);
    }
};

struct Bfloat16 {
    static Bits widen(Bits a) { return a << 16; }
    static Bits cut(Bits a) { return a >> 16; }
};

// A function of one value, or of two in one register.
template <class Format, auto Function>
struct Narrow {
    static std::uint16_t one(std::uint16_t a) { return static_cast<std::uint16_t>(compute(a)); }
    static Bits two(Bits a) { return compute(a & 0xffff) | compute(a >> 16) << 16; }

private:
    static Bits compute(Bits a) { return Format::cut(Function(Format::widen(a))); }
};

template <class Format, auto Function>
Handler select(Choice& choice) {
    const bool is_pair = choice.modifiers.has(".f16x2") || choice.modifiers.has(".bf16x2");
    if (is_pair) return ComputeLong<Narrow<Format, Function>::two>::run;
    return ComputeLong<Narrow<Format, Function>::one>::run;
}

constexpr Form forms[] = {
    {"ex2", ".approx .f16|.f16x2", "=t t", select<Half, unit_exponential>, Flow::none, 7000, 75},
    {"ex2", ".approx .ftz .bf16|.bf16x2", "=t t", select<Bfloat16, unit_exponential>, Flow::none, 7080, 90},
    {"tanh", ".approx .f16|.f16x2", "=t t", select<Half, unit_tangent>, Flow::none, 7000, 75},
    {"tanh", ".approx .bf16|.bf16x2", "=t t", select<Bfloat16, unit_tangent>, Flow::none, 7080, 90},
};

}  // namespace

Forms special_function_half_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
