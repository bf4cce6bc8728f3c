// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "json_writer.hpp"

#include <cstdio>

#include "utf8.hpp"

namespace cubind::info {
namespace {

std::string quoted(std::string_view text) {
    std::string out = "\"";
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const char c = text.front();
        if (length == 0) {
            out += "\\ufffd";
        } else if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
            out += escape;
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return out + '"';
}

}  // namespace

JsonWriter& JsonWriter::key(std::string_view name) {
    separate();
    text_ += quoted(name) + ": ";
    after_key_ = true;
    return *this;
}

void JsonWriter::string(std::string_view text) {
    value(quoted(text));
}

void JsonWriter::string_or_null(std::string_view text) {
    if (text.empty()) {
        null();
    } else {
        string(text);
    }
}

void JsonWriter::number(int number) {
    value(std::to_string(number));
}
void JsonWriter::boolean(bool truth) {
    value(truth ? "true" : "false");
}
void JsonWriter::null() {
    value("null");
}

void JsonWriter::begin(char bracket) {
    value(std::string_view(&bracket, 1));
    ++depth_;
    is_first_ = true;
}

void JsonWriter::end(char bracket) {
    --depth_;
    if (!is_first_) new_line();
    text_ += bracket;
    is_first_ = false;
}

void JsonWriter::value(std::string_view text) {
    if (!after_key_) separate();
    after_key_ = false;
    text_ += text;
}

void JsonWriter::separate() {
    if (depth_ == 0) return;
    if (!is_first_) text_ += ',';
    is_first_ = false;
    new_line();
}

void JsonWriter::new_line() {
    text_ += '\n';
    text_.append(static_cast<std::size_t>(2 * depth_), ' ');
}

}  // namespace cubind::info
