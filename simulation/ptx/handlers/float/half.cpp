// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of f16 and bf16, and of vectors of two of them.
#include "ptx/handlers/float/half_bits.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

// The bits of Instruction::extra.
constexpr std::uint32_t flushes_flag = 1;
constexpr std::uint32_t saturates_flag = 2;
constexpr std::uint32_t is_relu_flag = 4;

struct Add {
    static constexpr unsigned sources = 2;
    static double compute(double a, double b, double) { return add_to_odd(a, b); }
};
struct Subtract {
    static constexpr unsigned sources = 2;
    static double compute(double a, double b, double) { return add_to_odd(a, -b); }
};
struct Multiply {
    static constexpr unsigned sources = 2;
    static double compute(double a, double b, double) { return a * b; }
};
struct MultiplyAdd {
    static constexpr unsigned sources = 3;
    static double compute(double a, double b, double c) { return add_to_odd(a * b, c); }
};

template <class Format>
inline double input(std::uint32_t bits, std::uint32_t flags) {
    return double{to_float<Format>((flags & flushes_flag) != 0 ? flush_half<Format>(bits) : bits)};
}

template <class Format, class Operation>
inline std::uint32_t compute(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t flags) {
    const double exact = Operation::compute(input<Format>(a, flags), input<Format>(b, flags), input<Format>(c, flags));
    const std::uint32_t result = from_double<Format>(exact, (flags & flushes_flag) != 0);
    constexpr std::uint32_t one = static_cast<std::uint32_t>(-Format::min_exponent + 1) << Format::fraction_bits;
    const bool is_nan = result == nan_of_half;
    const bool is_negative = result >= sign_of_half;
    const std::uint32_t limited = is_nan || is_negative ? 0 : result > one ? one : result;
    const std::uint32_t positive = is_negative ? 0 : result;
    return (flags & saturates_flag) != 0 ? limited : (flags & is_relu_flag) != 0 ? positive : result;
}

template <class Format, class Operation>
const Instruction* run_one(Warp& warp, const Instruction* instruction) {
    using Bits = std::uint16_t;
    const std::uint32_t flags = instruction->extra;
    write_lanes(
        warp, warp.to<Bits>(instruction->slots[0]),
        [flags](Bits a, Bits b, Bits c) { return static_cast<Bits>(compute<Format, Operation>(a, b, c, flags)); },
        warp.from<Bits>(instruction->slots[1]), warp.from<Bits>(instruction->slots[2]),
        warp.from<Bits>(instruction->slots[Operation::sources]));
    return instruction + 1;
}

template <class Format, class Operation>
const Instruction* run_two(Warp& warp, const Instruction* instruction) {
    using Bits = std::uint32_t;
    const std::uint32_t flags = instruction->extra;
    write_lanes(
        warp, warp.to<Bits>(instruction->slots[0]),
        [flags](Bits a, Bits b, Bits c) {
            const Bits low = compute<Format, Operation>(a & 0xffff, b & 0xffff, c & 0xffff, flags);
            return low | compute<Format, Operation>(a >> 16, b >> 16, c >> 16, flags) << 16;
        },
        warp.from<Bits>(instruction->slots[1]), warp.from<Bits>(instruction->slots[2]),
        warp.from<Bits>(instruction->slots[Operation::sources]));
    return instruction + 1;
}

template <class Operation>
Handler select(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    const std::string_view type = modifiers.type();
    choice.extra = (modifiers.has(".ftz") ? flushes_flag : 0) | (modifiers.has(".sat") ? saturates_flag : 0) |
                   (modifiers.has(".relu") ? is_relu_flag : 0);
    if (type == ".f16") return run_one<Half, Operation>;
    if (type == ".f16x2") return run_two<Half, Operation>;
    if (type == ".bf16") return run_one<Bfloat, Operation>;
    return run_two<Bfloat, Operation>;
}

constexpr Form forms[] = {
    {"add", "[.rn] [.ftz] [.sat] .f16|.f16x2", "=t t t", select<Add>, Flow::none, 4020, 53},
    {"add", "[.rn] .bf16|.bf16x2", "=t t t", select<Add>, Flow::none, 7080, 90},
    {"sub", "[.rn] [.ftz] [.sat] .f16|.f16x2", "=t t t", select<Subtract>, Flow::none, 4020, 53},
    {"sub", "[.rn] .bf16|.bf16x2", "=t t t", select<Subtract>, Flow::none, 7080, 90},
    {"mul", "[.rn] [.ftz] [.sat] .f16|.f16x2", "=t t t", select<Multiply>, Flow::none, 4020, 53},
    {"mul", "[.rn] .bf16|.bf16x2", "=t t t", select<Multiply>, Flow::none, 7080, 90},
    {"fma", ".rn [.ftz] [.sat] .f16|.f16x2", "=t t t t", select<MultiplyAdd>, Flow::none, 4020, 53},
    {"fma", ".rn [.ftz] .relu .f16|.f16x2", "=t t t t", select<MultiplyAdd>, Flow::none, 7000, 80},
    {"fma", ".rn [.relu] .bf16|.bf16x2", "=t t t t", select<MultiplyAdd>, Flow::none, 7000, 80},
};

}  // namespace

Forms half_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
