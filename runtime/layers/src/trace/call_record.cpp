// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/call_record.hpp"

#include <cstdio>

#include "platform/process.hpp"
#include "platform/quoted_text.hpp"
#include "values/print.hpp"

namespace CUBIND_NAMESPACE::layers::trace {

namespace {

template <class... Values>
void append_formatted(std::string& out, const char* format, Values... values) {
    char text[128];
    std::snprintf(text, sizeof text, format, values...);
    out += text;
}

constexpr double microseconds(long long nanoseconds) {
    return static_cast<double>(nanoseconds) / 1e3;
}

void append_text(std::string& out, const CallRecord& record, const std::byte* captured) {
    append_formatted(out, "[%u] %11.6f s %9.1f us  ", record.thread, microseconds(record.begin) / 1e6,
                     microseconds(record.duration));
    out += record.library->name;
    out += ' ';
    out += signature_text(*record.library, *record.function, captured);
    out += " -> ";
    TextPrinter printer(out);
    print_returned(*record.function, captured, printer);
    std::string results = "{";
    TextPrinter fields(results);
    print_fields(*record.library, *record.function, captured, Part::results, fields);
    if (results.size() > 1) out += " " + results.substr(1);
    out += '\n';
}

// Appends the arguments, the status or other return value, and the results as members of an open JSON object.
void append_values(JsonPrinter& printer, const CallRecord& record, const std::byte* captured) {
    printer.field("arguments");
    printer.begin_record();
    print_fields(*record.library, *record.function, captured, Part::arguments, printer);
    printer.end_record();
    const bool returns_status = reflection::returns_status(*record.library, *record.function);
    if (record.function->returns->size > 0) {
        printer.field(returns_status ? "status" : "returned");
        print_returned(*record.function, captured, printer);
    }
    printer.field("results");
    printer.begin_record();
    print_fields(*record.library, *record.function, captured, Part::results, printer);
    printer.end_record();
}

void append_microseconds(std::string& out, std::string_view name, long long nanoseconds) {
    out.append(",\"").append(name).append("\":");
    detail::append_microseconds(out, nanoseconds);
}

void append_json(std::string& out, const CallRecord& record, const std::byte* captured) {
    append_formatted(out, "{\"thread\":%u", record.thread);
    append_microseconds(out, "begin_us", record.begin);
    append_microseconds(out, "duration_us", record.duration);
    JsonPrinter printer(out);
    printer.field("library");
    printer.word(record.library->name);
    printer.field("function");
    printer.word(record.function->symbol);
    append_values(printer, record, captured);
    out += "}\n";
}

void append_chrome(std::string& out, const CallRecord& record, const std::byte* captured) {
    append_formatted(out, "{\"ph\":\"X\",\"pid\":%d,\"tid\":%u", detail::process_id(), record.thread);
    append_microseconds(out, "ts", record.begin);
    append_microseconds(out, "dur", record.duration);
    JsonPrinter printer(out);
    printer.field("cat");
    printer.word(record.library->name);
    printer.field("name");
    printer.word(record.function->symbol);
    printer.field("args");
    printer.begin_record();
    append_values(printer, record, captured);
    printer.end_record();
    out += "},\n";
}

}  // namespace

void append_line(std::string& out, const CallRecord& record, const std::byte* captured, Format format) {
    switch (format) {
        case Format::text:
            return append_text(out, record, captured);
        case Format::json_lines:
            return append_json(out, record, captured);
        case Format::chrome:
            return append_chrome(out, record, captured);
    }
}

std::string head(Format format) {
    return format == Format::chrome ? "[\n" : "";
}

// A JSON list must not end with a comma, so an event with the process's name is the last element.
std::string tail(Format format) {
    if (format != Format::chrome) return "";
    return "{\"ph\":\"M\",\"pid\":" + std::to_string(detail::process_id()) +
           ",\"name\":\"process_name\",\"args\":{\"name\":\"cubind\"}}\n]\n";
}

}  // namespace CUBIND_NAMESPACE::layers::trace
