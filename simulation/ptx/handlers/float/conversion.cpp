// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Conversions. Common ones use the instructions of the processor, others are exact for all modifiers.
#include <limits>
#include <type_traits>

#include "ptx/handlers/float/convert.hpp"
#include "ptx/handlers/float/half_bits.hpp"
#include "ptx/handlers/float/rounded.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

/// The register of a type. Types of 8 bits are in registers of 16 bits.
template <class Type>
using RegisterOf = std::conditional_t<
    sizeof(Type) <= 2, std::uint16_t,
    std::conditional_t<std::is_same_v<Type, float>, float,
                       std::conditional_t<std::is_same_v<Type, double>, double,
                                          std::conditional_t<sizeof(Type) == 4, std::uint32_t, std::uint64_t>>>>;

template <class Register, class From, class To>
RegisterOf<To> convert(Register value) {
    return static_cast<RegisterOf<To>>(static_cast<To>(static_cast<From>(value)));
}

template <Rounding rounding, class Type>
Type round_to_whole(Type value) {
    if constexpr (std::is_same_v<Type, float>) {
        return rounding == Rounding::nearest_even ? __builtin_rintf(value)
               : rounding == Rounding::down       ? __builtin_floorf(value)
               : rounding == Rounding::up         ? __builtin_ceilf(value)
                                                  : __builtin_truncf(value);
    } else {
        return rounding == Rounding::nearest_even ? __builtin_rint(value)
               : rounding == Rounding::down       ? __builtin_floor(value)
               : rounding == Rounding::up         ? __builtin_ceil(value)
                                                  : __builtin_trunc(value);
    }
}

template <class From, class To, Rounding rounding>
RegisterOf<To> convert_to_integer(From value) {
    using Limits = std::numeric_limits<To>;
    constexpr From end = static_cast<From>(To{1} << (Limits::digits - 1)) * From{2};
    constexpr From begin = std::is_signed_v<To> ? -end : From{0};
    // A conversion from or to 64 bits returns for NaN the value with only the highest bit set. Other conversions return 0.
    constexpr bool has_nan = sizeof(To) == 8 || sizeof(From) == 8;
    constexpr To nan = has_nan ? static_cast<To>(std::make_unsigned_t<To>{1} << (8 * sizeof(To) - 1)) : To{0};
    const From whole = round_to_whole<rounding>(value);
    const To inside = static_cast<To>(whole >= begin && whole < end ? whole : From{0});
    const To result = whole >= end ? Limits::max() : whole < begin ? Limits::min() : inside;
    return static_cast<RegisterOf<To>>(value == value ? result : nan);
}

template <class Type, Rounding rounding, bool flushes>
Type round_number(Type value) {
    const Type whole = round_to_whole<rounding, Type>(flushes ? flush(value) : value);
    if constexpr (std::is_same_v<Type, float>) {
        return canonical(whole);
    } else {
        return value == value ? whole : quiet(value);
    }
}

template <class Format>
float widen(std::uint16_t bits) {
    const float value = to_float<Format>(bits);
    return std::is_same_v<Format, Bfloat> ? value : canonical(value);  // bf16 moves to the upper half of a float
}
template <class Format>
std::uint16_t narrow(float value) {
    return static_cast<std::uint16_t>(from_double<Format>(double{value}, false));
}
template <class Format>
std::uint32_t narrow_both(float high, float low) {
    return std::uint32_t{narrow<Format>(high)} << 16 | narrow<Format>(low);
}
double widen_float(float value) {
    return double{value};
}
float narrow_double(double value) {
    return static_cast<float>(value);
}

struct TypeName {
    std::string_view name;
    unsigned bytes;  ///< of the register
};

template <class Type>
bool is_named(std::string_view name) {
    if constexpr (std::is_same_v<Type, std::uint8_t>) return name == ".u8";
    if constexpr (std::is_same_v<Type, std::int8_t>) return name == ".s8";
    if constexpr (sizeof(Type) > 1) return is_type<Type>(name);
}

// Finds the handler for the type of the result. Registers must be as wide as their types.
template <class Register, class From, class... To>
Handler convert_to(TypeName to) {
    Handler handler = nullptr;
    (void)((is_named<To>(to.name) && to.bytes == sizeof(RegisterOf<To>)
                ? (handler = compute_handler<convert<Register, From, To>>, true)
                : false) ||
           ...);
    return handler;
}

template <class Register, class From>
Handler convert_integer_to(TypeName to) {
    return convert_to<Register, From, std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t,
                      std::uint64_t, std::int64_t>(to);
}

template <class From>
Handler convert_small(TypeName from, TypeName to) {
    if (!is_named<From>(from.name)) return nullptr;
    if (from.bytes == 2) return convert_integer_to<std::uint16_t, From>(to);
    return from.bytes == 4 ? convert_integer_to<std::uint32_t, From>(to) : nullptr;
}
template <class From>
Handler convert_large(TypeName from, TypeName to) {
    if (!is_named<From>(from.name) || from.bytes != sizeof(From)) return nullptr;
    return convert_integer_to<RegisterOf<From>, From>(to);
}
template <class From>
Handler convert_to_float(TypeName from, TypeName to) {
    if (!is_named<From>(from.name) || from.bytes != sizeof(RegisterOf<From>)) return nullptr;
    return convert_to<RegisterOf<From>, From, float, double>(to);
}

// Returns the first handler that exists.
template <class... Candidate>
Handler first_of(Candidate... candidate) {
    Handler handler = nullptr;
    (void)((handler = candidate, handler != nullptr) || ...);
    return handler;
}

Handler find_integer_conversion(TypeName from, TypeName to) {
    return first_of(convert_small<std::uint8_t>(from, to), convert_small<std::int8_t>(from, to),
                    convert_small<std::uint16_t>(from, to), convert_small<std::int16_t>(from, to),
                    convert_large<std::uint32_t>(from, to), convert_large<std::int32_t>(from, to),
                    convert_large<std::uint64_t>(from, to), convert_large<std::int64_t>(from, to));
}

Handler find_float_conversion(TypeName from, TypeName to) {
    return first_of(convert_to_float<std::uint8_t>(from, to), convert_to_float<std::int8_t>(from, to),
                    convert_to_float<std::uint16_t>(from, to), convert_to_float<std::int16_t>(from, to),
                    convert_to_float<std::uint32_t>(from, to), convert_to_float<std::int32_t>(from, to),
                    convert_to_float<std::uint64_t>(from, to), convert_to_float<std::int64_t>(from, to));
}

template <class From, Rounding rounding>
Handler find_rounded_conversion(TypeName to) {
    if (to.bytes == 4 && to.name == ".s32") return compute_handler<convert_to_integer<From, std::int32_t, rounding>>;
    if (to.bytes == 4 && to.name == ".u32") return compute_handler<convert_to_integer<From, std::uint32_t, rounding>>;
    if (to.bytes == 8 && to.name == ".s64") return compute_handler<convert_to_integer<From, std::int64_t, rounding>>;
    if (to.bytes == 8 && to.name == ".u64") return compute_handler<convert_to_integer<From, std::uint64_t, rounding>>;
    return nullptr;
}

template <class From>
Handler find_conversion_to_integer(Rounding rounding, TypeName to) {
    switch (rounding) {
        case Rounding::nearest_even:
            return find_rounded_conversion<From, Rounding::nearest_even>(to);
        case Rounding::toward_zero:
            return find_rounded_conversion<From, Rounding::toward_zero>(to);
        case Rounding::down:
            return find_rounded_conversion<From, Rounding::down>(to);
        default:
            return find_rounded_conversion<From, Rounding::up>(to);
    }
}

template <class Type, bool flushes>
Handler find_whole(Rounding rounding) {
    switch (rounding) {
        case Rounding::nearest_even:
            return compute_handler<round_number<Type, Rounding::nearest_even, flushes>>;
        case Rounding::toward_zero:
            return compute_handler<round_number<Type, Rounding::toward_zero, flushes>>;
        case Rounding::down:
            return compute_handler<round_number<Type, Rounding::down, flushes>>;
        default:
            return compute_handler<round_number<Type, Rounding::up, flushes>>;
    }
}

Handler orelse(Handler handler, Choice& choice) {
    return handler != nullptr ? handler : select_conversion(choice);
}

TypeName source_type(const Choice& choice) {
    return {choice.modifiers.type(), choice.bytes[1]};
}
TypeName result_type(const Choice& choice) {
    return {choice.modifiers.type(1), choice.bytes[0]};
}

Handler select_integer(Choice& choice) {
    const bool saturates = choice.modifiers.has(".sat");
    return orelse(saturates ? nullptr : find_integer_conversion(source_type(choice), result_type(choice)), choice);
}

Handler select_to_float(Choice& choice) {
    const bool is_simple = choice.modifiers.has(".rn") && !choice.modifiers.has(".sat");
    return orelse(is_simple ? find_float_conversion(source_type(choice), result_type(choice)) : nullptr, choice);
}

Handler select_to_integer(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    const Rounding rounding = rounding_of(modifiers);
    const bool is_symmetric = rounding == Rounding::nearest_even || rounding == Rounding::toward_zero;
    Handler handler = nullptr;
    // Subnormal numbers become zero without flushing, too, if rounding is symmetric.
    if (modifiers.type() == ".f32" && choice.bytes[1] == 4 && (is_symmetric || !modifiers.has(".ftz"))) {
        handler = find_conversion_to_integer<float>(rounding, result_type(choice));
    }
    if (modifiers.type() == ".f64") handler = find_conversion_to_integer<double>(rounding, result_type(choice));
    return orelse(handler, choice);
}

Handler select_float(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    const std::string_view from = modifiers.type();
    const std::string_view to = modifiers.type(1);
    const bool has_own_size = choice.bytes[0] == bytes_of_type(to) && choice.bytes[1] == bytes_of_type(from);
    if (!has_own_size || !modifiers.one_of({".sat", ".relu", ".satfinite"}).empty()) return select_conversion(choice);
    const bool flushes = modifiers.has(".ftz");
    const bool is_nearest = modifiers.has(".rn");
    if (!modifiers.one_of({".rni", ".rzi", ".rmi", ".rpi"}).empty()) {
        const Rounding rounding = rounding_of(modifiers);
        if (from == ".f64") return find_whole<double, false>(rounding);
        if (from == ".f32") return flushes ? find_whole<float, true>(rounding) : find_whole<float, false>(rounding);
    }
    if (from == ".f16" && to == ".f32") return compute_handler<widen<Half>>;
    if (from == ".f32" && to == ".f16" && is_nearest) return compute_handler<narrow<Half>>;
    if (flushes) return select_conversion(choice);
    if (from == ".bf16" && to == ".f32") return compute_handler<widen<Bfloat>>;
    if (from == ".f32" && to == ".bf16" && is_nearest) return compute_handler<narrow<Bfloat>>;
    if (from == ".f32" && to == ".f64") return compute_handler<widen_float>;
    if (from == ".f64" && to == ".f32" && is_nearest) return compute_handler<narrow_double>;
    return select_conversion(choice);
}

Handler select_pair(Choice& choice) {
    return choice.modifiers.has(".f16x2") ? compute_handler<narrow_both<Half>> : compute_handler<narrow_both<Bfloat>>;
}

#define CUBIND_ROUNDINGS ".rn|.rz|.rm|.rp"
#define CUBIND_WHOLE_ROUNDINGS ".rni|.rzi|.rmi|.rpi"
#define CUBIND_INTEGERS ".u8|.s8|.u16|.s16|.u32|.s32|.u64|.s64"
#define CUBIND_LARGE_INTEGERS ".u16|.s16|.u32|.s32|.u64|.s64"

constexpr Form forms[] = {
    {"cvt", CUBIND_INTEGERS " " CUBIND_INTEGERS, "=y x", select_integer},
    {"cvt", ".sat .u8 .s8|.u16|.s16|.u32|.s32|.u64|.s64", "=y x", select_integer},
    {"cvt", ".sat .s8 .u8|.u16|.s16|.u32|.s32|.u64|.s64", "=y x", select_integer},
    {"cvt", ".sat .u16 .s8|.s16|.u32|.s32|.u64|.s64", "=y x", select_integer},
    {"cvt", ".sat .s16 .u16|.u32|.s32|.u64|.s64", "=y x", select_integer},
    {"cvt", ".sat .u32 .s8|.s16|.s32|.u64|.s64", "=y x", select_integer},
    {"cvt", ".sat .s32 .u32|.u64|.s64", "=y x", select_integer},
    {"cvt", ".sat .u64 .s8|.s16|.s32|.s64", "=y x", select_integer},
    {"cvt", ".sat .s64 .u64", "=y x", select_integer},
    {"cvt", CUBIND_ROUNDINGS " [.ftz] [.sat] .f32 " CUBIND_INTEGERS, "=y x", select_to_float},
    {"cvt", CUBIND_ROUNDINGS " [.sat] .f16|.f64 " CUBIND_INTEGERS, "=y x", select_to_float},
    {"cvt", CUBIND_ROUNDINGS " .bf16 " CUBIND_LARGE_INTEGERS, "=s x", select_to_float, Flow::none, 7080, 90},
    {"cvt", CUBIND_ROUNDINGS " .bf16 .u8|.s8", "=s t", select_to_float, Flow::none, 7080, 90},
    {"cvt", CUBIND_WHOLE_ROUNDINGS " [.ftz] [.sat] " CUBIND_INTEGERS " .f32", "=y x", select_to_integer},
    {"cvt", CUBIND_WHOLE_ROUNDINGS " [.sat] " CUBIND_INTEGERS " .f16|.f64", "=y x", select_to_integer},
    {"cvt", CUBIND_WHOLE_ROUNDINGS " " CUBIND_LARGE_INTEGERS " .bf16", "=y t", select_to_integer, Flow::none, 7080, 90},
    {"cvt", CUBIND_WHOLE_ROUNDINGS " .u8|.s8 .bf16", "=s t", select_to_integer, Flow::none, 7080, 90},
    {"cvt", "[.sat] .f16|.f32|.f64 .f16", "=y x", select_float},
    {"cvt", ".ftz [.sat] .f32 .f16", "=y x", select_float},
    {"cvt", "[.ftz] [.sat] .f32|.f64 .f32", "=y x", select_float},
    {"cvt", "[.sat] .f64 .f64", "=y x", select_float},
    {"cvt", ".bf16 .f16", "=s x", select_float, Flow::none, 7080, 90},
    {"cvt", ".f32 .bf16", "=y t", select_float, Flow::none, 7010, 80},
    {"cvt", ".ftz .f32 .bf16", "=y t", select_float, Flow::none, 7080, 90},
    {"cvt", ".f16|.bf16|.f64 .bf16", "=y t", select_float, Flow::none, 7080, 90},
    {"cvt", CUBIND_WHOLE_ROUNDINGS " [.sat] .f16 .f16", "=y x", select_float},
    {"cvt", CUBIND_WHOLE_ROUNDINGS " .bf16 .bf16", "=s t", select_float, Flow::none, 7080, 90},
    {"cvt", CUBIND_WHOLE_ROUNDINGS " [.ftz] [.sat] .f32 .f32", "=y x", select_float},
    {"cvt", CUBIND_WHOLE_ROUNDINGS " [.sat] .f64 .f64", "=y x", select_float},
    {"cvt", CUBIND_ROUNDINGS " [.ftz] [.sat] .f16 .f32", "=y x", select_float},
    {"cvt", CUBIND_ROUNDINGS " [.ftz] [.sat] .f32 .f64", "=y x", select_float},
    {"cvt", CUBIND_ROUNDINGS " [.sat] .f16 .f64", "=y x", select_float},
    {"cvt", CUBIND_ROUNDINGS " [.ftz] .bf16 .f32", "=s x", select_float, Flow::none, 7000, 80},
    {"cvt", CUBIND_ROUNDINGS " .bf16 .f16|.f64", "=s x", select_float, Flow::none, 7080, 90},
    {"cvt", CUBIND_ROUNDINGS " .f16|.f64 .bf16", "=y t", select_float, Flow::none, 7080, 90},
    {"cvt", CUBIND_ROUNDINGS " .f32 .bf16", "=y t", select_float, Flow::none, 7010, 80},
    {"cvt", CUBIND_ROUNDINGS " .ftz .f32 .bf16", "=y t", select_float, Flow::none, 7080, 90},
    {"cvt", ".rn|.rz .relu .f16|.bf16 .f32", "=s t", select_conversion, Flow::none, 7000, 80},
    {"cvt", ".rn|.rz .relu .satfinite .f16|.bf16 .f32", "=s t", select_conversion, Flow::none, 8010, 80},
    {"cvt", ".rn|.rz .satfinite .f16 .f32", "=s t", select_conversion, Flow::none, 8010, 75},
    {"cvt", ".rn|.rz .satfinite .relu .f16 .f32", "=s t", select_conversion, Flow::none, 8010, 80},
    {"cvt", ".rn|.rz .satfinite [.relu] .bf16 .f32", "=s t", select_conversion, Flow::none, 8010, 80},
    {"cvt", ".rna .tf32 .f32", "=s t", select_conversion, Flow::none, 7000, 80},
    {"cvt", ".rna .satfinite .tf32 .f32", "=s t", select_conversion, Flow::none, 8010, 80},
    {"cvt", ".rn|.rz [.relu] .tf32 .f32", "=s t", select_conversion, Flow::none, 7080, 90},
    {"cvt", ".rn|.rz .satfinite [.relu] .tf32 .f32", "=s t", select_conversion, Flow::none, 8060, 100},
    {"cvt", ".rn .f16x2|.bf16x2 .f32", "=s t t", select_pair, Flow::none, 7000, 80},
};

}  // namespace

Forms conversion_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
