// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <string>
#include <string_view>

namespace CUBIND_NAMESPACE::sim::ptx {

/// An error in a text, and its line. Thrown and caught within the reader.
struct SyntaxError {
    int line;
    std::string what;
};

/// A token of PTX.
struct Token {
    enum class Kind { word, number, string, mark, end };
    Kind kind = Kind::end;
    std::string_view text;  ///< a word with its leading dot, a string without its quotes, or a mark of one character

    bool operator==(std::string_view other) const noexcept { return kind != Kind::string && text == other; }
};

/// Splits PTX into tokens, which white space and comments separate. A text ends at its end or at a NUL.
class Lexer {
public:
    explicit Lexer(std::string_view text) : rest_(text.substr(0, text.find('\0'))) {}

    Token next();
    int line() const noexcept { return line_; }

private:
    void skip_space();
    std::string_view take(std::size_t count);
    template <class Predicate>
    std::size_t length_while(std::size_t from, Predicate predicate) const;

    std::string_view rest_;
    int line_ = 1;
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
