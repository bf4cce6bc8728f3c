// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/comment.hpp"

#include <string_view>
#include <vector>

#include "extract/documentation.hpp"
#include "join_strings.hpp"

namespace cubind::gen::kernels {
namespace {

std::string_view trim(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Returns the text of a line that is a // comment.
std::string_view without_slashes(std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of('/'), line.size()));
    if (line.starts_with('!') || line.starts_with('<')) line.remove_prefix(1);
    if (line.starts_with(' ')) line.remove_prefix(1);
    return line;
}

}  // namespace

std::string comment_above(const extract::HeaderText& text, unsigned line) {
    if (line <= 1) return {};
    std::string comment;
    if (trim(text.line(line - 1)).starts_with("//")) {
        unsigned first = line - 1;
        while (first > 1 && trim(text.line(first - 1)).starts_with("//")) --first;
        for (; first < line; ++first) (comment += without_slashes(trim(text.line(first)))) += '\n';
    } else if (trim(text.line(line - 1)).ends_with("*/")) {
        comment = extract::find_comment(text, line);
        if (comment.starts_with("/*!")) comment[2] = '*';
        if (comment.starts_with("/*") && !comment.starts_with("/**")) comment.insert(1, "*");
    }
    std::string lines;
    for (const auto& each : extract::comment_lines(comment)) (lines += each) += '\n';
    if (!lines.empty()) lines.pop_back();
    return lines;
}

}  // namespace cubind::gen::kernels
