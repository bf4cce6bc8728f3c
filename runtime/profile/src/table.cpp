// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/profile/outputs.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "platform/quoted_text.hpp"
#include "record_fields.hpp"

namespace CUBIND_NAMESPACE::profile {

using detail::append_decimal;
using detail::append_number;

namespace {

std::string time_text(Nanoseconds time) {
    const auto count = static_cast<double>(time.count());
    std::string text;
    if (count < 1e3) {
        append_number(text, time.count());
        return text + " ns";
    }
    const char* unit = " us";
    double value = count / 1e3;
    if (value >= 1e3) value /= 1e3, unit = " ms";
    if (value >= 1e3) value /= 1e3, unit = " s";
    append_decimal(text, value, 3);
    return text + unit;
}

std::string percent_text(double part) {
    std::string text;
    append_decimal(text, part * 100, 1);
    return text + " %";
}

std::string rate_text(const Summary& row) {
    std::string text;
    const auto time = static_cast<double>(row.total.count());
    append_decimal(text, time == 0 ? 0 : static_cast<double>(row.bytes) / time, 2);  // bytes a nanosecond
    return text + " GB/s";
}

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char each) { return (each & 0xc0) != 0x80; }));
}

// Returns the text in one line of at most `max_width` characters; a shortened one ends with "...".
std::string shortened(std::string_view text, std::size_t max_width) {
    std::string line;
    detail::append_utf8(line, text);
    for (char& each : line) {
        if (static_cast<unsigned char>(each) < 0x20 || each == 0x7f) each = ' ';
    }
    if (width_of(line) <= max_width) return line;
    std::size_t end = 0;
    for (std::size_t width = 0; width < max_width - 3; ++width)
        end += cubind::detail::utf8_length(std::string_view(line).substr(end));
    return line.substr(0, end) + "...";
}

constexpr std::array<std::string_view, 8> heads = {"part", "total", "count", "mean", "median", "min", "max", "rate"};
using Cells = std::array<std::string, heads.size() + 1>;  // the last one is the name

Cells cells_of(const Summary& row) {
    return {percent_text(row.part), time_text(row.total), std::to_string(row.count), time_text(row.mean),
            time_text(row.median),  time_text(row.min),   time_text(row.max),        row.bytes != 0 ? rate_text(row) : "",
            std::string(row.name)};
}

void append_losses(std::string& out, const Recording& recording) {
    const DroppedRecords& dropped = recording.dropped();
    const auto add = [&](std::size_t count, const char* why) {
        if (count == 0) return;
        append_number(out, count);
        out.append(" records are missing: ").append(why).append("\n");
    };
    add(dropped.by_cupti, "CUPTI had no buffer for them; increase RecorderOptions::max_buffers");
    add(dropped.by_limit, "the recorder had no room for them; increase RecorderOptions::max_records, or call take()");
    add(dropped.incomplete, "their work had not ended; synchronize before the end of the recording");
    for (const std::string& each : recording.notes()) out.append(each).append("\n");
}

void append_row(std::string& out, const Cells& cells, const std::array<std::size_t, heads.size()>& widths,
                std::size_t name_width) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
        if (widths[i] == 0) continue;
        out.append(widths[i] - cells[i].size(), ' ').append(cells[i]).append("  ");
    }
    out.append(shortened(cells.back(), name_width)).append("\n");
}

}  // namespace

std::string table(const Recording& recording, Subject subject, const TableOptions& options) {
    const std::vector<Summary> rows = recording.summary(subject);
    std::string out(to_string(subject));
    Nanoseconds total{};
    std::size_t count = 0;
    for (const Summary& each : rows) total += each.total, count += each.count;
    if (rows.empty()) {
        out += ": none was recorded\n";
        append_losses(out, recording);
        return out;
    }
    out += ": ";
    append_number(out, count);
    out.append(" in ").append(time_text(total)).append("\n");
    const bool has_bytes = std::ranges::any_of(rows, [](const Summary& each) { return each.bytes != 0; });
    const std::size_t shown = std::min(rows.size(), options.max_rows);
    std::vector<Cells> lines;
    std::array<std::size_t, heads.size()> widths{};
    for (std::size_t i = 0; i < heads.size(); ++i) widths[i] = heads[i].size();
    if (!has_bytes) widths.back() = 0;
    for (std::size_t row = 0; row < shown; ++row) {
        lines.push_back(cells_of(rows[row]));
        for (std::size_t i = 0; i < heads.size(); ++i) {
            if (widths[i] != 0) widths[i] = std::max(widths[i], lines.back()[i].size());
        }
    }
    std::size_t used = 0;
    for (const std::size_t each : widths) used += each == 0 ? 0 : each + 2;
    const std::size_t name_width = std::max<std::size_t>(20, options.max_width > used ? options.max_width - used : 0);
    Cells head;
    std::ranges::copy(heads, head.begin());
    head.back() = "name";
    append_row(out, head, widths, name_width);
    for (const Cells& each : lines) append_row(out, each, widths, name_width);
    if (shown < rows.size()) {
        append_number(out, rows.size() - shown);
        out += " more names\n";
    }
    append_losses(out, recording);
    return out;
}

}  // namespace CUBIND_NAMESPACE::profile
