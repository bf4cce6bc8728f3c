// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/profile/outputs.hpp>

#include <span>
#include <string_view>
#include <vector>

#include "files/replacement_file.hpp"
#include "output_fields.hpp"
#include "platform/quoted_text.hpp"

namespace CUBIND_NAMESPACE::profile {

using cubind::detail::append_csv_field;
using cubind::detail::append_quoted;
using detail::text_of;

namespace {

void write(const std::string& path, const std::string& text, const char* writer) {
    cubind::detail::replace_file(path, std::as_bytes(std::span(text)), writer);
}

}  // namespace

std::string csv(const Recording& recording, Subject subject) {
    std::string out;
    detail::visit_subject(recording, subject, [&]<class Record>(const std::vector<Record>& records) {
        detail::visit_fields(recording, Record{}, [&](std::string_view name, const auto&) { append_csv_field(out, name); });
        out += '\n';
        for (const Record& each : records) {
            detail::visit_fields(recording, each,
                                 [&](std::string_view, const auto& value) { append_csv_field(out, text_of(value)); });
            out += '\n';
        }
    });
    return out;
}

std::string summary_csv(const Recording& recording, Subject subject) {
    std::string out = "name,count,total_ns,mean_ns,median_ns,min_ns,max_ns,part,bytes\n";
    for (const Summary& each : recording.summary(subject)) {
        append_csv_field(out, text_of(each.name));
        append_csv_field(out, text_of(each.count));
        for (const Nanoseconds time : {each.total, each.mean, each.median, each.min, each.max})
            append_csv_field(out, text_of(time.count()));
        append_csv_field(out, text_of(each.part));
        append_csv_field(out, text_of(each.bytes));
        out += '\n';
    }
    return out;
}

std::string json(const Recording& recording) {
    const DroppedRecords& dropped = recording.dropped();
    std::string out = "{\"duration_ns\":" + text_of((recording.end() - recording.start()).count());
    out += ",\n\"dropped\":{\"by_cupti\":" + text_of(dropped.by_cupti) + ",\"by_limit\":" + text_of(dropped.by_limit);
    out += ",\"incomplete\":" + text_of(dropped.incomplete) + "},\n\"notes\":[";
    for (const std::string& each : recording.notes()) {
        if (&each != recording.notes().data()) out += ',';
        append_quoted(out, each);
    }
    out += ']';
    detail::visit_lists(recording.records(), [&](std::string_view name, const auto& records) {
        out.append(",\n\"").append(name).append("\":[");
        for (const auto& each : records) {
            out += &each == records.data() ? "\n" : ",\n";
            detail::append_json(out, recording, each, true);
        }
        out += ']';
    });
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
