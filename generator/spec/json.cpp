// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/json.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace cubind::gen::spec {
namespace {

constexpr std::size_t line_width = 140;

std::string one_line(const Json& json) {
    if (!json.is_structured()) return json.dump();
    std::string text(1, json.is_object() ? '{' : '[');
    for (auto entry = json.begin(); entry != json.end(); ++entry) {
        if (entry != json.begin()) text += ", ";
        if (json.is_object()) text += Json(entry.key()).dump() + ": ";
        text += one_line(*entry);
    }
    return text + (json.is_object() ? '}' : ']');
}

void write(const Json& json, std::size_t column, std::size_t indent, std::string& text) {
    const std::string compact = one_line(json);
    if (!json.is_structured() || json.empty() || (indent > 0 && column + compact.size() <= line_width)) {
        text += compact;
        return;
    }
    text += json.is_object() ? "{\n" : "[\n";
    for (auto entry = json.begin(); entry != json.end();) {
        const std::string key = json.is_object() ? Json(entry.key()).dump() + ": " : "";
        text.append(indent + 2, ' ');
        text += key;
        write(*entry, indent + 2 + key.size(), indent + 2, text);
        text += ++entry != json.end() ? ",\n" : "\n";
    }
    text.append(indent, ' ');
    text += json.is_object() ? '}' : ']';
}

std::string place(const std::string& text, std::size_t byte) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(byte > 0 ? byte - 1 : 0, text.size()));
    const auto line = 1 + std::count(text.begin(), end, '\n');
    const auto line_start = std::find(std::make_reverse_iterator(end), text.rend(), '\n').base();
    return std::to_string(line) + ":" + std::to_string(1 + (end - line_start));
}

}  // namespace

std::string read_text(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw InputError(file.string() + ": cannot be read; check that it exists and may be read");
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

Json read_json(const std::filesystem::path& file) {
    const std::string text = read_text(file);
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        throw InputError(file.string() + ": is empty; it must hold one JSON object");
    }
    try {
        return Json::parse(text);
    } catch (const Json::parse_error& error) {
        throw InputError(file.string() + ":" + place(text, error.byte) + ": is not valid JSON (" +
                         std::string(error.what()) + "); mend the syntax there");
    }
}

std::string to_text(const Json& json) {
    std::string text;
    write(json, 0, 0, text);
    return text + "\n";
}

}  // namespace cubind::gen::spec
