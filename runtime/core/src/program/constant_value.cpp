// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/constant_value.hpp"

#include <cubind/error.hpp>
#include <cubind/nvrtc/status.hpp>

#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

using Kind = ConstantType::Kind;
using EvaluatedKind = EvaluatedConstant::Kind;

bool is_floating_point(EvaluatedKind kind) {
    return kind == EvaluatedKind::single_precision || kind == EvaluatedKind::double_precision;
}

bool is_negative(const EvaluatedConstant& constant) {
    return constant.kind == EvaluatedKind::signed_integer && static_cast<std::int64_t>(constant.bits) < 0;
}

std::optional<std::uint64_t> integer_bits(const EvaluatedConstant& constant, ConstantType type) {
    const std::uint64_t value = constant.bits;
    if (type.kind == Kind::boolean) return value <= 1 ? std::optional(value) : std::nullopt;
    const bool is_signed = type.kind == Kind::signed_integer;
    const std::uint64_t largest = ~std::uint64_t{0} >> (64 - 8 * type.size + (is_signed ? 1 : 0));
    const bool fits = is_negative(constant) ? is_signed && ~value <= largest : value <= largest;
    return fits ? std::optional(value) : std::nullopt;
}

template <class Float, class Bits>
std::optional<std::uint64_t> float_bits_of_integer(const EvaluatedConstant& constant) {
    const bool negative = is_negative(constant);
    const std::uint64_t magnitude = negative ? 0 - constant.bits : constant.bits;
    const auto value = static_cast<Float>(magnitude);
    // 2^64 is not the result of a conversion that is exact, and cannot be converted back.
    if (value >= static_cast<Float>(18446744073709551616.0) || static_cast<std::uint64_t>(value) != magnitude)
        return std::nullopt;
    return std::bit_cast<Bits>(negative ? -value : value);
}

std::uint64_t double_bits_of_float(std::uint64_t bits) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (!std::isnan(value)) return std::bit_cast<std::uint64_t>(double{value});
    // A conversion by the processor would set the bit that makes the NaN quiet.
    return (bits & 0x80000000u) << 32 | std::uint64_t{0x7FF} << 52 | (bits & 0x7FFFFFu) << 29;
}

std::optional<std::uint64_t> float_bits_of_double(std::uint64_t bits) {
    const auto value = std::bit_cast<double>(bits);
    if (std::isfinite(value) && std::abs(value) > std::numeric_limits<float>::max()) return std::nullopt;
    const std::uint64_t nan = (bits >> 32 & 0x80000000u) | 0x7F800000u | (bits >> 29 & 0x7FFFFFu);
    const std::uint64_t narrow = std::isnan(value) ? nan : std::bit_cast<std::uint32_t>(static_cast<float>(value));
    return double_bits_of_float(narrow) == bits ? std::optional(narrow) : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> converted_bits(const EvaluatedConstant& constant, ConstantType type) {
    if (type.kind != Kind::floating_point) {
        return is_floating_point(constant.kind) ? std::nullopt : integer_bits(constant, type);
    }
    const bool is_single = type.size == sizeof(float);
    switch (constant.kind) {
        case EvaluatedKind::single_precision:
            return is_single ? constant.bits : double_bits_of_float(constant.bits);
        case EvaluatedKind::double_precision:
            return is_single ? float_bits_of_double(constant.bits) : constant.bits;
        default:
            return is_single ? float_bits_of_integer<float, std::uint32_t>(constant)
                             : float_bits_of_integer<double, std::uint64_t>(constant);
    }
}

void throw_evaluation_error(const char* function, const std::string& program, const std::string& expression,
                            const std::string& reason, const std::string& log) {
    constexpr auto status = nvrtc::NVRTC_ERROR_COMPILATION;
    const Error failure("nvrtc", function, status, nvrtc::to_string(status), "the expression has no value of the requested type");
    throw CompileError(failure, concat("In the program \"", program, "\", the expression ", expression, " ", reason), log);
}

std::uint64_t required_bits(const EvaluatedConstant& constant, ConstantType type, const char* function,
                            const std::string& program, const std::string& expression, const std::string& log) {
    if (const auto bits = converted_bits(constant, type)) return *bits;
    const std::string reason = concat("is ", to_string(constant), ", which ", to_string(type),
                                      " cannot represent: request a type that can, or convert the value in the expression");
    throw_evaluation_error(function, program, expression, reason, log);
}

std::string to_string(const EvaluatedConstant& constant) {
    if (constant.kind == EvaluatedKind::boolean) return constant.bits != 0 ? "true" : "false";
    if (!is_floating_point(constant.kind)) {
        return constant.kind == EvaluatedKind::signed_integer ? std::to_string(static_cast<std::int64_t>(constant.bits))
                                                              : std::to_string(constant.bits);
    }
    const bool is_single = constant.kind == EvaluatedKind::single_precision;
    const double value = is_single ? double{std::bit_cast<float>(static_cast<std::uint32_t>(constant.bits))}
                                   : std::bit_cast<double>(constant.bits);
    char text[64];
    std::snprintf(text, sizeof text, "%.*g of type %s", is_single ? 9 : 17, value, is_single ? "float" : "double");
    return text;
}

std::string to_string(ConstantType type) {
    if (type.kind == Kind::boolean) return "bool";
    const char* const kind = type.kind == Kind::floating_point   ? "a floating-point number"
                             : type.kind == Kind::signed_integer ? "a signed integer"
                                                                 : "an unsigned integer";
    return std::string(kind).append(" of ").append(std::to_string(type.size)).append(type.size == 1 ? " byte" : " bytes");
}

}  // namespace CUBIND_NAMESPACE::detail
