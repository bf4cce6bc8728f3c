// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/profile/outputs.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "platform/quoted_text.hpp"

namespace CUBIND_NAMESPACE::profile {

using cubind::detail::append_decimal;
using cubind::detail::character_count;

namespace {

constexpr std::size_t min_name_width = 20;

std::string time_text(Nanoseconds time) {
    const auto count = static_cast<double>(time.count());
    if (count < 1e3) return std::to_string(time.count()) + " ns";
    const char* unit = " us";
    double value = count / 1e3;
    if (value >= 1e3) value /= 1e3, unit = " ms";
    if (value >= 1e3) value /= 1e3, unit = " s";
    std::string text;
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

// Returns the text as UTF-8 in one line.
std::string line_of(std::string_view text) {
    std::string line;
    cubind::detail::append_utf8(line, text);
    for (char& each : line) {
        if (static_cast<unsigned char>(each) < 0x20 || each == 0x7f) each = ' ';
    }
    return line;
}

// Shortens a line to at most `max_width` characters; then it ends with "...".
void shorten(std::string& line, std::size_t max_width) {
    if (character_count(line) <= max_width) return;
    std::size_t end = 0;
    for (std::size_t width = 0; width < max_width - 3; ++width)
        end += cubind::detail::utf8_length(std::string_view(line).substr(end));
    line.replace(end, line.npos, "...");
}

std::vector<std::string> cells_of(const Summary& row, bool has_rates) {
    std::vector<std::string> cells = {percent_text(row.part), time_text(row.total),  std::to_string(row.count),
                                      time_text(row.mean),    time_text(row.median), time_text(row.min),
                                      time_text(row.max)};
    if (has_rates) cells.push_back(row.bytes != 0 ? rate_text(row) : "");
    cells.push_back(line_of(row.name));
    return cells;
}

void append_losses(std::string& out, const Recording& recording) {
    const DroppedRecords& dropped = recording.dropped();
    const auto add = [&](std::size_t count, const char* why) {
        if (count == 0) return;
        out.append(std::to_string(count)).append(" records are missing: ").append(why).append("\n");
    };
    add(dropped.by_cupti, "CUPTI had no buffer for them; increase RecorderOptions::max_buffers");
    add(dropped.by_limit, "the recorder had no room for them; increase RecorderOptions::max_records, or call take()");
    add(dropped.incomplete, "their work had not ended; synchronize before the end of the recording");
    for (const std::string& each : recording.notes()) out.append(each).append("\n");
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
    out.append(": ").append(std::to_string(count)).append(" in ").append(time_text(total)).append("\n");
    const bool has_rates = std::ranges::any_of(rows, [](const Summary& each) { return each.bytes != 0; });
    std::vector<std::vector<std::string>> cells = {{"part", "total", "count", "mean", "median", "min", "max"}};
    if (has_rates) cells.front().emplace_back("rate");
    cells.front().emplace_back("name");
    const std::size_t shown = std::min(rows.size(), options.max_rows);
    for (std::size_t row = 0; row < shown; ++row) cells.push_back(cells_of(rows[row], has_rates));
    std::vector<std::string> lines = cubind::detail::aligned(cells, true);
    const std::size_t width = std::max(options.max_width, lines.front().rfind(' ') + 1 + min_name_width);
    for (std::string& each : lines) {
        shorten(each, width);
        out.append(each).append("\n");
    }
    if (shown < rows.size()) out += std::to_string(rows.size() - shown) + " more names\n";
    append_losses(out, recording);
    return out;
}

}  // namespace CUBIND_NAMESPACE::profile
