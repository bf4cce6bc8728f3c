// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "values/printer.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace CUBIND_NAMESPACE::layers {

namespace {

// Returns the length of the UTF-8 sequence at the start of `text`; 0 if there is none.
std::size_t utf8_length(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xc2 && lead < 0xe0 ? 2
                               : lead >= 0xe0 && lead < 0xf0 ? 3
                               : lead >= 0xf0 && lead < 0xf5 ? 4
                                                             : 0;
    if (length == 0 || text.size() < length) return 0;
    for (std::size_t index = 1; index < length; ++index) {
        if ((static_cast<unsigned char>(text[index]) & 0xc0) != 0x80) return 0;
    }
    // Some second bytes make the sequence overlong, a surrogate, or larger than the last character.
    const auto second = length > 1 ? static_cast<unsigned char>(text[1]) : 0;
    const bool is_wrong = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) || (lead == 0xf0 && second < 0x90) ||
                          (lead == 0xf4 && second > 0x8f);
    return is_wrong ? 0 : length;
}

void append_floating(std::string& out, double value) {
    char digits[32];
    const auto written = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 9);
    out.append(digits, written.ptr);
}

}  // namespace

void append_hexadecimal(std::string& out, unsigned long long value) {
    char digits[24];
    std::snprintf(digits, sizeof digits, "0x%llx", value);
    out += digits;
}

void append_quoted(std::string& out, std::string_view text, std::string_view after) {
    out += '"';
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const char first = text.front();
        if (first == '"' || first == '\\') {
            out += '\\';
            out += first;
        } else if (first == '\n') {
            out += "\\n";
        } else if (first == '\t') {
            out += "\\t";
        } else if (length == 0 || static_cast<unsigned char>(first) < 0x20 || first == 0x7f) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(first)));
            out += escape;
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    out += after;
    out += '"';
}

void TextPrinter::separate() {
    if (out_.back() != '{' && out_.back() != '[') out_ += ", ";
}
void TextPrinter::begin_record() {
    out_ += '{';
}
void TextPrinter::field(std::string_view name) {
    separate();
    out_ += name;
    out_ += '=';
}
void TextPrinter::end_record() {
    out_ += '}';
}
void TextPrinter::begin_list() {
    out_ += '[';
}
void TextPrinter::element() {
    separate();
}
void TextPrinter::omitted(unsigned long long count) {
    separate();
    out_ += "... " + std::to_string(count) + " more";
}
void TextPrinter::end_list() {
    out_ += ']';
}
void TextPrinter::null() {
    out_ += "null";
}
void TextPrinter::word(std::string_view text) {
    out_ += text;
}
void TextPrinter::text(std::string_view text, bool is_cut) {
    append_quoted(out_, text);
    if (is_cut) out_ += "...";
}
void TextPrinter::hexadecimal(unsigned long long value) {
    append_hexadecimal(out_, value);
}
void TextPrinter::floating(double value) {
    append_floating(out_, value);
}

void JsonPrinter::separate() {
    if (out_.back() != '{' && out_.back() != '[') out_ += ',';
}
void JsonPrinter::begin_record() {
    out_ += '{';
}
void JsonPrinter::field(std::string_view name) {
    separate();
    append_quoted(out_, name);
    out_ += ':';
}
void JsonPrinter::end_record() {
    out_ += '}';
}
void JsonPrinter::begin_list() {
    out_ += '[';
}
void JsonPrinter::element() {
    separate();
}
void JsonPrinter::omitted(unsigned long long count) {
    separate();
    append_quoted(out_, "... " + std::to_string(count) + " more");
}
void JsonPrinter::end_list() {
    out_ += ']';
}
void JsonPrinter::null() {
    out_ += "null";
}
void JsonPrinter::word(std::string_view text) {
    append_quoted(out_, text);
}
void JsonPrinter::text(std::string_view text, bool is_cut) {
    append_quoted(out_, text, is_cut ? "..." : "");
}
void JsonPrinter::hexadecimal(unsigned long long value) {
    out_ += '"';
    append_hexadecimal(out_, value);
    out_ += '"';
}
void JsonPrinter::floating(double value) {
    if (std::isfinite(value)) return append_floating(out_, value);
    out_ += '"';
    append_floating(out_, value);
    out_ += '"';
}

}  // namespace CUBIND_NAMESPACE::layers
