// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/json.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>
#include <vector>

namespace cubind::gen::spec {
namespace {

constexpr std::size_t line_width = 140;
// Limits the recursion of every function that traverses the values of a file.
constexpr std::size_t max_levels = 100;
// The largest header and the largest spec have less than 2 MiB.
constexpr std::uintmax_t max_mebibytes = 64;

void append_string(const std::string& value, std::string& text) {
    const bool plain =
        std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
    if (plain) {
        (text += '"') += value;
        text += '"';
    } else {
        text += Json(value).dump();
    }
}

void append_scalar(const Json& json, std::string& text) {
    if (json.is_string()) {
        append_string(json.get_ref<const std::string&>(), text);
    } else if (json.is_number_integer() && !json.is_number_unsigned()) {
        text += std::to_string(json.get<std::int64_t>());
    } else {
        text += json.dump();
    }
}

/// Appends `json` on one line. Stops and returns false as soon as `text` is longer than `end`.
bool append_line(const Json& json, std::size_t end, std::string& text) {
    if (!json.is_structured()) {
        append_scalar(json, text);
        return text.size() <= end;
    }
    text += json.is_object() ? '{' : '[';
    for (auto entry = json.begin(); entry != json.end(); ++entry) {
        if (entry != json.begin()) text += ", ";
        if (json.is_object()) {
            append_string(entry.key(), text);
            text += ": ";
        }
        if (!append_line(*entry, end, text)) return false;
    }
    text += json.is_object() ? '}' : ']';
    return text.size() <= end;
}

/// Appends `json` to `text`. `line` is the position in `text` where the current line begins.
void write(const Json& json, std::size_t line, std::size_t indent, std::string& text) {
    if (!json.is_structured()) return append_scalar(json, text);
    const std::size_t begin = text.size();
    const bool whole_file = indent == 0 && !json.empty();
    if (!whole_file && append_line(json, json.empty() ? std::string::npos : line + line_width, text)) return;
    text.resize(begin);
    text += json.is_object() ? "{\n" : "[\n";
    for (auto entry = json.begin(); entry != json.end();) {
        const std::size_t start = text.size();
        text.append(indent + 2, ' ');
        if (json.is_object()) {
            append_string(entry.key(), text);
            text += ": ";
        }
        write(*entry, start, indent + 2, text);
        text += ++entry != json.end() ? ",\n" : "\n";
    }
    text.append(indent, ' ');
    text += json.is_object() ? '}' : ']';
}

/// Returns the number of keys of all objects.
std::size_t count_keys(const ParsedJson& json) {
    if (!json.is_structured()) return 0;
    std::size_t count = json.is_object() ? json.size() : 0;
    for (const auto& entry : json) count += count_keys(entry);
    return count;
}

/// Returns the nesting depth of the objects and lists of a text. The text need not be valid JSON.
std::size_t nesting_depth(const std::string& text) {
    std::size_t depth = 0;
    std::size_t max_depth = 0;
    bool in_string = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') in_string = !in_string;
        if (in_string && c == '\\') ++at;
        if (in_string) continue;
        if (c == '{' || c == '[') max_depth = std::max(max_depth, ++depth);
        if ((c == '}' || c == ']') && depth > 0) --depth;
    }
    return max_depth;
}

/// Returns the number of keys in a valid text. A key is a string before a colon.
std::size_t count_keys(const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at)) {
        for (++at; text[at] != '"'; ++at) {
            if (text[at] == '\\') ++at;
        }
        at = text.find_first_not_of(" \t\r\n", at + 1);
        if (at != std::string::npos && text[at] == ':') ++count;
    }
    return count;
}

/// Throws InputError with the key that an object has twice. The parser silently uses the last value of such a key. This
/// function is slow, so it is called only if there is a duplicate key.
void reject_duplicate_keys(const std::string& text, const std::filesystem::path& file) {
    std::vector<std::set<std::string>> keys;  // keys of each open object
    [[maybe_unused]] const auto ignored = ParsedJson::parse(text, [&](int, ParsedJson::parse_event_t event, ParsedJson& parsed) {
        if (event == ParsedJson::parse_event_t::object_start) keys.emplace_back();
        if (event == ParsedJson::parse_event_t::object_end) keys.pop_back();
        if (event == ParsedJson::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second) {
            throw InputError(file.string() + ": an object has the key " + parsed.dump() + " twice; remove one of them");
        }
        return true;
    });
}

std::string place(const std::string& text, std::size_t byte) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte > 0 ? byte - 1 : 0, text.size()));
    const auto line = 1 + std::count(text.begin(), end, '\n');
    const auto line_start = std::find(std::make_reverse_iterator(end), text.rend(), '\n').base();
    return std::to_string(line) + ":" + std::to_string(1 + (end - line_start));
}

}  // namespace

Json object_for(std::size_t entries) {
    Json json = Json::object();
    json.get_ref<Json::object_t&>().reserve(entries);
    return json;
}

std::string read_text(const std::filesystem::path& file) {
    std::error_code error;
    std::ifstream stream;
    // Devices may have no end, and pipes may have no writer.
    if (std::filesystem::is_regular_file(file, error)) stream.open(file, std::ios::binary);
    if (!stream.is_open()) {
        throw InputError(file.string() +
                         ": the file cannot be read; check that it exists, that it is a regular file, and its permissions");
    }
    if (std::filesystem::file_size(file, error) > max_mebibytes << 20) {
        throw InputError(file.string() + ": the file is larger than " + std::to_string(max_mebibytes) +
                         " MiB; no header and no spec has that size");
    }
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

ParsedJson read_json(const std::filesystem::path& file) {
    const std::string text = read_text(file);
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        throw InputError(file.string() + ": the file is empty; it must hold one JSON object");
    }
    // The parser would treat a zero byte as the end of the file.
    if (const std::size_t zero = text.find('\0'); zero != std::string::npos) {
        throw InputError(file.string() + ":" + place(text, zero + 1) +
                         ": the text holds a zero byte, which is not valid JSON; remove it");
    }
    if (nesting_depth(text) > max_levels) {
        throw InputError(file.string() + ": objects and lists are nested more than " + std::to_string(max_levels) +
                         " levels deep; no spec requires that");
    }
    try {
        ParsedJson json = ParsedJson::parse(text);
        if (count_keys(json) != count_keys(text)) reject_duplicate_keys(text, file);
        return json;
    } catch (const ParsedJson::parse_error& error) {
        throw InputError(file.string() + ":" + place(text, error.byte) + ": the text is not valid JSON (" +
                         std::string(error.what()) + "); correct the syntax there");
    } catch (const ParsedJson::out_of_range& error) {
        throw InputError(file.string() + ": a number is too large (" + std::string(error.what()) +
                         "); no spec requires one of that size");
    }
}

std::string to_text(const Json& json) {
    std::string text;
    write(json, 0, 0, text);
    return text + "\n";
}

}  // namespace cubind::gen::spec
