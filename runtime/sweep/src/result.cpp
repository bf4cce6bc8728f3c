// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/sweep/sweep_result.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>

#include "csv.hpp"
#include "errors/misuse.hpp"
#include "files/replacement_file.hpp"
#include "files/whole_file.hpp"
#include "platform/quoted_text.hpp"
#include "text.hpp"

namespace CUBIND_NAMESPACE::profile {

using cubind::detail::throw_misuse;

namespace {

// An interval of few samples says little, and all configurations would be the same.
constexpr double least_coverage = 0.9;

Verdict verdict_of(const Statistics& now, const detail::Baseline::Row& before, double threshold) {
    const double median = now.median.count();
    if (now.coverage < least_coverage || before.coverage < least_coverage) return Verdict::uncertain;
    if (now.lower.count() > before.upper && median > before.median * (1 + threshold)) return Verdict::slower;
    if (now.upper.count() < before.lower && median < before.median * (1 - threshold)) return Verdict::faster;
    return Verdict::same;
}

bool has_all(const Configuration& configuration, const Configuration& values) {
    return std::all_of(values.begin(), values.end(), [&](const Setting& value) {
        return std::find(configuration.begin(), configuration.end(), value) != configuration.end();
    });
}

}  // namespace

std::string ColumnTitle::text() const {
    return unit.empty() ? name : name + " [" + unit + ']';
}

SweepResult::SweepResult(std::string name, std::string device, std::string driver, std::vector<ColumnTitle> columns,
                         std::vector<Measurement> measurements)
    : name_(std::move(name)),
      device_(std::move(device)),
      driver_(std::move(driver)),
      columns_(std::move(columns)),
      measurements_(std::move(measurements)) {
    for (const Measurement& each : measurements_) {
        if (each.columns.size() != columns_.size()) {
            throw_misuse("the configuration ", to_string(each.configuration), " has ", each.columns.size(),
                         " derived values, and the sweep has ", columns_.size(), " derived columns");
        }
    }
}

const Measurement& SweepResult::at(const Configuration& values) const {
    const Measurement* found = nullptr;
    for (const Measurement& each : measurements_) {
        if (!has_all(each.configuration, values)) continue;
        if (found != nullptr) throw_misuse("the sweep \"", name_, "\" has several configurations with ", to_string(values));
        found = &each;
    }
    if (found == nullptr) throw_misuse("the sweep \"", name_, "\" has no configuration with ", to_string(values));
    return *found;
}

SweepResult& SweepResult::compare(const std::string& file, double threshold) {
    if (!(threshold >= 0))
        throw_misuse("the threshold of a comparison is ", cubind::detail::exact_text(threshold), "; pass 0.05 for 5 %");
    const detail::Baseline baseline = detail::read_baseline(cubind::detail::read_whole_file(file, "SweepResult::compare"), file);
    const auto refuse = [&](std::string_view what, const std::string& theirs, const std::string& ours, std::string_view advice) {
        throw_misuse("the baseline \"", file, "\" is of the ", what, " \"", detail::visible(theirs), "\", not \"",
                     detail::visible(ours), "\"; ", advice);
    };
    if (baseline.sweep != name_) refuse("sweep", baseline.sweep, name_, "pass the file of the same sweep");
    if (baseline.device != device_) {
        refuse("device", baseline.device, device_,
               "times of different devices are not compared: write a baseline on this device");
    }
    std::vector<std::string> parameters;
    if (!measurements_.empty()) {
        for (const Setting& each : measurements_.front().configuration) parameters.push_back(each.name);
    }
    if (baseline.parameters != parameters) {
        throw_misuse("the baseline \"", file, "\" has other parameters than the sweep \"", detail::visible(name_),
                     "\": write a new baseline");
    }
    std::map<std::string_view, const detail::Baseline::Row*> rows;
    for (const detail::Baseline::Row& each : baseline.rows) rows[each.key] = &each;
    for (Measurement& each : measurements_) {
        const auto row = rows.find(detail::key_of(each.configuration));
        const bool is_matched = row != rows.end() && each.has_times();
        each.verdict = is_matched ? verdict_of(each.device, *row->second, threshold) : Verdict::unmatched;
        const double ratio = is_matched ? each.device.median.count() / row->second->median : 0;
        each.baseline_ratio = std::isfinite(ratio) ? ratio : 0;
        if (row != rows.end()) rows.erase(row);
    }
    missing_ = rows.size();
    baseline_ = file;
    threshold_ = threshold;
    return *this;
}

int SweepResult::exit_status() const noexcept {
    const auto any = [&](auto condition) { return std::any_of(measurements_.begin(), measurements_.end(), condition); };
    if (any([](const Measurement& each) { return !each.has_times(); })) return 2;
    return any([](const Measurement& each) { return each.verdict == Verdict::slower; }) ? 1 : 0;
}

void SweepResult::write(const std::string& file) const {
    using Output = std::string (SweepResult::*)() const;
    constexpr std::pair<std::string_view, Output> outputs[] = {
        {".txt", &SweepResult::text}, {".csv", &SweepResult::csv}, {".json", &SweepResult::json}, {".html", &SweepResult::html}};
    for (const auto& [ending, output] : outputs) {
        if (!file.ends_with(ending)) continue;
        const std::string content = (this->*output)();
        return cubind::detail::replace_file(file, std::as_bytes(std::span(content)), "SweepResult::write");
    }
    throw_misuse("SweepResult::write cannot tell the format of \"", file, "\"; end the name with .txt, .csv, .json or .html");
}

}  // namespace CUBIND_NAMESPACE::profile
