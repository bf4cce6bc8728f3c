// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/core/device/context.hpp>
#include <cubind/core/device/device.hpp>
#include <cubind/core/stream/stream.hpp>
#include <cubind/driver/version.hpp>
#include <cubind/error.hpp>
#include <cubind/sweep/sweep.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <set>

#include "calls/driver.hpp"
#include "csv.hpp"
#include "platform/quoted_text.hpp"
#include "sampler.hpp"
#include "statistics.hpp"
#include "text.hpp"

namespace CUBIND_NAMESPACE::profile::detail {
namespace {

using cubind::detail::throw_misuse;

void check(const SweepOptions& options) {
    if (!(options.spread >= 0))
        throw_misuse("the spread of a sweep is ", cubind::detail::exact_text(options.spread), "; pass 0.02 for 2 %");
    if (!(options.confidence > 0 && options.confidence <= 0.999999)) {
        throw_misuse("the confidence of a sweep is ", cubind::detail::exact_text(options.confidence),
                     "; pass a probability such as 0.95, at most 0.999999");
    }
    if (const std::size_t least = required_samples(options.confidence); options.min_repeats < least) {
        throw_misuse("min_repeats of a sweep is ", options.min_repeats, ", but an interval with a confidence of ",
                     cubind::detail::exact_text(options.confidence), " needs ", least, " samples");
    }
    if (options.max_repeats < options.min_repeats) {
        throw_misuse("max_repeats of a sweep is ", options.max_repeats, ", less than min_repeats, ", options.min_repeats);
    }
    if (options.time_limit.count() < 0 || options.batch_time.count() < 0) throw_misuse("a time of SweepOptions is negative");
    if (options.flush_l2 && options.calls_per_sample > 1) {
        throw_misuse("a sweep with flush_l2 takes one call per sample, but calls_per_sample is ", options.calls_per_sample);
    }
}

// A derived column of the result.
struct ResolvedColumn {
    ColumnTitle title;
    std::function<double(const Case&, const Measurement&)> value;
};

std::vector<ResolvedColumn> resolve(const std::vector<Column>& columns, double peak) {
    std::vector<ResolvedColumn> resolved;
    const auto per_nanosecond = [](const Column& column, double scale) {
        return [function = column.function(), scale](const Case& c, const Measurement& m) {
            return function(c, m) / m.device.median.count() * scale;
        };
    };
    for (const Column& column : columns) {
        if (!column.function()) throw_misuse("the column \"", column.title().text(), "\" of a sweep has no function");
        if (column.kind() == Column::Kind::value) {
            resolved.push_back({column.title(), column.function()});
            continue;
        }
        resolved.push_back({column.title(), per_nanosecond(column, 1e-9)});
        if (column.kind() == Column::Kind::bytes) {
            resolved.push_back({{"of computed peak", "%"}, per_nanosecond(column, 100 / peak)});  // not finite without a peak
        }
    }
    return resolved;
}

void check_names(const std::vector<ColumnTitle>& titles, const Configuration& parameters) {
    std::vector<std::string> names = fixed_csv_names();
    for (const Setting& each : parameters) names.push_back(each.name);
    for (const ColumnTitle& each : titles) {
        if (each.name.empty()) throw_misuse("a derived column of a sweep has no name");
        names.push_back(each.text());
    }
    std::sort(names.begin(), names.end());
    if (const auto twice = std::adjacent_find(names.begin(), names.end()); twice != names.end()) {
        throw_misuse("two columns of the sweep have the name \"", *twice, "\"; rename a parameter or a derived column");
    }
}

void fill_columns(const std::vector<ResolvedColumn>& columns, const Case& c, Measurement& measurement) {
    for (const ResolvedColumn& column : columns) {
        std::optional<double> value;
        if (measurement.has_times()) {
            try {
                value = column.value(c, measurement);
            } catch (const std::exception&) {
                value.reset();
            }
        }
        if (value && !std::isfinite(*value)) value.reset();
        measurement.columns.push_back(value);
    }
}

// Returns the failure of a configuration. Waits for what it has submitted, so that the next one is not delayed. Sets `is_lost` if
// no other one can be measured.
Measurement failed(const Case& c, StreamRef stream, bool& is_lost) {
    Measurement result{.configuration = c.configuration()};
    const auto describe = [&](const auto& action) {
        try {
            action();
        } catch (const Error& error) {
            is_lost |= error.is_sticky();
            if (result.failure.empty()) result.failure = error.what();
        } catch (const std::exception& error) {
            if (result.failure.empty()) result.failure = error.what();
        } catch (...) {
            result.failure = "an exception that is not derived from std::exception";
        }
        if (result.failure.empty()) result.failure = "an exception without a message";
    };
    describe([] { throw; });
    describe([&] { end_open_capture(stream); });
    describe([&] { stream.synchronize(); });
    return result;
}

Measurement not_measured(const Configuration& configuration, const Configuration& cause, bool is_lost) {
    Measurement result{.configuration = configuration};
    result.failure =
        cubind::detail::concat("not measured, because ", to_string(cause), is_lost ? " has lost the context" : " failed");
    return result;
}

std::string version_text(int version) {
    return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

// Returns the key of the configuration with the values of the reference.
std::string reference_of(Configuration configuration, const Configuration& reference) {
    for (const Setting& value : reference) {
        const auto found = std::find_if(configuration.begin(), configuration.end(),
                                        [&](const Setting& each) { return each.name == value.name; });
        if (found == configuration.end()) {
            throw_misuse("normalize_against names the parameter \"", value.name,
                         "\", which the sweep does not have; its parameters: ", to_string(configuration));
        }
        found->value = value.value;
    }
    return key_of(configuration);
}

void check_reference(const std::vector<Configuration>& configurations, const Configuration& reference) {
    std::set<std::string> keys;
    for (const Configuration& each : configurations) keys.insert(key_of(each));
    for (const Configuration& each : configurations) {
        if (keys.contains(reference_of(each, reference))) return;
    }
    throw_misuse("normalize_against is ", to_string(reference), ", but the sweep has no configuration with these values");
}

// Fills the column that compares configurations with the reference.
void normalize(std::vector<Measurement>& measurements, const Configuration& reference) {
    std::map<std::string, double> medians;
    for (const Measurement& each : measurements) {
        if (each.has_times()) medians[key_of(each.configuration)] = each.device.median.count();
    }
    for (Measurement& each : measurements) {
        std::optional<double> ratio;
        const auto found = medians.find(reference_of(each.configuration, reference));
        if (each.has_times() && found != medians.end()) ratio = found->second / each.device.median.count();
        if (ratio && !std::isfinite(*ratio)) ratio.reset();
        each.columns.push_back(ratio);
    }
}

// Makes the caller's context current again.
struct RestoredContext {
    ContextRef before = ContextRef::current();

    RestoredContext() = default;
    RestoredContext(const RestoredContext&) = delete;
    RestoredContext& operator=(const RestoredContext&) = delete;
    ~RestoredContext() {
        try {
            before.set_current();
        } catch (const std::exception& error) {
            cubind::detail::report_cleanup_failure("make the context from before a sweep current", error.what());
        }
    }
};

}  // namespace

SweepResult sweep(const SweepOptions& options, const Configurations& configurations,
                  const std::function<void(const Case&)>& function, const std::vector<Column>& columns) {
    check(options);
    const std::vector<Configuration>& all = configurations.all();
    if (!options.normalize_against.empty()) check_reference(all, options.normalize_against);
    const RestoredContext restored;
    Stream own;
    if (!options.stream) own = Stream(Device());
    const StreamRef stream = options.stream ? *options.stream : StreamRef(own);
    if (stream.is_capturing()) throw_misuse("the stream of a sweep is being captured; end the capture first");
    const Device device = stream.device();
    const std::vector<ResolvedColumn> resolved = resolve(columns, computed_peak_bandwidth(device));
    std::vector<ColumnTitle> titles;
    for (const ResolvedColumn& each : resolved) titles.push_back(each.title);
    if (!options.normalize_against.empty()) titles.push_back({"times as fast as " + to_string(options.normalize_against), ""});
    check_names(titles, all.front());

    const ContextRef context = stream.context();
    context.set_current();
    const Sampler sampler(options, stream);
    std::vector<Measurement> measurements;
    const Configuration* cause = nullptr;
    bool is_lost = false;
    for (const Configuration& configuration : all) {
        const Case c(stream, configuration);
        if (cause != nullptr) {
            measurements.push_back(not_measured(configuration, *cause, is_lost));
        } else {
            try {
                measurements.push_back(sampler.measure(c, function));
            } catch (...) {
                measurements.push_back(failed(c, stream, is_lost));
                if (is_lost || options.stop_at_failure) cause = &configuration;
            }
            if (!is_lost) context.set_current();
        }
        fill_columns(resolved, c, measurements.back());
        if (options.on_measured) options.on_measured(measurements.back());
    }
    if (!options.normalize_against.empty()) normalize(measurements, options.normalize_against);
    return SweepResult(options.name, device.name(), version_text(cubind::check(driver::cuDriverGetVersion())), std::move(titles),
                       std::move(measurements));
}

}  // namespace CUBIND_NAMESPACE::profile::detail
