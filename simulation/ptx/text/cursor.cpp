// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/cursor.hpp"

#include <charconv>

#include "shared/escaped.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

// Shortens long tokens, so that messages stay readable.
std::string describe(const Token& token) {
    constexpr std::size_t max_length = 40;
    if (token.kind == Token::Kind::end) return "the end";
    return token.text.size() > max_length ? quote_text(std::string(token.text.substr(0, max_length)).append("..."))
                                          : quote_text(token.text);
}

}  // namespace

std::string quote_text(std::string_view text) {
    return std::string("'").append(escaped(text)).append("'");
}

void Cursor::spend(std::size_t units) {
    constexpr std::size_t limit = std::size_t{1} << 25;  // of a module with more than a million instructions
    spent_ += units;
    if (spent_ > limit) fail("the module is larger than the simulation supports");
}

Token Cursor::take() {
    spend(1);
    const Token taken = next_;
    next_ = lexer_.next();
    line_ = lexer_.line();
    return taken;
}

bool Cursor::accept(std::string_view text) {
    if (!is_at(text)) return false;
    take();
    return true;
}

void Cursor::expect(std::string_view text) {
    if (!accept(text)) fail_expecting(quote_text(text));
}

std::string_view Cursor::expect_word(const char* what) {
    if (!is_at(Token::Kind::word)) fail_expecting(what);
    return take().text;
}

std::uint64_t Cursor::expect_number(const char* what, std::uint64_t limit) {
    std::uint64_t value = 0;
    if (!is_at(Token::Kind::number) || !parse_integer(next_.text, value)) fail_expecting(what);
    if (value > limit) fail(describe(next_) + " is too large for " + what);
    take();
    return value;
}

void Cursor::skip_past(std::string_view mark) {
    while (!is_at(mark)) {
        if (is_at(Token::Kind::end)) fail_expecting(quote_text(mark));
        take();
    }
    take();
}

void Cursor::skip_block() {
    expect("{");
    for (std::size_t depth = 1; depth > 0;) {
        if (is_at(Token::Kind::end)) fail_expecting("'}'");
        const Token token = take();
        if (token == "{") ++depth;
        if (token == "}") --depth;
    }
}

void Cursor::fail(const std::string& what) const {
    throw SyntaxError{line_, what};
}

void Cursor::fail_expecting(const std::string& what) const {
    fail("expected " + what + ", found " + describe(next_));
}

bool parse_integer(std::string_view text, std::uint64_t& value) noexcept {
    int base = 10;
    if (text.ends_with('U')) text.remove_suffix(1);
    if (text.starts_with("0x") || text.starts_with("0X")) {
        base = 16;
        text.remove_prefix(2);
    } else if (text.starts_with("0b") || text.starts_with("0B")) {
        base = 2;
        text.remove_prefix(2);
    } else if (text.size() > 1 && text.starts_with('0')) {
        base = 8;
        text.remove_prefix(1);
    }
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return error == std::errc() && end == text.data() + text.size();
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
