// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ptx/text/lexer.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Returns the text in quotes, for messages.
std::string quote_text(std::string_view text);

/// Reads tokens one by one, with a lookahead of one token. Errors are thrown as SyntaxError.
class Cursor {
public:
    explicit Cursor(std::string_view text) : lexer_(text) { take(); }

    const Token& next() const noexcept { return next_; }
    bool is_at(std::string_view text) const noexcept { return next_ == text; }
    bool is_at(Token::Kind kind) const noexcept { return next_.kind == kind; }

    /// Returns the next token and moves on.
    Token take();
    /// Moves past the next token if it has this text. Returns whether it has.
    bool accept(std::string_view text);
    /// Moves past the next token, which must have this text.
    void expect(std::string_view text);
    /// Moves past the next token, which must be a word, and returns it. `what` describes it in messages.
    std::string_view expect_word(const char* what);
    /// Moves past the next token, which must be a whole number up to `limit`, and returns it.
    std::uint64_t expect_number(const char* what, std::uint64_t limit);
    /// Moves past the next token with this text.
    void skip_past(std::string_view mark);
    /// Moves past a block in braces, including nested blocks.
    void skip_block();

    /// Counts memory that the text needs, in units of about one token. Throws a SyntaxError if the module needs too much: a few
    /// KiB of a compressed fat binary can become a text that exhausts the memory of a machine.
    void spend(std::size_t units);

    /// Returns the line of the next token.
    int line() const noexcept { return line_; }

    /// Throws a SyntaxError with the current line.
    [[noreturn]] void fail(const std::string& what) const;
    /// Throws a SyntaxError that names the expected and the actual token.
    [[noreturn]] void fail_expecting(const std::string& what) const;

private:
    Lexer lexer_;
    Token next_;
    std::size_t spent_ = 0;
    int line_ = 1;  ///< line of the next token
};

/// Parses a whole number in PTX syntax: decimal, octal, hexadecimal or binary, with an optional suffix U. Returns false
/// for other text.
bool parse_integer(std::string_view text, std::uint64_t& value) noexcept;

}  // namespace CUBIND_NAMESPACE::sim::ptx
