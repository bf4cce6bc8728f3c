// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/wrap.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

#include "emit/brackets.hpp"

namespace cubind::gen::emit {
namespace {

constexpr std::size_t indent_width = 4;

/// The costs of breaks. A line is broken at the cheapest break that it can reach, and at the last one if several have this
/// cost. Each bracket around a break adds `level`.
namespace cost {
constexpr int level = 10;
constexpr int operand = 1;
constexpr int assignment = 12;
constexpr int declarator = 13;
constexpr int template_argument = 4;
constexpr int open_bracket = 5;
constexpr int text = 1000;
}  // namespace cost

/// A position at which a line may end.
struct Break {
    std::size_t at = 0;  ///< the first character of the next line
    int cost = 0;
    bool is_before_declarator = false;
    bool is_after_bracket = false;
    bool is_in_text = false;  ///< splits a string literal
};

bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Returns whether a function's name and parameters begin at `at`.
bool begins_declarator(std::string_view code, std::size_t at) {
    std::size_t end = at;
    while (end < code.size() && is_word(code[end])) ++end;
    const bool is_called = end > at && end < code.size() && code[end] == '(';
    return is_called && at >= 2 && (code[at - 2] == '>' || code[at - 2] == '*' || is_word(code[at - 2]));
}

/// Returns every position at which `code` may be broken, in order.
std::vector<Break> breaks_of(std::string_view code, const Brackets& brackets) {
    std::vector<Break> breaks;
    breaks.reserve(code.size() / 8);
    for (const std::size_t at : brackets.openings()) {
        if (code[at] == '<' || at + 1 == code.size() || code[at + 1] == ')' || code[at + 1] == '}') continue;
        const std::size_t first = code[at + 1] == ' ' ? at + 2 : at + 1;
        const int levels = cost::level * brackets.depth(at + 1);
        breaks.push_back({.at = first, .cost = levels + cost::open_bracket, .is_after_bracket = true});
    }
    for (std::size_t at = code.find(' ') + 1; at > 0; at = code.find(' ', at) + 1) {
        if (at == code.size()) break;
        const std::string_view before = code.substr(0, at);
        const int levels = cost::level * brackets.depth(at);
        if (brackets.is_in_text(at)) {
            breaks.push_back({.at = at, .cost = cost::text, .is_in_text = true});
        } else if (before.ends_with(", ")) {
            const bool is_in_template = brackets.around(at) && code[*brackets.around(at)] == '<';
            breaks.push_back({.at = at, .cost = levels + (is_in_template ? cost::template_argument : 0)});
        } else if (before.ends_with(" || ") || before.ends_with(" && ") || before.ends_with(" == ") || before.ends_with(" + ")) {
            breaks.push_back({.at = at, .cost = levels + cost::operand});
        } else if (brackets.depth(at) > 0) {
            continue;
        } else if (before.ends_with(": ")) {
            breaks.push_back({.at = at, .cost = cost::operand});
        } else if (before.ends_with(" = ")) {
            breaks.push_back({.at = at, .cost = cost::assignment});
        } else if (begins_declarator(code, at)) {
            breaks.push_back({.at = at, .cost = cost::declarator, .is_before_declarator = true});
        }
    }
    std::sort(breaks.begin(), breaks.end(), [](const Break& a, const Break& b) { return a.at < b.at; });
    return breaks;
}

struct Layout {
    std::vector<std::string> lines;
    std::size_t excess = 0;  ///< columns beyond max_columns

    bool is_better_than(const Layout& other) const {
        return excess != other.excess ? excess < other.excess : lines.size() < other.lines.size();
    }
};

/// Breaks a line from left to right, each time at the cheapest break in reach.
class Breaker {
public:
    Breaker(std::string_view code, std::size_t indent)
        : code_(code), indent_(indent), brackets_(code), breaks_(breaks_of(code, brackets_)), columns_(code.size()) {}

    /// Returns the layout. With `is_hanging`, arguments start on the line after their bracket; otherwise they are aligned after
    /// it.
    Layout layout(bool is_hanging) {
        Layout layout;
        std::string quote;  // opens the rest of a string literal
        std::size_t begin = 0;
        std::size_t indent = indent_;
        while (true) {
            const std::size_t room = max_columns - std::min(max_columns, indent + quote.size());
            const Break* const found = code_.size() - begin > room ? find(begin, room, is_hanging) : nullptr;
            const std::size_t end = found != nullptr ? found->at : code_.size();
            std::string line(indent, ' ');
            line += quote;
            line += code_.substr(begin, end - begin);
            const bool is_in_text = found != nullptr && found->is_in_text;
            if (is_in_text) line += '"';
            if (!is_in_text) line.resize(line.find_last_not_of(' ') + 1);
            layout.excess += line.size() > max_columns ? line.size() - max_columns : 0;
            layout.lines.push_back(std::move(line));
            if (found == nullptr) return layout;
            note_columns(begin, *found, indent + quote.size());
            begin = end;
            indent = indent_after(*found);
            quote = is_in_text ? "\"" : "";
        }
    }

private:
    const Break* find(std::size_t begin, std::size_t room, bool is_hanging) const {
        const auto cost_of = [&](const Break& each) {
            return each.cost - (is_hanging && each.is_after_bracket ? cost::level : 0);
        };
        const Break* best = nullptr;
        for (const Break& each : breaks_) {
            if (each.at <= begin) continue;
            if (width_until(each, begin) > room && best != nullptr) break;
            if (best == nullptr || cost_of(each) <= cost_of(*best)) best = &each;
        }
        return best;
    }

    /// Returns the columns of a line that ends at the break. A closing quote counts; a space that is dropped does not count.
    std::size_t width_until(const Break& end, std::size_t begin) const {
        if (end.is_in_text) return end.at - begin + 1;
        return end.at - begin - (code_[end.at - 1] == ' ' ? 1 : 0);
    }

    /// For each bracket that the line from `begin` to `end` opens, stores the column at which its contents begin.
    void note_columns(std::size_t begin, const Break& end, std::size_t indent) {
        for (const std::size_t at : brackets_.openings()) {
            if (at < begin) continue;
            if (at >= end.at) break;
            const std::size_t first = code_[at + 1] == ' ' ? at + 2 : at + 1;
            columns_[at] = first >= end.at && end.is_after_bracket ? indent + indent_width : indent + first - begin;
        }
    }

    std::size_t indent_after(const Break& end) const {
        if (const auto around = brackets_.around(end.at)) return columns_[*around];
        return end.is_before_declarator ? indent_ : indent_ + indent_width;
    }

    std::string_view code_;
    std::size_t indent_;
    Brackets brackets_;
    std::vector<Break> breaks_;
    std::vector<std::size_t> columns_;  ///< column of the text after a bracket, by the position of the bracket
};

void append_code(std::string& text, std::string_view line) {
    const std::size_t indent = line.find_first_not_of(' ');
    if (line.size() <= max_columns || indent == std::string_view::npos) {
        text += line;
        text += '\n';
        return;
    }
    const std::string_view code = line.substr(indent);
    if (const auto body = body_of(code)) {
        const std::string margin(indent, ' ');
        append_code(text, line.substr(0, indent + body->begin + 1));
        append_code(text, margin + std::string(indent_width, ' ') +
                              std::string(code.substr(body->begin + 2, body->end - body->begin - 3)));
        text += margin + std::string(code.substr(body->end)) + "\n";
        return;
    }
    Breaker breaker(code, indent);
    Layout layout = breaker.layout(false);
    if (layout.excess > 0 || layout.lines.size() > 2) {
        if (Layout hanging = breaker.layout(true); hanging.is_better_than(layout)) layout = std::move(hanging);
    }
    for (const std::string& each : layout.lines) {
        text += each;
        text += '\n';
    }
}

void append_comment(std::string& text, std::string_view line, std::size_t slashes) {
    const std::size_t words = line.find_first_not_of("/ ", slashes);
    const std::string prefix(line.substr(0, words));
    std::string_view rest = line.substr(prefix.size());
    while (prefix.size() + rest.size() > max_columns) {
        std::size_t space = rest.rfind(' ', max_columns - prefix.size());
        if (space == std::string_view::npos) space = rest.find(' ');
        if (space == std::string_view::npos) break;
        text += prefix + std::string(rest.substr(0, space)) + "\n";
        rest = rest.substr(space + 1);
    }
    text += prefix + std::string(rest) + "\n";
}

}  // namespace

std::string wrap_lines(const std::string& text) {
    std::string wrapped;
    wrapped.reserve(text.size() + text.size() / 8);
    std::size_t copied = 0;  // the lines before are in `wrapped`
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = std::string_view(text).substr(begin, end - begin);
        const std::size_t first = line.size() > max_columns ? line.find_first_not_of(' ') : std::string_view::npos;
        if (first != std::string_view::npos && line[first] != '#') {
            wrapped.append(text, copied, begin - copied);
            if (line.substr(first).starts_with("//")) {
                append_comment(wrapped, line, first);
            } else {
                append_code(wrapped, line);
            }
            copied = end + 1;
        }
        begin = end + 1;
    }
    if (copied < text.size()) wrapped.append(text, copied);
    return wrapped;
}

}  // namespace cubind::gen::emit
