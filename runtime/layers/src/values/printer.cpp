// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "values/printer.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

#include "platform/quoted_text.hpp"

namespace CUBIND_NAMESPACE::layers {

using detail::append_quoted;

namespace {

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
    detail::append_quoted(out_, text);
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
    detail::append_quoted(out_, name);
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
    detail::append_quoted(out_, "... " + std::to_string(count) + " more");
}
void JsonPrinter::end_list() {
    out_ += ']';
}
void JsonPrinter::null() {
    out_ += "null";
}
void JsonPrinter::word(std::string_view text) {
    detail::append_quoted(out_, text);
}
void JsonPrinter::text(std::string_view text, bool is_cut) {
    detail::append_quoted(out_, text, is_cut ? "..." : "");
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
