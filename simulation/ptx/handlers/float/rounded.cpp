// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/handlers/float/rounded.hpp"

#include <bit>

#include "ptx/run/warp.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

/// The elements of the operands.
enum class Layout : std::uint8_t { single, doubles, pair, half, bfloat };

/// The contents of Instruction::extra.
struct Plan {
    Arithmetic operation = Arithmetic::add;
    Layout layout = Layout::single;
    Rounding rounding = Rounding::nearest_even;
    bool flushes = false;
    bool saturates = false;

    std::uint32_t pack() const noexcept {
        return static_cast<std::uint32_t>(operation) | static_cast<std::uint32_t>(layout) << 4 |
               static_cast<std::uint32_t>(rounding) << 8 | std::uint32_t{flushes} << 12 | std::uint32_t{saturates} << 13;
    }
    static Plan unpack(std::uint32_t extra) noexcept {
        return {static_cast<Arithmetic>(extra & 15), static_cast<Layout>(extra >> 4 & 15), static_cast<Rounding>(extra >> 8 & 15),
                (extra >> 12 & 1) != 0, (extra >> 13 & 1) != 0};
    }
};

constexpr unsigned max_sources = 3;

constexpr unsigned sources_of(Arithmetic operation) noexcept {
    switch (operation) {
        case Arithmetic::square_root:
        case Arithmetic::reciprocal:
            return 1;
        case Arithmetic::multiply_add:
            return 3;
        default:
            return 2;
    }
}

ExactNumber compute(const Plan& plan, const ExactNumber* values) {
    switch (plan.operation) {
        case Arithmetic::add:
            return exact_sum(values[0], values[1], plan.rounding);
        case Arithmetic::subtract:
            return exact_sum(values[0], exact_negation(values[1]), plan.rounding);
        case Arithmetic::multiply:
            return exact_product(values[0], values[1]);
        case Arithmetic::multiply_add:
            return exact_sum(exact_product(values[0], values[1]), values[2], plan.rounding);
        case Arithmetic::divide:
            return exact_quotient(values[0], values[1]);
        case Arithmetic::square_root:
            return exact_square_root(values[0]);
        default:
            return exact_quotient(exact_from_integer(1, false), values[0]);
    }
}

std::uint32_t compute_single(const Plan& plan, const ExactNumber* values) {
    constexpr std::uint32_t one = 0x3f800000;
    const ExactNumber result = compute(plan, values);
    if (result.is_nan()) return plan.saturates ? 0 : 0x7fffffff;
    const auto bits = static_cast<std::uint32_t>(round_to_bits(result, single_format, plan.rounding, plan.flushes));
    if (!plan.saturates) return bits;
    return result.is_negative ? 0 : bits > one ? one : bits;
}

// A NaN result has the sign and payload of the first source, in this order, that is NaN.
constexpr unsigned order_of_product[] = {1, 0};
constexpr unsigned order_of_quotient[] = {0, 1};
constexpr unsigned order_of_sum_of_product[] = {1, 2, 0};

const unsigned* order_of(Arithmetic operation) {
    if (operation == Arithmetic::multiply_add) return order_of_sum_of_product;
    return sources_of(operation) == 1 || operation == Arithmetic::divide ? order_of_quotient : order_of_product;
}

std::uint64_t compute_double(const Plan& plan, const std::uint64_t* sources, unsigned count) {
    constexpr std::uint64_t quiet = std::uint64_t{1} << 51;
    ExactNumber values[max_sources];
    for (unsigned i = 0; i < count; ++i) values[i] = exact_from_bits(sources[i], double_format, false);
    for (unsigned i = 0; i < count; ++i) {
        const unsigned source = order_of(plan.operation)[i];
        if (values[source].is_nan()) return sources[source] | quiet;
    }
    const ExactNumber result = compute(plan, values);
    if (result.is_nan()) return double_format.sign() | double_format.infinity() | quiet;
    return round_to_bits(result, double_format, plan.rounding, false);
}

std::uint32_t compute_singles(const Plan& plan, const std::uint32_t* sources, unsigned count) {
    ExactNumber values[max_sources];
    for (unsigned i = 0; i < count; ++i) values[i] = exact_from_bits(sources[i], single_format, plan.flushes);
    return compute_single(plan, values);
}

template <class Value, class Call>
const Instruction* for_active_lanes(Warp& warp, const Instruction* instruction, unsigned count, Call call) {
    Value* const to = warp.to<Value>(instruction->slots[0]);
    const Value* from[max_sources] = {};
    for (unsigned i = 0; i < count; ++i) from[i] = warp.from<Value>(instruction->slots[i + 1]);
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        Value sources[max_sources] = {};
        for (unsigned i = 0; i < count; ++i) sources[i] = from[i][lane];
        to[lane] = call(sources);
    }
    return instruction + 1;
}

const Instruction* run_single(Warp& warp, const Instruction* instruction) {
    const Plan plan = Plan::unpack(instruction->extra);
    const unsigned count = sources_of(plan.operation);
    return for_active_lanes<std::uint32_t>(warp, instruction, count,
                                           [&](const std::uint32_t* sources) { return compute_singles(plan, sources, count); });
}

const Instruction* run_double(Warp& warp, const Instruction* instruction) {
    const Plan plan = Plan::unpack(instruction->extra);
    const unsigned count = sources_of(plan.operation);
    return for_active_lanes<std::uint64_t>(warp, instruction, count,
                                           [&](const std::uint64_t* sources) { return compute_double(plan, sources, count); });
}

const Instruction* run_pair(Warp& warp, const Instruction* instruction) {
    const Plan plan = Plan::unpack(instruction->extra);
    const unsigned count = sources_of(plan.operation);
    return for_active_lanes<std::uint64_t>(warp, instruction, count, [&](const std::uint64_t* sources) {
        std::uint32_t low[max_sources] = {};
        std::uint32_t high[max_sources] = {};
        for (unsigned i = 0; i < count; ++i) {
            low[i] = static_cast<std::uint32_t>(sources[i]);
            high[i] = static_cast<std::uint32_t>(sources[i] >> 32);
        }
        return std::uint64_t{compute_singles(plan, high, count)} << 32 | compute_singles(plan, low, count);
    });
}

// All sources but the last have 16 bits.
const Instruction* run_mixed(Warp& warp, const Instruction* instruction) {
    const Plan plan = Plan::unpack(instruction->extra);
    const FloatFormat format = plan.layout == Layout::half ? half_format : bfloat_format;
    const unsigned last = sources_of(plan.operation) - 1;
    auto* const to = warp.to<std::uint32_t>(instruction->slots[0]);
    for (std::uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(rest));
        ExactNumber values[max_sources];
        for (unsigned i = 0; i < last; ++i) {
            values[i] = exact_from_bits(warp.from<std::uint16_t>(instruction->slots[i + 1])[lane], format, false);
        }
        values[last] = exact_from_bits(warp.from<std::uint32_t>(instruction->slots[last + 1])[lane], single_format, false);
        to[lane] = compute_single(plan, values);
    }
    return instruction + 1;
}

}  // namespace

Rounding rounding_of(const Modifiers& modifiers) noexcept {
    if (!modifiers.one_of({".rz", ".rzi"}).empty()) return Rounding::toward_zero;
    if (!modifiers.one_of({".rm", ".rmi"}).empty()) return Rounding::down;
    if (!modifiers.one_of({".rp", ".rpi"}).empty()) return Rounding::up;
    return modifiers.has(".rna") ? Rounding::nearest_away : Rounding::nearest_even;
}

Handler select_rounded(Choice& choice, Arithmetic operation) {
    const std::string_view type = choice.modifiers.type();
    Plan plan{operation, Layout::single, rounding_of(choice.modifiers), choice.modifiers.has(".ftz"),
              choice.modifiers.has(".sat")};
    Handler handler = run_single;
    if (type == ".f64") {
        plan.layout = Layout::doubles;
        handler = run_double;
    } else if (type == ".f32x2") {
        plan.layout = Layout::pair;
        handler = run_pair;
    } else if (type == ".f16" || type == ".bf16") {
        plan.layout = type == ".f16" ? Layout::half : Layout::bfloat;
        handler = run_mixed;
    }
    choice.extra = plan.pack();
    return handler;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
