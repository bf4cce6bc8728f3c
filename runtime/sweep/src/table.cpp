// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include <algorithm>
#include <cmath>

#include "errors/misuse.hpp"
#include "names.hpp"
#include "platform/quoted_text.hpp"
#include "text.hpp"

namespace CUBIND_NAMESPACE::profile {

namespace detail {
namespace {

using cubind::detail::concat;

Cell time_cell(Seconds time) {
    return {time_text(time.count()), time.count()};
}

// "2.31 to 2.35 us": both ends in the unit of the upper one.
Cell interval_cell(const Statistics& times) {
    const TimeUnit unit = unit_of(times.upper.count());
    return {concat(rounded(times.lower.count() * unit.per_second), " to ", rounded(times.upper.count() * unit.per_second), " ",
                   unit.name),
            (times.upper - times.lower).count()};
}

Cell samples_cell(const Measurement& measurement) {
    std::string text = concat("", measurement.device.samples, " x ", measurement.calls_per_sample);
    if (measurement.ended_by == EndedBy::repeats) text += ", limit";
    if (measurement.ended_by == EndedBy::time) text += ", time limit";
    return {std::move(text), static_cast<double>(measurement.device.samples)};
}

Cell verdict_cell(const Measurement& measurement) {
    if (!measurement.verdict) return {};
    if (measurement.baseline_ratio == 0) return {name_of(*measurement.verdict)};
    const double change = measurement.baseline_ratio - 1;
    return {concat(change < 0 ? "" : "+", percent(change), " ", name_of(*measurement.verdict)), measurement.baseline_ratio};
}

std::vector<Cell> row_of(const SweepResult& result, const Measurement& each, bool has_host) {
    std::vector<Cell> row;
    for (const Setting& setting : each.configuration) {
        row.push_back({setting.value.text(), setting.value.is_number() ? std::optional(setting.value.number()) : std::nullopt});
    }
    if (each.has_times()) {
        const double spread = each.device.spread();
        row.insert(row.end(), {time_cell(each.device.median), interval_cell(each.device),
                               Cell{std::isfinite(spread) ? percent(spread) : "-", spread}, samples_cell(each)});
    } else {
        row.insert(row.end(), {Cell{"failed"}, Cell{}, Cell{}, Cell{}});
    }
    if (has_host) row.push_back(each.host ? time_cell(each.host->median) : Cell{});
    for (const auto& value : each.columns) row.push_back(value ? Cell{rounded(*value), *value} : Cell{"-"});
    if (!result.baseline().empty()) row.push_back(verdict_cell(each));
    return row;
}

}  // namespace

Table table_of(const SweepResult& result) {
    Table table;
    const std::vector<Measurement>& all = result.measurements();
    if (all.empty()) return table;
    const bool has_host = std::any_of(all.begin(), all.end(), [](const Measurement& each) { return each.host.has_value(); });
    for (const Setting& each : all.front().configuration) table.titles.push_back(each.name);
    table.titles.insert(table.titles.end(), {"median", "interval", "spread", "samples"});
    if (has_host) table.titles.emplace_back("host median");
    for (const ColumnTitle& each : result.columns()) table.titles.push_back(each.text());
    if (!result.baseline().empty()) table.titles.emplace_back("against baseline");
    for (const Measurement& each : all) table.rows.push_back(row_of(result, each, has_host));
    return table;
}

std::vector<std::string> summary_of(const SweepResult& result) {
    const std::vector<Measurement>& all = result.measurements();
    const auto count = [&](auto condition) { return std::count_if(all.begin(), all.end(), condition); };
    const auto failed = count([](const Measurement& each) { return !each.has_times(); });
    const auto wide = count([](const Measurement& each) { return each.has_times() && each.ended_by != EndedBy::spread; });
    std::string configurations = concat("", all.size(), all.size() == 1 ? " configuration" : " configurations");
    if (failed > 0) configurations += concat(", ", failed, " failed");
    if (wide > 0) configurations += concat(", ", wide, " without the wanted spread");
    std::vector<std::string> lines = {concat(visible(result.device()), ", driver ", visible(result.driver())), configurations};
    if (result.baseline().empty()) return lines;
    std::string comparison =
        concat("compared with ", visible(result.baseline()), ", threshold ", percent(result.threshold()), ":");
    for (const Verdict verdict : {Verdict::slower, Verdict::faster, Verdict::same, Verdict::uncertain, Verdict::unmatched}) {
        const auto matching = count([&](const Measurement& each) { return each.verdict == verdict; });
        if (matching > 0) comparison += concat(" ", matching, " ", name_of(verdict), ",");
    }
    comparison.pop_back();
    if (result.missing_configurations() > 0) {
        comparison += concat("; ", result.missing_configurations(), " of the baseline were not measured");
    }
    lines.push_back(std::move(comparison));
    return lines;
}

}  // namespace detail

std::string SweepResult::text() const {
    const detail::Table table = detail::table_of(*this);
    std::vector<std::vector<std::string>> rows(1 + table.rows.size());
    for (const std::string& each : table.titles) rows[0].push_back(detail::visible(each));
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        for (const detail::Cell& each : table.rows[i]) rows[i + 1].push_back(detail::visible(each.text));
    }
    std::string out = detail::visible(name_) + '\n';
    for (const std::string& each : cubind::detail::aligned(rows, false)) out += each + '\n';
    for (const std::string& each : detail::summary_of(*this)) out += each + '\n';
    for (const Measurement& each : measurements_) {
        if (!each.has_times()) out += "failed: " + to_string(each.configuration) + ": " + each.failure + '\n';
    }
    return out;
}

}  // namespace CUBIND_NAMESPACE::profile
