// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/constant_value.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

namespace CUBIND_NAMESPACE::detail {
namespace {

using Kind = ConstantType::Kind;

/// Returns the text of the initializer of a variable: "0" if the definition has none, std::nullopt if there is no definition.
std::optional<std::string_view> initializer(std::string_view ptx, const std::string& name) {
    const std::string searched = " " + name;
    for (std::size_t at = ptx.find(searched); at != std::string_view::npos; at = ptx.find(searched, at + 1)) {
        std::string_view rest = ptx.substr(at + searched.size());
        if (rest.starts_with(";")) return "0";
        if (!rest.starts_with(" = ")) continue;  // another name, or a mention in debug information
        rest.remove_prefix(3);
        return rest.substr(0, rest.find(';'));
    }
    return std::nullopt;
}

// The forms of numbers: decimal integers, and the bits of floating-point numbers after "0f" and "0d".
std::optional<std::uint64_t> bits_of(std::string_view text) {
    const bool is_hexadecimal = text.starts_with("0f") || text.starts_with("0d");
    const bool is_negative = text.starts_with('-');
    text.remove_prefix(is_hexadecimal ? 2 : is_negative ? 1 : 0);
    std::uint64_t bits = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits, is_hexadecimal ? 16 : 10);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return is_negative ? 0 - bits : bits;
}

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

std::optional<EvaluatedConstant> constant_in_ptx(std::string_view ptx, std::size_t number) {
    const auto kind = initializer(ptx, "cubind_kind_" + std::to_string(number));
    const auto value = initializer(ptx, "cubind_value_" + std::to_string(number));
    if (!kind || !value) return std::nullopt;
    const auto kind_number = bits_of(*kind), bits = bits_of(*value);
    if (!kind_number || *kind_number > 4 || !bits) return std::nullopt;
    return EvaluatedConstant{static_cast<EvaluatedKind>(*kind_number), *bits};
}

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
