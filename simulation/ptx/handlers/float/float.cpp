// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of float and double. Handlers that round to nearest use the arithmetic of the processor.
#include "ptx/handlers/float/float_bits.hpp"
#include "ptx/handlers/float/rounded.hpp"
#include "ptx/handlers/lanes.hpp"
#include "ptx/handlers/vector_families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS {

namespace {

// Replaces a result that is NaN: by the only NaN of float, or by a double with the sign and payload of the last source that is
// NaN.
inline float choose_nan(float result, float, float) {
    return canonical(result);
}
inline float choose_nan(float result, float, float, float) {
    return canonical(result);
}
inline double choose_nan(double result, double a, double b) {
    const double nan = b != b ? quiet(b) : a != a ? quiet(a) : default_nan();
    return result == result ? result : nan;
}
inline double choose_nan(double result, double a, double b, double c) {
    const double nan = c != c ? quiet(c) : b != b ? quiet(b) : a != a ? quiet(a) : default_nan();
    return result == result ? result : nan;
}

inline float multiply_add_of(float a, float b, float c) {
    return __builtin_fmaf(a, b, c);
}
inline double multiply_add_of(double a, double b, double c) {
    return __builtin_fma(a, b, c);
}
inline float square_root_of(float a) {
    return __builtin_sqrtf(a);
}
inline double square_root_of(double a) {
    return __builtin_sqrt(a);
}

// Replaces a subnormal result by zero. A result counts as subnormal if it is below the normal numbers after rounding to full
// precision. The result of scaled sources has full precision, and overflows only if the result is not subnormal.
constexpr float scale = 0x1p24f;
constexpr float scaled_min_normal = 0x1p-102f;

inline float flush_scaled(float result, float scaled) {
    const float zero = std::bit_cast<float>(std::bit_cast<std::uint32_t>(result) & sign_of_float);
    return absolute(scaled) < scaled_min_normal ? zero : result;
}

template <class Type, bool flushes>
Type input(Type value) {
    if constexpr (flushes) return flush(value);
    return value;
}
template <bool saturates, class Type>
Type output(Type value) {
    if constexpr (saturates) return saturate(value);
    return value;
}

template <class Type, bool flushes, bool saturates>
Type add(Type a, Type b) {
    a = input<Type, flushes>(a);
    b = input<Type, flushes>(b);
    const Type result = choose_nan(a + b, a, b);
    return output<saturates>(input<Type, flushes>(result));  // a subnormal sum is exact
}
template <class Type, bool flushes, bool saturates>
Type subtract(Type a, Type b) {
    a = input<Type, flushes>(a);
    b = input<Type, flushes>(b);
    const Type result = choose_nan(a - b, a, b);
    return output<saturates>(input<Type, flushes>(result));
}
template <class Type, bool flushes, bool saturates>
Type multiply(Type a, Type b) {
    a = input<Type, flushes>(a);
    b = input<Type, flushes>(b);
    Type result = choose_nan(a * b, a, b);
    if constexpr (flushes) result = flush_scaled(result, a * scale * b);
    return output<saturates>(result);
}
template <class Type, bool flushes, bool saturates>
Type multiply_add(Type a, Type b, Type c) {
    a = input<Type, flushes>(a);
    b = input<Type, flushes>(b);
    c = input<Type, flushes>(c);
    Type result = choose_nan(multiply_add_of(a, b, c), a, c, b);
    if constexpr (flushes) result = flush_scaled(result, multiply_add_of(a * scale, b, c * scale));
    return output<saturates>(result);
}
template <class Type, bool flushes, bool>
Type divide(Type a, Type b) {
    a = input<Type, flushes>(a);
    b = input<Type, flushes>(b);
    Type result = choose_nan(a / b, b, a);
    if constexpr (flushes) result = flush_scaled(result, a * scale / b);
    return result;
}
template <class Type, bool flushes, bool>
Type reciprocal(Type a) {
    return divide<Type, flushes, false>(Type{1}, a);
}
template <class Type, bool flushes, bool>
Type square_root(Type a) {
    a = input<Type, flushes>(a);
    return choose_nan(square_root_of(a), a, Type{0});
}

#define CUBIND_OPERATION(Name, function, operation_of_rounded)                               \
    struct Name {                                                                            \
        static constexpr Arithmetic operation = Arithmetic::operation_of_rounded;            \
        template <class Type, bool flushes, bool saturates>                                  \
        static constexpr Handler handler = Compute<function<Type, flushes, saturates>>::run; \
    }
CUBIND_OPERATION(Add, add, add);
CUBIND_OPERATION(Subtract, subtract, subtract);
CUBIND_OPERATION(Multiply, multiply, multiply);
CUBIND_OPERATION(MultiplyAdd, multiply_add, multiply_add);
CUBIND_OPERATION(Divide, divide, divide);
CUBIND_OPERATION(Reciprocal, reciprocal, reciprocal);
CUBIND_OPERATION(SquareRoot, square_root, square_root);
#undef CUBIND_OPERATION

template <class Operation, bool may_saturate = true>
Handler select(Choice& choice) {
    const Modifiers& modifiers = choice.modifiers;
    const std::string_view type = modifiers.type();
    const bool is_nearest = rounding_of(modifiers) == Rounding::nearest_even;
    if (!is_nearest || (type != ".f32" && type != ".f64")) return select_rounded(choice, Operation::operation);
    if (type == ".f64") return Operation::template handler<double, false, false>;
    if constexpr (may_saturate) {
        if (modifiers.has(".sat")) {
            return modifiers.has(".ftz") ? Operation::template handler<float, true, true>
                                         : Operation::template handler<float, false, true>;
        }
    }
    return modifiers.has(".ftz") ? Operation::template handler<float, true, false>
                                 : Operation::template handler<float, false, false>;
}

#define CUBIND_ROUNDINGS ".rn|.rz|.rm|.rp"

constexpr Form forms[] = {
    {"add", "[" CUBIND_ROUNDINGS "] [.ftz] [.sat] .f32", "=t t t", select<Add>},
    {"add", "[" CUBIND_ROUNDINGS "] .f64", "=t t t", select<Add>},
    {"add", "[" CUBIND_ROUNDINGS "] [.ftz] .f32x2", "=t t t", select<Add>, Flow::none, 8060, 100},
    {"add", "[" CUBIND_ROUNDINGS "] [.sat] .f32 .f16|.bf16", "=s t s", select<Add>, Flow::none, 8060, 100},
    {"sub", "[" CUBIND_ROUNDINGS "] [.ftz] [.sat] .f32", "=t t t", select<Subtract>},
    {"sub", "[" CUBIND_ROUNDINGS "] .f64", "=t t t", select<Subtract>},
    {"sub", "[" CUBIND_ROUNDINGS "] [.ftz] .f32x2", "=t t t", select<Subtract>, Flow::none, 8060, 100},
    {"sub", "[" CUBIND_ROUNDINGS "] [.sat] .f32 .f16|.bf16", "=s t s", select<Subtract>, Flow::none, 8060, 100},
    {"mul", "[" CUBIND_ROUNDINGS "] [.ftz] [.sat] .f32", "=t t t", select<Multiply>},
    {"mul", "[" CUBIND_ROUNDINGS "] .f64", "=t t t", select<Multiply>},
    {"mul", "[" CUBIND_ROUNDINGS "] [.ftz] .f32x2", "=t t t", select<Multiply>, Flow::none, 8060, 100},
    {"fma", CUBIND_ROUNDINGS " [.ftz] [.sat] .f32", "=t t t t", select<MultiplyAdd>},
    {"fma", CUBIND_ROUNDINGS " .f64", "=t t t t", select<MultiplyAdd>},
    {"fma", CUBIND_ROUNDINGS " [.ftz] .f32x2", "=t t t t", select<MultiplyAdd>, Flow::none, 8060, 100},
    {"fma", CUBIND_ROUNDINGS " [.sat] .f32 .f16|.bf16", "=s t t s", select<MultiplyAdd>, Flow::none, 8060, 100},
    {"mad", CUBIND_ROUNDINGS " [.ftz] [.sat] .f32", "=t t t t", select<MultiplyAdd>},
    {"mad", CUBIND_ROUNDINGS " .f64", "=t t t t", select<MultiplyAdd>},
    {"div", CUBIND_ROUNDINGS " [.ftz] .f32", "=t t t", select<Divide, false>},
    {"div", CUBIND_ROUNDINGS " .f64", "=t t t", select<Divide, false>},
    {"rcp", CUBIND_ROUNDINGS " [.ftz] .f32|.f64", "=t t", select<Reciprocal, false>},
    {"sqrt", CUBIND_ROUNDINGS " [.ftz] .f32", "=t t", select<SquareRoot, false>},
    {"sqrt", CUBIND_ROUNDINGS " .f64", "=t t", select<SquareRoot, false>},
};

}  // namespace

Forms float_forms() {
    return forms;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx::CUBIND_SIM_VECTORS
