// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "lines.hpp"

namespace cubind::info {
namespace {

constexpr std::size_t label_column = 2;
constexpr std::size_t value_column = 18;
constexpr std::size_t width = 110;

}  // namespace

void Lines::add_heading(std::string_view text) {
    if (!text_.empty()) text_ += '\n';
    text_ += text;
    text_ += '\n';
}

void Lines::add_row(std::string_view label, std::string_view value) {
    std::string start(label_column, ' ');
    start += label;
    // Two spaces follow a label that is too long for its column.
    start.resize(start.size() < value_column ? value_column : start.size() + 2, ' ');
    text_ += start;
    append_wrapped(value, value_column);
}

void Lines::add_item(std::string_view text) {
    text_ += "  - ";
    append_wrapped(text, 4);
}

// Words that are longer than a line, such as paths, are not split.
void Lines::append_wrapped(std::string_view text, std::size_t column) {
    std::size_t used = column;
    bool is_first = true;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(word.size() < text.size() ? word.size() + 1 : word.size());
        if (!is_first && used + 1 + word.size() > width) {
            text_ += '\n';
            text_.append(column, ' ');
            used = column;
        } else if (!is_first) {
            text_ += ' ';
            ++used;
        }
        text_ += word;
        used += word.size();
        is_first = false;
    }
    text_ += '\n';
}

std::string join_strings(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

}  // namespace cubind::info
