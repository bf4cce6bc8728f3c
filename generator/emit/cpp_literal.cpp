// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/cpp_literal.hpp"

#include <algorithm>

namespace cubind::gen::emit {
namespace {

// Three octal digits end an escape sequence; hexadecimal digits would include digits that follow. `?` could begin a trigraph.
void append_escaped(std::string& literal, char each) {
    const auto byte = static_cast<unsigned char>(each);
    const bool is_plain = byte >= 0x20 && byte < 0x7f && each != '"' && each != '\\' && each != '?';
    if (is_plain) {
        literal += each;
    } else {
        literal += {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + (byte >> 3 & 7)),
                    static_cast<char>('0' + (byte & 7))};
    }
}

}  // namespace

std::string quoted_literal(std::string_view text) {
    std::string literal = "\"";
    for (const char each : text) append_escaped(literal, each);
    return literal + "\"";
}

std::string raw_literal(std::string_view text) {
    std::string lines;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] == '\n')) continue;
        lines += text[i] == '\r' ? '\n' : text[i];
    }
    std::string delimiter = "cu";
    for (int i = 1; lines.find(")" + delimiter + "\"") != std::string::npos; ++i) delimiter = "cu" + std::to_string(i);
    return "R\"" + delimiter + "(" + lines + ")" + delimiter + "\"";
}

std::string bytes_literal(std::string_view bytes) {
    constexpr std::size_t bytes_per_line = 64;
    std::string literal;
    for (std::size_t i = 0; i == 0 || i < bytes.size(); i += bytes_per_line) {
        literal += "\n    " + quoted_literal(bytes.substr(i, bytes_per_line));
    }
    return literal;
}

}  // namespace cubind::gen::emit
