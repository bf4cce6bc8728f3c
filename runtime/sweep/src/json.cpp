// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/sweep/sweep_result.hpp>

#include <string_view>

#include "names.hpp"
#include "platform/quoted_text.hpp"
#include "text.hpp"

namespace CUBIND_NAMESPACE::profile {

namespace {

void append_key(std::string& out, std::string_view key) {
    if (out.back() != '{') out += ',';
    cubind::detail::append_quoted(out, key);
    out += ':';
}

void append(std::string& out, std::string_view key, double number) {
    append_key(out, key);
    out += cubind::detail::exact_text(number);
}

void append(std::string& out, std::string_view key, std::string_view text) {
    append_key(out, key);
    cubind::detail::append_quoted(out, text);
}

void append(std::string& out, std::string_view key, const Statistics& times) {
    append_key(out, key);
    out += '{';
    append(out, "median", times.median.count());
    append(out, "lower", times.lower.count());
    append(out, "upper", times.upper.count());
    append(out, "coverage", times.coverage);
    append(out, "minimum", times.minimum.count());
    append(out, "maximum", times.maximum.count());
    append(out, "mean", times.mean.count());
    append(out, "samples", static_cast<double>(times.samples));
    out += '}';
}

void append(std::string& out, const Measurement& measurement) {
    out += '{';
    append_key(out, "values");
    out += '[';
    for (const Setting& each : measurement.configuration) {
        if (out.back() != '[') out += ',';
        each.value.is_number() ? void(out += each.value.text()) : cubind::detail::append_quoted(out, each.value.text());
    }
    out += ']';
    if (measurement.has_times()) {
        append(out, "device", measurement.device);
        if (measurement.host) append(out, "host", *measurement.host);
        append(out, "calls_per_sample", static_cast<double>(measurement.calls_per_sample));
    } else {
        append(out, "failure", measurement.failure);
    }
    append(out, "ended_by", detail::name_of(measurement.ended_by));
    append_key(out, "columns");
    out += '[';
    for (const auto& each : measurement.columns) {
        if (out.back() != '[') out += ',';
        out += each ? cubind::detail::exact_text(*each) : "null";
    }
    out += ']';
    if (measurement.verdict) {
        append(out, "verdict", detail::name_of(*measurement.verdict));
        append(out, "baseline_ratio", measurement.baseline_ratio);
    }
    out += '}';
}

}  // namespace

std::string SweepResult::json() const {
    std::string out = "{";
    append(out, "sweep", name_);
    append(out, "device", device_);
    append(out, "driver", driver_);
    append_key(out, "parameters");
    out += '[';
    if (!measurements_.empty()) {
        for (const Setting& each : measurements_.front().configuration) {
            if (out.back() != '[') out += ',';
            cubind::detail::append_quoted(out, each.name);
        }
    }
    out += ']';
    append_key(out, "columns");
    out += '[';
    for (const ColumnTitle& each : columns_) {
        out += out.back() == '[' ? "{" : ",{";
        append(out, "name", each.name);
        append(out, "unit", each.unit);
        out += '}';
    }
    out += ']';
    if (!baseline_.empty()) append(out, "baseline", baseline_);
    append_key(out, "measurements");
    out += '[';
    for (const Measurement& each : measurements_) {
        out += out.back() == '[' ? "\n" : ",\n";
        append(out, each);
    }
    return out += "\n]}\n";
}

}  // namespace CUBIND_NAMESPACE::profile
