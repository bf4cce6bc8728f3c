// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "errors/misuse.hpp"
#include "names.hpp"
#include "platform/quoted_text.hpp"
#include "text.hpp"

namespace CUBIND_NAMESPACE::profile {

using cubind::detail::append_csv_field;
using cubind::detail::exact_text;

namespace detail {
namespace {

using Fields = std::vector<std::string>;

constexpr std::array<std::string_view, 3> head = {"sweep", "device", "driver"};
constexpr std::array<std::string_view, 10> statistics_names = {"median [s]",       "lower [s]",   "upper [s]", "coverage",
                                                               "minimum [s]",      "maximum [s]", "mean [s]",  "samples",
                                                               "calls per sample", "ended by"};
constexpr std::string_view host_name = "host median [s]";
constexpr std::string_view failure_name = "failure";

void append_times(std::string& line, const Measurement& measurement) {
    const Statistics& device = measurement.device;
    for (const Seconds each : {device.median, device.lower, device.upper}) append_csv_field(line, exact_text(each.count()));
    append_csv_field(line, exact_text(device.coverage));
    for (const Seconds each : {device.minimum, device.maximum, device.mean}) append_csv_field(line, exact_text(each.count()));
    append_csv_field(line, std::to_string(device.samples));
    append_csv_field(line, std::to_string(measurement.calls_per_sample));
    append_csv_field(line, name_of(measurement.ended_by));
}

// ---- reading --------------------------------------------------------------------------------------------------------------

// A file of comma-separated values, whose lines all have as many fields as the first one.
class Reader {
public:
    Reader(std::string_view text, const std::string& file) : rest_(text), file_(file) {}

    [[noreturn]] void fail(std::string_view problem) const {
        cubind::detail::throw_misuse("the baseline \"", file_, "\" is damaged: line ", line_, ": ", problem,
                                     "; write it again with SweepResult::write(\"FILE.csv\")");
    }
    bool is_at_end() const noexcept { return rest_.empty(); }

    Fields next() {
        line_ = next_line_;
        Fields fields;
        while (true) {
            fields.push_back(!rest_.empty() && rest_.front() == '"' ? quoted() : plain());
            if (rest_.empty()) fail("it does not end with a newline");
            const char separator = rest_.front();
            rest_.remove_prefix(1);
            if (separator == ',') continue;
            ++next_line_;
            return fields;
        }
    }

private:
    std::string plain() {
        const std::size_t end = std::min(rest_.find_first_of(",\n"), rest_.size());
        std::string field(rest_.substr(0, end));
        if (field.find('"') != std::string::npos) fail("a quote within a field without quotes");
        rest_.remove_prefix(end);
        return field;
    }

    std::string quoted() {
        std::string field;
        rest_.remove_prefix(1);
        while (true) {
            const std::size_t end = rest_.find('"');
            if (end == std::string_view::npos) fail("a quote is not closed");
            for (const char c : rest_.substr(0, end)) next_line_ += c == '\n';
            field += rest_.substr(0, end);
            rest_.remove_prefix(end + 1);
            if (rest_.empty()) fail("it does not end with a newline");
            if (rest_.front() == ',' || rest_.front() == '\n') return field;
            if (rest_.front() != '"') fail("a quote within a field is not doubled");
            field += '"';
            rest_.remove_prefix(1);
        }
    }

    std::string_view rest_;
    const std::string& file_;
    std::size_t line_ = 1;
    std::size_t next_line_ = 1;
};

double number_in(const Fields& fields, std::size_t index, std::string_view name, const Reader& reader) {
    const std::string& text = fields[index];
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number) || number < 0) {
        reader.fail(cubind::detail::concat(name, " is \"", visible(text), "\", not a number of at least 0"));
    }
    return number;
}

// Returns the number of parameters that the header has.
std::size_t parameter_count(const Fields& header, const Reader& reader) {
    std::size_t count = 0;
    while (head.size() + count < header.size() && header[head.size() + count] != statistics_names.front()) ++count;
    const auto matches = [&](std::span<const std::string_view> names, std::size_t at) {
        for (const std::string_view name : names) {
            if (at >= header.size() || header[at++] != name) return false;
        }
        return true;
    };
    if (count == 0 || !matches(head, 0) || !matches(statistics_names, head.size() + count)) {
        reader.fail("the header is not that of a sweep");
    }
    return count;
}

}  // namespace

std::vector<std::string> fixed_csv_names() {
    Fields names(head.begin(), head.end());
    names.insert(names.end(), statistics_names.begin(), statistics_names.end());
    names.emplace_back(host_name);
    names.emplace_back(failure_name);
    return names;
}

Baseline read_baseline(std::string_view text, const std::string& file) {
    Reader reader(text, file);
    if (text.find('\0') != std::string_view::npos) reader.fail("the file has a NUL");
    const Fields header = reader.next();
    const std::size_t parameters = parameter_count(header, reader);
    const std::size_t times = head.size() + parameters;
    Baseline baseline{.sweep = {}, .device = {}, .parameters = {header.begin() + 3, header.begin() + static_cast<long>(times)}};
    std::set<std::string> keys;
    for (bool is_first = true; !reader.is_at_end(); is_first = false) {
        const Fields fields = reader.next();
        if (fields.size() != header.size()) {
            reader.fail(cubind::detail::concat("it has ", fields.size(), " fields, and the header has ", header.size()));
        }
        if (is_first) {
            baseline.sweep = fields[0];
            baseline.device = fields[1];
        } else if (fields[0] != baseline.sweep || fields[1] != baseline.device) {
            reader.fail("it is of another sweep or device than the first line");
        }
        Configuration configuration;
        for (std::size_t i = 0; i < parameters; ++i) configuration.push_back({baseline.parameters[i], fields[head.size() + i]});
        Baseline::Row row{.key = key_of(configuration)};
        if (!keys.insert(row.key).second) reader.fail("the configuration is there twice: " + to_string(configuration));
        if (fields[times].empty()) continue;  // it has failed
        row.median = number_in(fields, times, "the median", reader);
        row.lower = number_in(fields, times + 1, "the lower end", reader);
        row.upper = number_in(fields, times + 2, "the upper end", reader);
        row.coverage = number_in(fields, times + 3, "the coverage", reader);
        if (row.lower > row.median || row.median > row.upper) reader.fail("the median is not within its interval");
        baseline.rows.push_back(std::move(row));
    }
    if (keys.empty()) reader.fail("it has no configuration");
    return baseline;
}

}  // namespace detail

std::string SweepResult::csv() const {
    std::string out;
    const auto append_all = [&](std::span<const std::string_view> names) {
        for (const std::string_view each : names) append_csv_field(out, each);
    };
    append_all(detail::head);
    if (!measurements_.empty()) {
        for (const Setting& each : measurements_.front().configuration) append_csv_field(out, each.name);
    }
    append_all(detail::statistics_names);
    append_csv_field(out, detail::host_name);
    for (const ColumnTitle& each : columns_) append_csv_field(out, each.text());
    append_csv_field(out, detail::failure_name);
    out += '\n';
    for (const Measurement& each : measurements_) {
        append_all(std::array<std::string_view, 3>{name_, device_, driver_});
        for (const Setting& setting : each.configuration) append_csv_field(out, setting.value.text());
        if (each.has_times()) {
            detail::append_times(out, each);
        } else {
            append_all(std::array<std::string_view, detail::statistics_names.size()>{});
        }
        append_csv_field(out, each.host ? exact_text(each.host->median.count()) : "");
        for (const auto& value : each.columns) append_csv_field(out, value ? exact_text(*value) : "");
        append_csv_field(out, each.failure);
        out += '\n';
    }
    return out;
}

}  // namespace CUBIND_NAMESPACE::profile
