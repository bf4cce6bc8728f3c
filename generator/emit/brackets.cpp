// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/brackets.hpp"

#include <cctype>

namespace cubind::gen::emit {
namespace {

bool is_bracket(char c) {
    return c == '(' || c == ')' || c == '[' || c == ']' || c == '{' || c == '}' || c == '<' || c == '>';
}

/// Returns whether the "<" at `at` opens template arguments. A comparison has a space before it.
bool opens_template(std::string_view code, std::size_t at) {
    return code[at] == '<' && at > 0 && (std::isalnum(static_cast<unsigned char>(code[at - 1])) != 0 || code[at - 1] == '_');
}

}  // namespace

Brackets::Brackets(std::string_view code) : places_(code.size()) {
    std::vector<int> open;
    Place current;
    Place* place = places_.data();
    int at = 0;
    bool is_escaped = false;
    for (const char c : code) {
        *place = current;
        if (current.is_in_text) {
            if (c == '"' && !is_escaped) current.is_in_text = false;
            is_escaped = c == '\\' && !is_escaped;
        } else if (c == '"') {
            current.is_in_text = true;
        } else if (is_bracket(c)) {
            if (c == '(' || c == '[' || c == '{' || opens_template(code, static_cast<std::size_t>(at))) {
                openings_.push_back(static_cast<std::size_t>(at));
                open.push_back(at);
                current = {.depth = current.depth + 1, .around = at};
            } else if (!open.empty() && c != '<' && (c != '>' || code[static_cast<std::size_t>(open.back())] == '<')) {
                open.pop_back();
                current = {.depth = current.depth - 1, .around = open.empty() ? -1 : open.back()};
            }
        }
        ++place;
        ++at;
    }
}

std::optional<std::size_t> Brackets::around(std::size_t at) const {
    const int bracket = places_[at].around;
    return bracket < 0 ? std::nullopt : std::optional(static_cast<std::size_t>(bracket));
}

std::optional<Body> body_of(std::string_view code) {
    if (!code.ends_with("; }")) return std::nullopt;
    const Brackets brackets(code);
    const auto begin = brackets.around(code.size() - 1);
    if (!begin || code[*begin] != '{' || brackets.depth(*begin) > 0) return std::nullopt;
    return Body{*begin, code.size() - 1};
}

}  // namespace cubind::gen::emit
