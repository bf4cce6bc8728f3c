// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace cubind::sim::ptx {

/// What is wrong with a text, and where. Thrown within the reader only.
struct Mistake {
    int line;
    std::string what;
};

struct Token {
    enum class Kind { word, number, string, mark, end };
    Kind kind = Kind::end;
    std::string_view text;  ///< a word with its leading dot, a string without its quotes, a mark of one character

    bool operator==(std::string_view other) const noexcept { return kind != Kind::string && text == other; }
};

/// Cuts PTX into tokens; white space and comments separate them. A text ends at its end or at a NUL.
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

}  // namespace cubind::sim::ptx
