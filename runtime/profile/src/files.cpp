// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/profile/outputs.hpp>

#include <cmath>
#include <concepts>
#include <span>
#include <type_traits>

#include "files/replacement_file.hpp"
#include "platform/quoted_text.hpp"
#include "record_fields.hpp"

namespace CUBIND_NAMESPACE::profile {

namespace detail {

void append_utf8(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = cubind::detail::utf8_length(text);
        const auto byte = static_cast<unsigned char>(text.front());
        if (length != 0) {
            out += text.substr(0, length);
        } else {
            out += static_cast<char>(0xc0 | byte >> 6);
            out += static_cast<char>(0x80 | (byte & 0x3f));
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
}

}  // namespace detail

namespace {

using detail::append_number;
using detail::visit_fields;
using detail::visit_timed;

// Numbers of the shortest text that is read as the same number. JSON has no infinity.
void append_value(std::string& out, double value) {
    char digits[32];
    out.append(digits, std::to_chars(digits, digits + sizeof digits, std::isfinite(value) ? value : 0).ptr);
}
void append_value(std::string& out, std::integral auto value) {
    append_number(out, value);
}
void append_value(std::string& out, bool value) {
    out += value ? "true" : "false";
}

// ---- CSV -----------------------------------------------------------------------------------------------------------------

/// Writes the fields of a line, separated by commas.
class CsvLine {
public:
    explicit CsvLine(std::string& out) : out_(out) {}

    void add(std::string_view text) {
        separate();
        const bool has_special = text.find_first_of(",\"\r\n") != std::string_view::npos;
        if (has_special) out_ += '"';
        for (std::size_t at; (at = text.find('"')) != std::string_view::npos; text.remove_prefix(at + 1)) {
            detail::append_utf8(out_, text.substr(0, at));
            out_ += "\"\"";
        }
        detail::append_utf8(out_, text);
        if (has_special) out_ += '"';
    }
    template <class Value>
    requires std::is_arithmetic_v<Value>
    void add(Value value) {
        separate();
        append_value(out_, value);
    }
    void end() { out_ += '\n'; }

private:
    void separate() {
        if (!is_first_) out_ += ',';
        is_first_ = false;
    }

    std::string& out_;
    bool is_first_ = true;
};

template <class Record>
std::string csv_of(const Recording& recording, std::span<const Record> records) {
    std::string out;
    CsvLine head(out);
    visit_fields(recording, Record{}, [&](std::string_view name, const auto&) { head.add(name); });
    head.end();
    for (const Record& each : records) {
        CsvLine line(out);
        visit_fields(recording, each, [&](std::string_view, const auto& value) { line.add(value); });
        line.end();
    }
    return out;
}

// ---- JSON ----------------------------------------------------------------------------------------------------------------

template <class Record>
void append_json(std::string& out, const Recording& recording, std::string_view name, std::span<const Record> records) {
    out.append(",\n\"").append(name).append("\":[");
    for (const Record& each : records) {
        char separator = '{';
        out += &each == records.data() ? "\n" : ",\n";
        visit_fields(recording, each, [&](std::string_view field, const auto& value) {
            out += separator;
            out.append("\"").append(field).append("\":");
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string_view>) {
                cubind::detail::append_quoted(out, value);
            } else {
                append_value(out, value);
            }
            separator = ',';
        });
        out += '}';
    }
    out += ']';
}

void write(const std::string& path, const std::string& text, const char* writer) {
    cubind::detail::replace_file(path, std::as_bytes(std::span(text)), writer);
}

}  // namespace

std::string csv(const Recording& recording, Subject subject) {
    return detail::with_records(recording, subject, [&](auto records) { return csv_of(recording, records); });
}

std::string summary_csv(const Recording& recording, Subject subject) {
    std::string out = "name,count,total_ns,mean_ns,median_ns,min_ns,max_ns,part,bytes\n";
    for (const Summary& each : recording.summary(subject)) {
        CsvLine line(out);
        line.add(each.name);
        line.add(each.count);
        for (const Nanoseconds time : {each.total, each.mean, each.median, each.min, each.max}) line.add(time.count());
        line.add(each.part);
        line.add(each.bytes);
        line.end();
    }
    return out;
}

std::string json(const Recording& recording) {
    std::string out = "{\"duration_ns\":";
    append_number(out, (recording.end() - recording.start()).count());
    out += ",\n\"dropped\":{\"by_cupti\":";
    append_number(out, recording.dropped().by_cupti);
    out += ",\"by_limit\":";
    append_number(out, recording.dropped().by_limit);
    out += ",\"incomplete\":";
    append_number(out, recording.dropped().incomplete);
    out += "},\n\"notes\":[";
    for (const std::string& each : recording.notes()) {
        if (&each != recording.notes().data()) out += ',';
        cubind::detail::append_quoted(out, each);
    }
    out += ']';
    append_json(out, recording, "kernels", recording.kernels());
    append_json(out, recording, "copies", recording.copies());
    append_json(out, recording, "fills", recording.fills());
    append_json(out, recording, "memory_operations", recording.memory_operations());
    append_json(out, recording, "calls", recording.calls());
    append_json(out, recording, "synchronizations", recording.synchronizations());
    append_json(out, recording, "ranges", recording.ranges());
    return out + "}\n";
}

void write_csv(const Recording& recording, const std::string& path, Subject subject) {
    write(path, csv(recording, subject), "profile::write_csv");
}

void write_json(const Recording& recording, const std::string& path) {
    write(path, json(recording), "profile::write_json");
}

void write_chrome_trace(const Recording& recording, const std::string& path) {
    write(path, chrome_trace(recording), "profile::write_chrome_trace");
}

}  // namespace CUBIND_NAMESPACE::profile
