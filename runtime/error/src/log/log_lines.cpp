// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "log/log_lines.hpp"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

namespace {

struct Line {
    std::string_view text;
    bool is_message = false;  // begins with brackets
    unsigned long thread = 0;
    std::string_view function;  // "" if no bracket names one
    std::string_view message;
};

// The lines of one call. `code` and `function` are valid if the lines name the function.
struct Group {
    std::string text;
    bool has_code = false;
    int code = 0;
    std::string_view function;
};

Line read_line(std::string_view text) {
    constexpr std::size_t thread_bracket = 1;
    constexpr std::size_t function_bracket = 4;
    Line line;
    line.text = text;
    std::size_t count = 0;
    std::string_view rest = text;
    for (; rest.starts_with('['); ++count) {
        const std::size_t end = rest.find(']');
        if (end == rest.npos) return line;
        const std::string_view content = rest.substr(1, end - 1);
        if (count == thread_bracket) {
            const auto read = std::from_chars(content.data(), content.data() + content.size(), line.thread);
            line.is_message = read.ec == std::errc() && read.ptr == content.data() + content.size();
        } else if (count == function_bracket) {
            line.function = content;
        }
        rest.remove_prefix(end + 1);
    }
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    line.message = rest;
    return line;
}

bool is_of_symbol(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// Reads "Returning CODE (NAME) from SYMBOL" into the group. Returns false for another message.
bool read_status(std::string_view message, Group& group) {
    constexpr std::string_view begin = "Returning ";
    constexpr std::string_view from = " from ";
    if (!message.starts_with(begin)) return false;
    message.remove_prefix(begin.size());
    if (std::from_chars(message.data(), message.data() + message.size(), group.code).ec != std::errc()) return false;
    const std::size_t at = message.rfind(from);
    if (at == message.npos) return false;
    message.remove_prefix(at + from.size());
    group.function =
        message.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(message, is_of_symbol) - message.begin()));
    group.has_code = true;
    return true;
}

// Removes what distinguishes the versions of a function: "_ptsz", "_v2".
std::string_view without_version(std::string_view symbol) {
    if (symbol.ends_with("_ptds") || symbol.ends_with("_ptsz")) symbol.remove_suffix(5);
    const std::size_t digits = symbol.find_last_not_of("0123456789") + 1;
    return digits < symbol.size() && symbol.substr(0, digits).ends_with("_v") ? symbol.substr(0, digits - 2) : symbol;
}

bool is_of_call(const Group& group, int code, std::string_view function) {
    if (group.text.empty() || (group.has_code && group.code != code)) return false;
    return function.empty() || group.function.empty() || without_version(group.function) == without_version(function);
}

}  // namespace

std::string lines_of_call(std::string_view log, ThreadNumbers thread, int code, std::string_view function) {
    std::vector<Group> groups(1);
    bool is_own = false;
    bool has_functions = false;
    while (!log.empty()) {
        const std::size_t end = std::min(log.find('\n'), log.size());
        const Line line = read_line(log.substr(0, end));
        log.remove_prefix(std::min(end + 1, log.size()));
        if (line.is_message) is_own = line.thread == thread.handle || line.thread == thread.number;
        if (!is_own) continue;
        if (!line.function.empty() && !groups.back().text.empty() && line.function != groups.back().function)
            groups.emplace_back();
        Group& group = groups.back();
        if (!group.text.empty()) group.text += '\n';
        group.text += line.text;
        if (!line.function.empty()) group.function = line.function;
        const bool is_end = line.is_message && read_status(line.message, group);
        has_functions = has_functions || !group.function.empty();
        if (is_end) groups.emplace_back();
    }
    // Lines that name no function are of calls that succeeded, if the driver names functions.
    std::ranges::reverse(groups);
    for (Group& group : groups) {
        if (has_functions && group.function.empty()) continue;
        if (is_of_call(group, code, function)) return std::move(group.text);
        if (function.empty() && !group.text.empty()) return {};
    }
    return {};
}

}  // namespace CUBIND_NAMESPACE::detail
