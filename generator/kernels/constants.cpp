// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/constants.hpp"

#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "kernels/host_records.hpp"

namespace cubind::gen::kernels {
namespace {

/// Evaluates sums of products of literals, names and parentheses.
class Expression {
public:
    Expression(std::string_view text, const Lookup& lookup) : rest_(text), lookup_(lookup) {}

    /// Returns the value of the whole text; nothing if it has other parts.
    std::optional<std::int64_t> value() {
        const std::optional<std::int64_t> found = sum();
        skip_blanks();
        return rest_.empty() ? found : std::nullopt;
    }

private:
    void skip_blanks() {
        while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front())) != 0) rest_.remove_prefix(1);
    }
    bool take(char c) {
        skip_blanks();
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    std::optional<std::int64_t> sum() {
        std::optional<std::int64_t> left = product();
        while (left) {
            const bool is_plus = take('+');
            if (!is_plus && !take('-')) break;
            const std::optional<std::int64_t> right = product();
            left = right ? std::optional(is_plus ? *left + *right : *left - *right) : std::nullopt;
        }
        return left;
    }
    /// Returns nothing for a value that, as a factor, might not let the product fit.
    static std::optional<std::int64_t> bounded(std::optional<std::int64_t> value) {
        constexpr std::int64_t bound = std::int64_t{1} << 31;
        return value && *value > -bound && *value < bound ? value : std::nullopt;
    }
    std::optional<std::int64_t> product() {
        std::optional<std::int64_t> left = bounded(operand());
        while (left) {
            const bool is_times = take('*');
            if (!is_times && !take('/')) break;
            const std::optional<std::int64_t> right = bounded(operand());
            if (!right || (!is_times && *right == 0)) return std::nullopt;
            left = bounded(is_times ? *left * *right : *left / *right);
        }
        return left;
    }
    std::optional<std::int64_t> operand() {
        if (take('(')) {
            const std::optional<std::int64_t> inner = sum();
            return take(')') ? inner : std::nullopt;
        }
        skip_blanks();
        std::size_t size = 0;
        const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':'; };
        while (size < rest_.size() && is_word(rest_[size])) ++size;
        const std::string word(rest_.substr(0, size));
        rest_.remove_prefix(size);
        if (word.empty()) return std::nullopt;
        if (std::isdigit(static_cast<unsigned char>(word[0])) == 0) return lookup_(word);
        char* end = nullptr;
        const long long number = std::strtoll(word.c_str(), &end, 0);
        const bool is_number = std::string_view(end).find_first_not_of("uUlL") == std::string_view::npos;
        return is_number && number < std::int64_t{1} << 31 ? std::optional<std::int64_t>(number) : std::nullopt;
    }

    std::string_view rest_;
    const Lookup& lookup_;
};

std::string floating_text(double value, bool is_float) {
    if (!std::isfinite(value)) return {};
    std::array<char, 64> text = {};
    std::snprintf(text.data(), text.size(), is_float ? "%.9g" : "%.17g", value);
    std::string number = text.data();
    if (number.find_first_of(".e") == std::string::npos) number += ".0";
    return is_float ? number + "f" : number;
}

/// Returns whether an expression is a null pointer.
bool is_null(clang::Cursor expression) {
    while (true) {
        if (expression.kind() == CXCursor_CXXNullPtrLiteralExpr || expression.kind() == CXCursor_GNUNullExpr) return true;
        if (expression.kind() == CXCursor_IntegerLiteral) return expression.integer_value() == 0;
        const std::vector<clang::Cursor> inner = expression.children();
        if (inner.size() != 1) return false;
        expression = inner.front();
    }
}

}  // namespace

std::vector<int> evaluate_list(std::string_view text, const Lookup& lookup) {
    std::vector<int> values;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at < text.size() && text[at] == '(') ++depth;
        if (at < text.size() && text[at] == ')') --depth;
        if (at < text.size() && (text[at] != ',' || depth > 0)) continue;
        const auto value = Expression(text.substr(begin, at - begin), lookup).value();
        values.push_back(value && *value > 0 && std::in_range<int>(*value) ? static_cast<int>(*value) : 0);
        begin = at + 1;
    }
    return values;
}

std::string literal(const clang::Type& type, std::int64_t value, HostTypes& types, const std::string& place) {
    const clang::Type plain = type.canonical();
    if (plain.kind() == CXType_Bool) return value != 0 ? "true" : "false";
    if (plain.kind() == CXType_Enum) return types.enumerator(plain, value, place);
    const bool is_unsigned = plain.kind() >= CXType_Bool && plain.kind() <= CXType_UInt128;
    if (is_unsigned && plain.size() < 8) value &= (std::int64_t{1} << (8 * plain.size())) - 1;
    return integer_text(value, is_unsigned);
}

std::string default_text(const clang::Cursor& parameter, const clang::Type& type, HostTypes& types, const std::string& place) {
    const clang::Type plain = type.canonical();
    if (plain.is_array()) return {};  // the expression is the number of elements
    std::optional<clang::Cursor> expression;
    for (const auto& child : parameter.children()) {
        if (clang_isExpression(child.kind()) != 0) expression = child;
    }
    if (!expression) return {};
    if (plain.kind() == CXType_Pointer) return is_null(*expression) ? "nullptr" : std::string();
    if (plain.kind() == CXType_Float || plain.kind() == CXType_Double) {
        const auto value = expression->floating_value();
        if (value) return floating_text(*value, plain.kind() == CXType_Float);
    }
    const bool is_integer = plain.kind() >= CXType_Bool && plain.kind() <= CXType_LongLong;
    if (!is_integer && plain.kind() != CXType_Enum && plain.kind() != CXType_Float && plain.kind() != CXType_Double) return {};
    const auto value = expression->integer_value();
    return value ? literal(type, *value, types, place) : std::string();
}

}  // namespace cubind::gen::kernels
