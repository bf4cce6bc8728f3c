// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/lexer.hpp"

#include <algorithm>

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
constexpr bool is_part_of_word(char c) noexcept {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
constexpr bool is_space(char c) noexcept {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace

template <class Predicate>
std::size_t Lexer::length_while(std::size_t from, Predicate predicate) const {
    while (from < rest_.size() && predicate(rest_[from])) ++from;
    return from;
}

std::string_view Lexer::take(std::size_t count) {
    const std::string_view taken = rest_.substr(0, count);
    line_ += static_cast<int>(std::count(taken.begin(), taken.end(), '\n'));
    rest_.remove_prefix(taken.size());
    return taken;
}

void Lexer::skip_space() {
    for (;;) {
        if (const std::size_t spaces = length_while(0, is_space)) {
            take(spaces);
        } else if (rest_.starts_with("//")) {
            take(length_while(0, [](char c) { return c != '\n'; }));
        } else if (rest_.starts_with("/*")) {
            const std::size_t end = rest_.find("*/", 2);
            if (end == std::string_view::npos) throw SyntaxError{line_, "a comment does not end"};
            take(end + 2);
        } else {
            return;
        }
    }
}

Token Lexer::next() {
    skip_space();
    if (rest_.empty()) return {};
    const char first = rest_[0];
    if (is_digit(first)) {
        std::size_t length = 0;
        const bool has_base = rest_.size() > 1 && first == '0' && !is_digit(rest_[1]) && rest_[1] != '.';
        // A dot follows the first digits only: ".L2::64B.f32" has two modifiers.
        length = length_while(1, [](char c) { return is_digit(c); });
        if (length < rest_.size() && rest_[length] == '.') ++length;
        length = length_while(length, is_part_of_word);
        const bool has_exponent = !has_base && (rest_[length - 1] == 'e' || rest_[length - 1] == 'E');
        if (has_exponent && length < rest_.size() && (rest_[length] == '+' || rest_[length] == '-')) {
            length = length_while(length + 1, is_part_of_word);
        }
        return {Token::Kind::number, take(length)};
    }
    if (is_part_of_word(first) || first == '.' || first == '%') {
        const std::size_t length = length_while(1, is_part_of_word);
        return {length > 1 || is_part_of_word(first) ? Token::Kind::word : Token::Kind::mark, take(length)};
    }
    if (first == '"') {
        std::size_t end = 1;
        while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
        if (end >= rest_.size()) throw SyntaxError{line_, "a string does not end"};
        const std::string_view text = take(end + 1);
        return {Token::Kind::string, text.substr(1, text.size() - 2)};
    }
    if (first < ' ' || first > '~') throw SyntaxError{line_, "a character that is not valid in PTX"};
    return {Token::Kind::mark, take(1)};
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
