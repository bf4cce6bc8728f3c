// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/profile/recording.hpp>

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

#include "platform/quoted_text.hpp"
#include "record_members.hpp"

/// Records as fields of CSV, JSON and traces.
namespace CUBIND_NAMESPACE::profile::detail {

/// Calls `visit` with the name and the value of each field of a record in the outputs: std::string_view, an integer, double or
/// bool. The last field is the range around the record.
template <class Record, class Visit>
void visit_fields(const Recording& recording, const Record& record, const Visit& visit) {
    visit_members(record, [&](std::string_view name, const auto& value) {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, TimePoint>) {
            visit(name, (&value == &record.start ? record.start - recording.start() : record.duration()).count());
        } else if constexpr (std::is_enum_v<Value>) {
            visit(name, std::string_view(to_string(value)));
        } else if constexpr (std::is_same_v<Value, Dim3>) {
            visit(std::string(name) + "_x", value.x);
            visit(std::string(name) + "_y", value.y);
            visit(std::string(name) + "_z", value.z);
        } else {
            visit(name, value);
        }
    });
    const RangeRecord* range = nullptr;
    if constexpr (std::is_same_v<Record, RangeRecord>) {
        range = recording.parent_of(record);
    } else if constexpr (!std::is_same_v<Record, MemoryRecord>) {
        range = recording.range_of(record);
    } else {
        return;
    }
    visit("range", range == nullptr ? std::string_view() : range->name);
}

/// Returns a value as text; JSON has no infinity.
template <class Value>
std::string text_of(const Value& value) {
    if constexpr (std::is_same_v<Value, std::string_view>) {
        std::string text;
        cubind::detail::append_utf8(text, value);
        return text;
    } else if constexpr (std::is_same_v<Value, bool>) {
        return value ? "true" : "false";
    } else if constexpr (std::is_floating_point_v<Value>) {
        return cubind::detail::exact_text(std::isfinite(value) ? value : 0);
    } else {
        return std::to_string(value);
    }
}

/// Appends a record as an object of JSON, without the times and without empty fields unless `is_complete`.
template <class Record>
void append_json(std::string& out, const Recording& recording, const Record& record, bool is_complete) {
    char separator = '{';
    visit_fields(recording, record, [&](std::string_view field, const auto& value) {
        using Value = std::decay_t<decltype(value)>;
        const bool is_time = field == "start_ns" || field == "duration_ns";
        if (!is_complete && (is_time || value == Value{})) return;
        out += separator;
        cubind::detail::append_quoted(out, field);
        out += ':';
        if constexpr (std::is_same_v<Value, std::string_view>) {
            cubind::detail::append_quoted(out, value);
        } else {
            out += text_of(value);
        }
        separator = ',';
    });
    out += separator == '{' ? "{}" : "}";
}

}  // namespace CUBIND_NAMESPACE::profile::detail
