// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ptx/lexer.hpp"

namespace cubind::sim::ptx {

/// For messages.
std::string in_quotes(std::string_view text);

/// Reads tokens one by one, and knows the one that comes.
class Cursor {
public:
    explicit Cursor(std::string_view text) : lexer_(text) { take(); }

    const Token& next() const noexcept { return next_; }
    bool is_at(std::string_view text) const noexcept { return next_ == text; }
    bool is_at(Token::Kind kind) const noexcept { return next_.kind == kind; }

    Token take();
    /// Takes the next token if it is this one.
    bool accept(std::string_view text);
    void expect(std::string_view text);
    std::string_view expect_word(const char* what);
    /// A number that is no larger than `most`.
    std::uint64_t expect_number(const char* what, std::uint64_t most);
    /// Takes everything up to the mark, and the mark.
    void skip_past(std::string_view mark);
    /// Takes a block in braces, whatever is in it.
    void skip_block();

    [[noreturn]] void fail(const std::string& what) const;
    [[noreturn]] void fail_expecting(const std::string& what) const;

private:
    Lexer lexer_;
    Token next_;
    int line_ = 1;  ///< that the next token begins or ends on
};

/// A whole number as PTX writes it: decimal, octal, hexadecimal or binary, with or without a U. False for what is none.
bool parse_integer(std::string_view text, std::uint64_t& value) noexcept;

}  // namespace cubind::sim::ptx
