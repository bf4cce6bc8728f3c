// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Comparisons of floating-point numbers.
#include "ptx/handlers/float/half_bits.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

/// The relations from which all comparisons follow by exchanging the sources and negating the result.
enum class Relation : std::uint8_t { equal, different, less, less_or_equal, ordered };

/// How the results of a relation become the results of an instruction. Stored in Instruction::extra.
struct ComparisonSettings {
    bool is_swapped = false;
    bool is_negated = false;
    enum class Combination : std::uint8_t { none, both, either, exclusive } combination = Combination::none;
    std::uint8_t true_value = 0;  ///< of set: index into true_values

    std::uint32_t pack() const noexcept {
        return std::uint32_t{is_swapped} | std::uint32_t{is_negated} << 1 | static_cast<std::uint32_t>(combination) << 2 |
               std::uint32_t{true_value} << 4;
    }
    static ComparisonSettings unpack(std::uint32_t extra) noexcept {
        return {(extra & 1) != 0, (extra >> 1 & 1) != 0, static_cast<Combination>(extra >> 2 & 3),
                static_cast<std::uint8_t>(extra >> 4 & 15)};
    }
    /// Returns the result for a combination with a predicate.
    std::uint32_t combine(std::uint32_t bits, std::uint32_t predicate) const noexcept {
        switch (combination) {
            case Combination::both:
                return bits & predicate;
            case Combination::either:
                return bits | predicate;
            case Combination::exclusive:
                return bits ^ predicate;
            default:
                return bits;
        }
    }
};

/// The value that `set` writes for true. The value of a vector contains it twice.
struct TrueValue {
    std::string_view type;
    std::uint32_t bits;
};
constexpr TrueValue true_values[] = {
    {".u32", 0xffffffff}, {".s32", 0xffffffff}, {".f32", 0x3f800000},   {".u16", 0xffff},        {".s16", 0xffff},
    {".f16", 0x3c00},     {".bf16", 0x3f80},    {".f16x2", 0x3c003c00}, {".bf16x2", 0x3f803f80},
};

/// How sources are read. A vector has two elements.
struct Single {
    using Bits = float;
    static constexpr unsigned length = 1;
    static float element(float value, unsigned) { return value; }
};
struct FlushedSingle : Single {
    static float element(float value, unsigned) { return flush(value); }
};
struct Double {
    using Bits = double;
    static constexpr unsigned length = 1;
    static double element(double value, unsigned) { return value; }
};
template <class Format, bool flushes>
struct Small {
    using Bits = std::uint16_t;
    static constexpr unsigned length = 1;
    static float element(std::uint32_t value, unsigned) { return to_float<Format>(flushes ? flush_half<Format>(value) : value); }
};
template <class Format, bool flushes>
struct SmallPair {
    using Bits = std::uint32_t;
    static constexpr unsigned length = 2;
    static float element(std::uint32_t value, unsigned index) {
        const std::uint32_t bits = value >> (16 * index) & 0xffff;
        return to_float<Format>(flushes ? flush_half<Format>(bits) : bits);
    }
};

template <Relation relation, class Type>
bool holds(Type a, Type b) {
    switch (relation) {
        case Relation::equal:
            return a == b;
        case Relation::different:
            return (a < b) | (a > b);
        case Relation::less:
            return a < b;
        case Relation::less_or_equal:
            return a <= b;
        default:
            return (a == a) & (b == b);
    }
}

// Returns the result of the comparison for each thread.
template <class Source, Relation relation, unsigned index>
std::uint32_t compare(const Warp& warp, const Instruction* instruction, ComparisonSettings settings) {
    using Bits = typename Source::Bits;
    const Bits* const a = warp.from<Bits>(instruction->slots[settings.is_swapped ? 3 : 2]);
    const Bits* const b = warp.from<Bits>(instruction->slots[settings.is_swapped ? 2 : 3]);
    const std::uint32_t bits = test_lanes(
        warp,
        [](Bits first, Bits second) { return holds<relation>(Source::element(first, index), Source::element(second, index)); }, a,
        b);
    return settings.is_negated ? ~bits : bits;
}

template <class Source, Relation relation>
const Instruction* set_predicate(Warp& warp, const Instruction* instruction) {
    const ComparisonSettings settings = ComparisonSettings::unpack(instruction->extra);
    const bool has_predicate = settings.combination != ComparisonSettings::Combination::none;
    const std::uint32_t predicate = has_predicate ? warp.predicate(instruction->slots[4]) : 0;
    const std::uint32_t first = compare<Source, relation, 0>(warp, instruction, settings);
    std::uint32_t second = ~first;
    if constexpr (Source::length == 2) second = compare<Source, relation, 1>(warp, instruction, settings);
    if (instruction->slots[0] != no_slot) warp.set_predicate(instruction->slots[0], settings.combine(first, predicate));
    if (instruction->slots[1] != no_slot) warp.set_predicate(instruction->slots[1], settings.combine(second, predicate));
    return instruction + 1;
}

template <class Result>
void write_choice(Warp& warp, std::uint32_t slot, std::uint32_t low, std::uint32_t high, std::uint32_t value) {
    // Each thread gets the lower half of the value if its bit in `low` is set, and the upper half if its bit in `high` is set.
    write_lanes(
        warp, warp.to<Result>(slot),
        [=](std::uint32_t bit) {
            return static_cast<Result>(((low & bit) != 0 ? value & 0xffff : 0) | ((high & bit) != 0 ? value & 0xffff0000 : 0));
        },
        lane_bits);
}

template <class Source, Relation relation>
const Instruction* set_value(Warp& warp, const Instruction* instruction) {
    // `set` has one destination and `setp` two, so the slots of the sources are shifted by one.
    Instruction moved = *instruction;
    for (unsigned i = max_slots; --i > 0;) moved.slots[i] = instruction->slots[i - 1];
    const ComparisonSettings settings = ComparisonSettings::unpack(instruction->extra);
    const bool has_predicate = settings.combination != ComparisonSettings::Combination::none;
    const std::uint32_t predicate = has_predicate ? warp.predicate(moved.slots[4]) : 0;
    const std::uint32_t low = settings.combine(compare<Source, relation, 0>(warp, &moved, settings), predicate);
    std::uint32_t high = low;
    if constexpr (Source::length == 2) high = settings.combine(compare<Source, relation, 1>(warp, &moved, settings), predicate);
    const std::uint32_t value = true_values[settings.true_value].bits;
    if (value <= 0xffff) {
        write_choice<std::uint16_t>(warp, instruction->slots[0], low, high, value);
    } else {
        write_choice<std::uint32_t>(warp, instruction->slots[0], low, high, value);
    }
    return instruction + 1;
}

struct SetPredicate {
    template <class Source, Relation relation>
    static constexpr Handler handler = set_predicate<Source, relation>;
};
struct SetValue {
    template <class Source, Relation relation>
    static constexpr Handler handler = set_value<Source, relation>;
};

template <class Make, class Source>
Handler for_relation(Relation relation) {
    switch (relation) {
        case Relation::equal:
            return Make::template handler<Source, Relation::equal>;
        case Relation::different:
            return Make::template handler<Source, Relation::different>;
        case Relation::less:
            return Make::template handler<Source, Relation::less>;
        case Relation::less_or_equal:
            return Make::template handler<Source, Relation::less_or_equal>;
        default:
            return Make::template handler<Source, Relation::ordered>;
    }
}

/// A comparison operator of PTX. The unordered ones, which end with u, are true if a source is NaN.
struct Operator {
    std::string_view name;
    Relation relation;
    bool is_swapped;
    bool is_negated;
};
constexpr Operator operators[] = {
    {".eq", Relation::equal, false, false},         {".ne", Relation::different, false, false},
    {".lt", Relation::less, false, false},          {".le", Relation::less_or_equal, false, false},
    {".gt", Relation::less, true, false},           {".ge", Relation::less_or_equal, true, false},
    {".equ", Relation::different, false, true},     {".neu", Relation::equal, false, true},
    {".ltu", Relation::less_or_equal, true, true},  {".leu", Relation::less, true, true},
    {".gtu", Relation::less_or_equal, false, true}, {".geu", Relation::less, false, true},
    {".num", Relation::ordered, false, false},      {".nan", Relation::ordered, false, true},
};

template <class Make>
Handler select(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    const Operator* used = operators;
    while (!modifiers.has(used->name)) ++used;
    ComparisonSettings settings{used->is_swapped, used->is_negated};
    if (modifiers.has(".and")) settings.combination = ComparisonSettings::Combination::both;
    if (modifiers.has(".or")) settings.combination = ComparisonSettings::Combination::either;
    if (modifiers.has(".xor")) settings.combination = ComparisonSettings::Combination::exclusive;
    for (const TrueValue& each : true_values) {
        if (each.type == modifiers.type(1)) settings.true_value = static_cast<std::uint8_t>(&each - true_values);
    }
    choice.extra = settings.pack();
    const std::string_view type = modifiers.type();
    const bool flushes = modifiers.has(".ftz");
    const Relation relation = used->relation;
    if (type == ".f64") return for_relation<Make, Double>(relation);
    if (type == ".bf16") return for_relation<Make, Small<Bfloat, false>>(relation);
    if (type == ".bf16x2") return for_relation<Make, SmallPair<Bfloat, false>>(relation);
    if (type == ".f16" && flushes) return for_relation<Make, Small<Half, true>>(relation);
    if (type == ".f16") return for_relation<Make, Small<Half, false>>(relation);
    if (type == ".f16x2" && flushes) return for_relation<Make, SmallPair<Half, true>>(relation);
    if (type == ".f16x2") return for_relation<Make, SmallPair<Half, false>>(relation);
    return flushes ? for_relation<Make, FlushedSingle>(relation) : for_relation<Make, Single>(relation);
}

#define CUBIND_OPERATORS ".eq|.ne|.lt|.le|.gt|.ge|.equ|.neu|.ltu|.leu|.gtu|.geu|.num|.nan"
#define CUBIND_COMBINATIONS ".and|.or|.xor"

// Each form without and with a predicate that is combined with the result.
#define CUBIND_SETP(modifiers, operands, isa, target)                                                                         \
    {"setp", CUBIND_OPERATORS " " modifiers, operands, select<SetPredicate>, Flow::none, isa, target}, {                      \
        "setp", CUBIND_OPERATORS " " CUBIND_COMBINATIONS " " modifiers, operands " p", select<SetPredicate>, Flow::none, isa, \
            target                                                                                                            \
    }
#define CUBIND_SET(modifiers, isa, target)                                                                                   \
    {"set", CUBIND_OPERATORS " " modifiers, "=s t t", select<SetValue>, Flow::none, isa, target}, {                          \
        "set", CUBIND_OPERATORS " " CUBIND_COMBINATIONS " " modifiers, "=s t t p", select<SetValue>, Flow::none, isa, target \
    }

constexpr Form forms[] = {
    CUBIND_SETP("[.ftz] .f32", "=p|p t t", 1000, 10),
    CUBIND_SETP(".f64", "=p|p t t", 1000, 10),
    CUBIND_SETP("[.ftz] .f16|.f16x2", "=p|p t t", 4020, 53),
    CUBIND_SETP(".bf16|.bf16x2", "=p|p t t", 7080, 90),
    CUBIND_SET("[.ftz] .u32|.s32|.f32 .f32", 1000, 10),
    CUBIND_SET(".u32|.s32|.f32 .f64", 1000, 10),
    CUBIND_SET("[.ftz] .f16 .f32", 4020, 53),
    CUBIND_SET(".f16 .f64", 4020, 53),
    CUBIND_SET("[.ftz] .f16 .f16", 4020, 53),
    CUBIND_SET("[.ftz] .u16|.s16|.u32|.s32 .f16", 6050, 53),
    CUBIND_SET("[.ftz] .f16x2 .f16x2", 4020, 53),
    CUBIND_SET("[.ftz] .u32|.s32 .f16x2", 6050, 53),
    CUBIND_SET(".bf16 .f32|.f64|.f16|.bf16", 7080, 90),
    CUBIND_SET(".u16|.s16|.u32|.s32 .bf16", 7080, 90),
    CUBIND_SET(".u32|.s32|.bf16x2 .bf16x2", 7080, 90),
};

}  // namespace

Forms float_comparison_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
