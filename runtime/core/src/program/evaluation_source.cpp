// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/evaluation_source.hpp"

#include <cstddef>

namespace CUBIND_NAMESPACE::detail {
namespace {

// Names have the prefix cubind_, because the source may define macros such as T and N. __INTADDR__ is the operator with which
// the front end of NVRTC implements offsetof; it is constant in all releases. The kinds are those of the enumeration
// EvaluatedKind. Each type is converted to the widest type of its kind, so that PTX has one form for it.
constexpr const char* declarations = R"(
#ifndef offsetof
#define offsetof(cubind_type, cubind_member) \
    static_cast<decltype(sizeof(0))>(__INTADDR__(&(((cubind_type*)0)->cubind_member)))
#endif
namespace cubind_evaluation {
template <class cubind_type> struct cubind_false { enum { cubind_value = 0 }; };
template <class cubind_type, bool cubind_is_enum = __is_enum(cubind_type)> struct cubind_traits {
    static_assert(cubind_false<cubind_type>::cubind_value, "the expression has no arithmetic and no enumeration type");
    using cubind_wide = int;
    enum { cubind_kind = -1 };
};
template <class cubind_type> struct cubind_traits<const cubind_type, false> : cubind_traits<cubind_type> {};
template <class cubind_type> struct cubind_traits<const cubind_type, true> : cubind_traits<cubind_type> {};
template <class cubind_type> struct cubind_traits<cubind_type, true> : cubind_traits<__underlying_type(cubind_type)> {};
#define CUBIND_TRAITS(cubind_type, cubind_wide_type, cubind_number) \
    template <> struct cubind_traits<cubind_type, false> { using cubind_wide = cubind_wide_type; enum { cubind_kind = cubind_number }; };
CUBIND_TRAITS(bool, unsigned long long, 0)
CUBIND_TRAITS(char, long long, 1)
CUBIND_TRAITS(signed char, long long, 1)
CUBIND_TRAITS(short, long long, 1)
CUBIND_TRAITS(int, long long, 1)
CUBIND_TRAITS(long, long long, 1)
CUBIND_TRAITS(long long, long long, 1)
CUBIND_TRAITS(wchar_t, long long, 1)
CUBIND_TRAITS(unsigned char, unsigned long long, 2)
CUBIND_TRAITS(unsigned short, unsigned long long, 2)
CUBIND_TRAITS(unsigned int, unsigned long long, 2)
CUBIND_TRAITS(unsigned long, unsigned long long, 2)
CUBIND_TRAITS(unsigned long long, unsigned long long, 2)
CUBIND_TRAITS(char16_t, unsigned long long, 2)
CUBIND_TRAITS(char32_t, unsigned long long, 2)
#ifdef __cpp_char8_t
CUBIND_TRAITS(char8_t, unsigned long long, 2)
#endif
CUBIND_TRAITS(float, float, 3)
CUBIND_TRAITS(double, double, 4)
}
#define CUBIND_CONSTANT(cubind_type, cubind_name, ...) \
    extern "C" { extern __device__ const cubind_type cubind_name; __device__ const cubind_type cubind_name = __VA_ARGS__; }
#define CUBIND_EVALUATE(cubind_expression, cubind_kind_name, cubind_value_name) \
    CUBIND_CONSTANT(int, cubind_kind_name, cubind_evaluation::cubind_traits<decltype(cubind_expression)>::cubind_kind) \
    CUBIND_CONSTANT(cubind_evaluation::cubind_traits<decltype(cubind_expression)>::cubind_wide, cubind_value_name, \
        static_cast<cubind_evaluation::cubind_traits<decltype(cubind_expression)>::cubind_wide>(cubind_expression))
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

}  // namespace

std::string evaluation_source(const std::string& source, std::span<const std::string> expressions) {
    std::string text = source;
    text.append("\n#line 1 \"cubind\"").append(declarations);
    for (std::size_t i = 0; i < expressions.size(); ++i) {
        const std::string number = std::to_string(i), constant = "cubind_expression_" + number;
        // The end of the line before the parenthesis ends a comment in the expression.
        text.append(line_directive(expressions[i])).append("constexpr auto ").append(constant).append(" = (");
        text.append(expressions[i]).append("\n);\n");
        text.append("CUBIND_EVALUATE(").append(constant).append(", cubind_kind_").append(number);
        text.append(", cubind_value_").append(number).append(")\n");
    }
    return text;
}

}  // namespace CUBIND_NAMESPACE::detail
