// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "program/include_scan.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "errors/misuse.hpp"

namespace CUBIND_NAMESPACE::detail {
namespace {

bool contains(std::string_view text, std::string_view part) noexcept {
    return ::memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

bool is_blank(char each) noexcept {
    return each == ' ' || each == '\t' || each == '\v' || each == '\f' || each == '\r';
}

bool is_letter(char each) noexcept {
    return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_';
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

/// Returns the code after joining each line that ends with a backslash to the next line. Before C++17, trigraphs may replace
/// the backslash and the # of a directive.
std::string unspliced(std::string_view code) {
    std::string text(code);
    if (contains(text, "?\?")) {
        replace_all(text, "?\?=", "#");
        replace_all(text, "?\?/", "\\");
    }
    std::size_t from = 0, to = 0;
    for (std::size_t at; (at = text.find('\\', from)) != std::string::npos;) {
        std::size_t end = at + 1;
        while (end < text.size() && is_blank(text[end])) ++end;
        const bool is_splice = end < text.size() && text[end] == '\n';
        const std::size_t kept_end = is_splice ? at : at + 1;
        std::memmove(text.data() + to, text.data() + from, kept_end - from);
        to += kept_end - from;
        from = is_splice ? end + 1 : at + 1;
    }
    text.erase(to, from - to);
    return text;
}

/// Reads the preprocessing directives of code without spliced lines.
class Scanner {
public:
    explicit Scanner(std::string_view text) : text_(text) {}

    IncludeScan scan() {
        for (const std::string_view mark : {"#", "%:"}) {
            for (std::size_t at = text_.find(mark); at != std::string_view::npos; at = text_.find(mark, at + mark.size())) {
                at_ = at + mark.size();
                if (begins_line(at)) directive();
            }
        }
        return std::move(found_);
    }

private:
    /// Returns whether only blanks and comments may precede this place in its line.
    bool begins_line(std::size_t at) const {
        while (at > 0 && is_blank(text_[at - 1])) --at;
        return at == 0 || text_[at - 1] == '\n' || (at > 1 && text_[at - 1] == '/' && text_[at - 2] == '*');
    }

    char current() const { return at_ < text_.size() ? text_[at_] : '\n'; }
    bool begins_comment(char second) const { return current() == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == second; }

    void skip_blanks() {
        for (;;) {
            if (is_blank(current())) {
                ++at_;
            } else if (begins_comment('*')) {
                at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
            } else {
                return;
            }
        }
    }

    std::string_view word() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }

    /// Reads a name in quotes or angle brackets. Returns false if there is none.
    bool name() {
        const bool is_quoted = current() == '"';
        if (!is_quoted && current() != '<') return false;
        const std::size_t begin = at_ + 1;
        const std::size_t end = text_.find_first_of(is_quoted ? "\"\n" : ">\n", begin);
        if (end == std::string_view::npos || text_[end] == '\n') return false;
        at_ = end + 1;
        found_.names.push_back({std::string(text_.substr(begin, end - begin)), is_quoted});
        return true;
    }

    void report(std::string_view problem) {
        if (found_.macro_problem.empty()) found_.macro_problem = problem;
    }

    void directive() {
        skip_blanks();
        const std::string_view kind = word();
        if (kind == "include" || kind == "include_next" || kind == "import" || kind == "embed") {
            skip_blanks();
            if (!name()) report("the name of a file in an #include directive is a macro");
        } else if (kind == "if" || kind == "elif") {
            is_condition_ = true;
            expressions(false);
        } else if (kind == "define") {
            is_condition_ = false;
            skip_blanks();
            expressions(asks_for_file(word()));
        }
    }

    /// Returns whether an identifier contains has_include or has_embed, in upper or lower case. An identifier other than
    /// __has_include and __has_embed is probably a macro for one of them.
    static bool asks_for_file(std::string_view identifier) {
        std::string lower(identifier);
        std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char each) { return std::tolower(each); });
        return contains(lower, "has_include") || contains(lower, "has_embed");
    }

    void skip_literal() {
        const char quote = current();
        for (++at_; current() != '\n' && current() != quote; ++at_) {
            if (current() == '\\') ++at_;
        }
        if (current() == quote) ++at_;
    }

    /// Reads the names that follow __has_include in the rest of a line. `is_own_macro` is true if the line defines a macro for
    /// which asks_for_file() is true. Uses of such a macro are read like __has_include.
    void expressions(bool is_own_macro) {
        while (skip_blanks(), current() != '\n' && !begins_comment('/')) {
            if (current() == '"' || current() == '\'') {
                skip_literal();
            } else if (!is_letter(current())) {
                ++at_;
            } else if (const std::string_view identifier = number_or_word(); asks_for_file(identifier)) {
                file_of_expression(is_own_macro);
            }
        }
    }

    /// Reads a word, or a number, in which quotes may separate digits.
    std::string_view number_or_word() {
        const std::size_t begin = at_;
        const bool is_number = std::isdigit(static_cast<unsigned char>(current())) != 0;
        do {
            word();
        } while (is_number && current() == '\'' && at_ + 1 < text_.size() && is_letter(text_[at_ + 1]) && ++at_ != 0);
        return text_.substr(begin, at_ - begin);
    }

    void file_of_expression(bool is_own_macro) {
        skip_blanks();
        const bool is_called = current() == '(';
        if (is_called) {
            ++at_;
            skip_blanks();
            if (name() || is_own_macro) return;
        } else if (is_own_macro || is_condition_) {
            return;  // "defined(__has_include)"
        }
        report("the name of a file in a __has_include expression is a macro");
    }

    std::string_view text_;
    std::size_t at_ = 0;
    bool is_condition_ = false;
    IncludeScan found_;
};

}  // namespace

IncludeScan scan_includes(std::string_view code) {
    const std::string text = unspliced(code);
    IncludeScan found = Scanner(text).scan();
    for (const char* const macro : {"__DATE__", "__TIME__", "__TIMESTAMP__"}) {
        if (contains(text, macro)) found.time_problem = concat("the value of ", macro, " is a time");
    }
    return found;
}

}  // namespace CUBIND_NAMESPACE::detail
