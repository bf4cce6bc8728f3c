// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "extract/documentation.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace cubind::gen::extract {
namespace {

std::string_view trim(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

bool is_name_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Skips blanks, returns the name at `at` and moves `at` past it.
std::string next_name(std::string_view text, std::size_t& at) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
    const std::size_t begin = at;
    while (at < text.size() && is_name_character(text[at])) ++at;
    return std::string(text.substr(begin, at - begin));
}

/// Returns the position after the doxygen command `name`, marked by \ or @, or npos.
std::size_t find_command_end(std::string_view text, std::string_view name, std::size_t from) {
    for (std::size_t at = text.find(name, from); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const bool marked = at > 0 && (text[at - 1] == '\\' || text[at - 1] == '@');
        const std::size_t end = at + name.size();
        if (marked && (end == text.size() || !is_name_character(text[end]))) return end;
    }
    return std::string_view::npos;
}

/// Returns the text of a line that is one comment, without the frame of punctuation; empty if the line is anything else. The
/// frame of a // comment is slashes, hash signs and lines of = or -, so that its text may end with a parenthesis.
std::string framed_text(std::string_view line) {
    line = trim(line);
    if (line.starts_with("//")) {
        const std::string_view frame = "/#=- \t";
        const std::size_t begin = line.find_first_not_of(frame);
        if (begin == std::string_view::npos) return {};
        return std::string(line.substr(begin, line.find_last_not_of(frame) - begin + 1));
    }
    if (line.size() < 4 || !line.starts_with("/*") || line.find("*/") != line.size() - 2) return {};
    const auto is_text = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
    const auto begin = std::find_if(line.begin(), line.end(), is_text);
    const auto end = std::find_if(line.rbegin(), std::make_reverse_iterator(begin), is_text).base();
    return {begin, end};
}

/// Returns the text of a line of a comment without what would end a // comment or continue it on the next line: control
/// characters, and backslashes and blanks at the end.
std::string safe_line(std::string_view line) {
    std::string text(line.substr(0, line.find_last_not_of(" \t\\") + 1));
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
    return text;
}

std::string direction_of(std::string_view tag) {
    const bool in = tag.find("in") != std::string_view::npos;
    const bool out = tag.find("out") != std::string_view::npos;
    return std::string(in ? "in" : "") + (out ? "out" : "");
}

}  // namespace

std::string_view find_comment(const HeaderText& header, unsigned line) {
    std::string_view text;
    while (text.empty() || text.front() == '#') {
        if (line <= 1) return {};
        text = trim(header.line(--line));
    }
    if (!text.ends_with("*/")) return {};
    unsigned first = line;
    // A line of the comment may mention "/*"; the opening line begins with it.
    while (first > 1 && !trim(header.line(first)).starts_with("/*")) --first;
    if (header.line(first).find("/*") == std::string_view::npos) return {};
    const char* begin = header.line(first).data();
    const std::string_view last = header.line(line);
    return std::string_view(begin, static_cast<std::size_t>(last.data() + last.size() - begin));
}

std::vector<std::string> comment_lines(std::string_view comment) {
    std::vector<std::string> lines;
    while (!comment.empty()) {
        const std::size_t end = std::min(comment.find('\n'), comment.size());
        std::string_view line = trim(comment.substr(0, end));
        if (line.starts_with("/**")) line.remove_prefix(3);
        if (line.ends_with("*/")) line.remove_suffix(2);
        if (line.starts_with("*")) line.remove_prefix(1);
        if (line.starts_with(" ")) line.remove_prefix(1);
        lines.push_back(safe_line(line));
        comment.remove_prefix(std::min(end + 1, comment.size()));
    }
    const auto is_blank = [](const std::string& line) { return trim(line).empty(); };
    while (!lines.empty() && is_blank(lines.back())) lines.pop_back();
    while (!lines.empty() && is_blank(lines.front())) lines.erase(lines.begin());
    return lines;
}

std::string_view comment_of_enumerator(const HeaderText& header, unsigned line) {
    const std::string_view text = header.line(line);
    const std::size_t begin = text.find("/*");
    return begin != std::string_view::npos ? trim(text.substr(begin)) : find_comment(header, line);
}

std::map<std::string, std::string> parameter_directions(std::string_view comment) {
    std::map<std::string, std::string> found;
    for (std::size_t at = find_command_end(comment, "param", 0); at != std::string_view::npos;
         at = find_command_end(comment, "param", at)) {
        while (at < comment.size() && (comment[at] == ' ' || comment[at] == '\t')) ++at;
        if (at >= comment.size() || comment[at] != '[') continue;
        const std::size_t close = comment.find(']', at);
        if (close == std::string_view::npos) break;
        const std::string direction = direction_of(comment.substr(at + 1, close - at - 1));
        at = close + 1;
        const std::string name = next_name(comment, at);
        if (!name.empty() && !direction.empty()) found[name] = direction;
    }
    return found;
}

std::string stated_group(std::string_view comment) {
    std::size_t at = find_command_end(comment, "ingroup", 0);
    return at != std::string_view::npos ? next_name(comment, at) : std::string();
}

GroupMap::GroupMap(const HeaderText& header, const std::map<std::string, std::string>& sections,
                   const std::string& header_group) {
    changes_[0] = header_group;
    std::vector<std::string> open;
    std::string announced, section_group = header_group;
    for (unsigned number = 1; number <= header.line_count(); ++number) {
        const std::string_view line = header.line(number);
        const auto section = sections.empty() ? sections.end() : sections.find(framed_text(line));
        if (section != sections.end()) {
            section_group = section->second;
            if (open.empty()) changes_[number] = section_group;
        }
        if (line.find_first_of("\\@") == std::string_view::npos) continue;
        for (const char* command : {"defgroup", "addtogroup"}) {
            std::size_t at = find_command_end(line, command, 0);
            if (at != std::string_view::npos) announced = next_name(line, at);
        }
        const auto has = [&](char brace) {
            return line.find(std::string("@") + brace) != std::string_view::npos ||
                   line.find(std::string("\\") + brace) != std::string_view::npos;
        };
        if (has('{')) {
            open.push_back(!announced.empty() || open.empty() ? announced : open.back());
            announced.clear();
            changes_[number] = open.back();
        } else if (has('}') && !open.empty()) {
            open.pop_back();
            changes_[number] = open.empty() ? section_group : open.back();
        }
    }
}

const std::string& GroupMap::group_at(unsigned line) const {
    return std::prev(changes_.upper_bound(line))->second;
}

}  // namespace cubind::gen::extract
