// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/evaluation_source.hpp"

#include <charconv>
#include <system_error>

namespace CUBIND_NAMESPACE::detail {
namespace {

// Names have the prefix cubind_, because the source may define macros such as T and N. __INTADDR__ is the operator with which
// the front end of NVRTC implements offsetof; it is constant in all releases. The numbers of the kinds are those of
// EvaluatedConstant::Kind. The lines are valid C++11. NVRTC 12.0 lacks __builtin_bit_cast; cubind_encode_number() then computes
// the bits by exact multiplications with powers of two, and gives each NaN the same bits. It also rejects offsetof in template
// arguments, so enumerators precede these.
constexpr const char* declarations = R"(
#ifndef offsetof
#define offsetof(cubind_type, cubind_member) \
    static_cast<decltype(sizeof(0))>(__INTADDR__(&(((cubind_type*)0)->cubind_member)))
#endif
namespace cubind_evaluation {
typedef unsigned long long cubind_bits;
template <int cubind_kind, cubind_bits cubind_value> struct cubind_constant;
template <class cubind_type, bool cubind_is_enum = __is_enum(cubind_type)> struct cubind_traits { enum { cubind_kind = -1 }; };
template <class cubind_type> struct cubind_traits<cubind_type, true> : cubind_traits<__underlying_type(cubind_type)> {};
#define CUBIND_TRAITS(cubind_type, cubind_number) \
    template <> struct cubind_traits<cubind_type, false> { enum { cubind_kind = cubind_number }; };
CUBIND_TRAITS(bool, 0)
CUBIND_TRAITS(char, 1)
CUBIND_TRAITS(signed char, 1)
CUBIND_TRAITS(short, 1)
CUBIND_TRAITS(int, 1)
CUBIND_TRAITS(long, 1)
CUBIND_TRAITS(long long, 1)
CUBIND_TRAITS(wchar_t, 1)
CUBIND_TRAITS(unsigned char, 2)
CUBIND_TRAITS(unsigned short, 2)
CUBIND_TRAITS(unsigned int, 2)
CUBIND_TRAITS(unsigned long, 2)
CUBIND_TRAITS(unsigned long long, 2)
CUBIND_TRAITS(char16_t, 2)
CUBIND_TRAITS(char32_t, 2)
#ifdef __cpp_char8_t
CUBIND_TRAITS(char8_t, 2)
#endif
CUBIND_TRAITS(float, 3)
CUBIND_TRAITS(double, 4)
#if __has_builtin(__builtin_bit_cast)
__host__ __device__ constexpr cubind_bits cubind_encode(float cubind_x) { return __builtin_bit_cast(unsigned int, cubind_x); }
__host__ __device__ constexpr cubind_bits cubind_encode(double cubind_x) { return __builtin_bit_cast(cubind_bits, cubind_x); }
#else
__host__ __device__ constexpr cubind_bits cubind_encode_positive(double cubind_x, int cubind_digits, int cubind_exponent) {
    return cubind_x >= 18446744073709551616.0 ?
            cubind_encode_positive(cubind_x / 18446744073709551616.0, cubind_digits, cubind_exponent + 64) :
        cubind_x >= 2 ? cubind_encode_positive(cubind_x / 2, cubind_digits, cubind_exponent + 1) :
        cubind_x * 18446744073709551616.0 < 1 ?
            cubind_encode_positive(cubind_x * 18446744073709551616.0, cubind_digits, cubind_exponent - 64) :
        cubind_x < 1 ? cubind_encode_positive(cubind_x * 2, cubind_digits, cubind_exponent - 1) :
        cubind_exponent > 0 ? (static_cast<cubind_bits>(cubind_exponent - 1) << cubind_digits) +
            static_cast<cubind_bits>(cubind_x * (1ull << cubind_digits)) :
        static_cast<cubind_bits>(cubind_x * (1ull << cubind_digits)) >> (1 - cubind_exponent);
}
__host__ __device__ constexpr cubind_bits cubind_encode_number(double cubind_x, int cubind_digits, int cubind_bias) {
    return cubind_x != cubind_x ? static_cast<cubind_bits>(4 * cubind_bias + 3) << (cubind_digits - 1) :
        cubind_x < 0 || (cubind_x == 0 && 1 / cubind_x < 0) ?
            (static_cast<cubind_bits>(2 * cubind_bias + 2) << cubind_digits) +
                cubind_encode_number(-cubind_x, cubind_digits, cubind_bias) :
        cubind_x == 0 ? 0 :
        cubind_x > 1.7976931348623157e308 ? static_cast<cubind_bits>(2 * cubind_bias + 1) << cubind_digits :
        cubind_encode_positive(cubind_x, cubind_digits, cubind_bias);
}
__host__ __device__ constexpr cubind_bits cubind_encode(float cubind_x) { return cubind_encode_number(cubind_x, 23, 127); }
__host__ __device__ constexpr cubind_bits cubind_encode(double cubind_x) { return cubind_encode_number(cubind_x, 52, 1023); }
#endif
template <class cubind_type> __host__ __device__ constexpr cubind_bits cubind_encode(cubind_type cubind_x) {
    return static_cast<cubind_bits>(cubind_x);
}
template <class cubind_type> __host__ __device__ constexpr int cubind_kind_of(cubind_type) {
    return cubind_traits<cubind_type>::cubind_kind;
}
}
#define CUBIND_CONSTANT(cubind_name, ...) \
    static_assert(cubind_evaluation::cubind_kind_of(__VA_ARGS__) >= 0, "the expression has no arithmetic and no enumeration type"); \
    enum : int { cubind_name##_kind = cubind_evaluation::cubind_kind_of(__VA_ARGS__) }; \
    enum : unsigned long long { cubind_name##_bits = cubind_evaluation::cubind_encode(__VA_ARGS__) }; \
    __global__ void cubind_name(cubind_evaluation::cubind_constant<cubind_name##_kind, cubind_name##_bits>*);
)";

// Returns the expression as the name of a file, with which the compiler's messages begin.
std::string line_directive(const std::string& expression) {
    std::string text = "#line 1 \"expression \\\"";
    for (const char c : expression) {
        if (c == '"' || c == '\\') text += '\\';
        text += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return text + "\\\"\"\n";
}

/// Removes a number that follows a prefix. Returns std::nullopt if there is none.
std::optional<std::uint64_t> take_number(std::string_view& text, std::string_view prefix) noexcept {
    if (!text.starts_with(prefix)) return std::nullopt;
    text.remove_prefix(prefix.size());
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

}  // namespace

std::string evaluation_source(const std::string& source, std::span<const std::string> expressions) {
    std::string text = source;
    text.append("\n#line 1 \"cubind\"").append(declarations);
    for (std::size_t i = 0; i < expressions.size(); ++i) {
        text.append(line_directive(expressions[i])).append("CUBIND_CONSTANT(").append(declaration_name(i)).append(", (");
        // The end of the line before the parenthesis ends a comment in the expression.
        text.append(expressions[i]).append("\n))\n");
    }
    return text;
}

std::string declaration_name(std::size_t number) {
    return "cubind_constant_" + std::to_string(number);
}

std::optional<EvaluatedConstant> constant_in_symbol(std::string_view symbol) noexcept {
    // The template arguments in the mangled name of the parameter's type: an int and an unsigned long long.
    constexpr std::string_view type = "15cubind_constantI";
    const std::size_t at = symbol.find(type);
    if (at == std::string_view::npos) return std::nullopt;
    symbol.remove_prefix(at + type.size());
    const auto kind = take_number(symbol, "Li");
    const auto bits = kind ? take_number(symbol, "ELy") : std::nullopt;
    if (!bits || *kind > static_cast<std::uint64_t>(EvaluatedConstant::Kind::double_precision) || symbol != "EEE")
        return std::nullopt;
    return EvaluatedConstant{static_cast<EvaluatedConstant::Kind>(*kind), *bits};
}

}  // namespace CUBIND_NAMESPACE::detail
