// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cubind/sweep/sweep_configuration.hpp>

#include <algorithm>
#include <cmath>
#include <set>

#include "errors/misuse.hpp"
#include "platform/quoted_text.hpp"
#include "text.hpp"

namespace CUBIND_NAMESPACE::profile {

using cubind::detail::throw_misuse;

// ---- values ---------------------------------------------------------------------------------------------------------------

Value::Value(const char* text) {
    if (text == nullptr) throw_misuse("a value of a sweep is a null pointer; pass a text, an integer or a double");
    value_ = std::string(text);
}

double Value::check_finite(double number) {
    if (!std::isfinite(number))
        throw_misuse("a value of a sweep is ", cubind::detail::exact_text(number), "; pass a finite number");
    return number;
}

void Value::refuse_large() {
    throw_misuse("a value of a sweep is an integer of more than 63 bits; pass a smaller one, or a text");
}

double Value::number() const {
    if (const auto* const integer = std::get_if<std::int64_t>(&value_)) return static_cast<double>(*integer);
    if (const auto* const number = std::get_if<double>(&value_)) return *number;
    throw_misuse("the value \"", std::get<std::string>(value_), "\" of a sweep is a text, not a number");
}

std::string Value::text() const {
    if (const auto* const integer = std::get_if<std::int64_t>(&value_)) return std::to_string(*integer);
    if (const auto* const number = std::get_if<double>(&value_)) return cubind::detail::exact_text(*number);
    return std::get<std::string>(value_);
}

std::int64_t Value::integer(std::int64_t minimum, std::uint64_t maximum) const {
    std::int64_t integer = 0;
    if (const auto* const stored = std::get_if<std::int64_t>(&value_)) {
        integer = *stored;
    } else {
        const double exactly = number();
        if (exactly != std::floor(exactly) || std::abs(exactly) >= 0x1p63) {
            throw_misuse("the value ", text(), " of a sweep is not an integer; read it as a double");
        }
        integer = static_cast<std::int64_t>(exactly);
    }
    if (std::cmp_less(integer, minimum) || std::cmp_greater(integer, maximum)) {
        throw_misuse("the value ", integer, " of a sweep does not fit into the integer type that reads it, which holds ", minimum,
                     " to ", maximum);
    }
    return integer;
}

// ---- configurations -------------------------------------------------------------------------------------------------------

namespace {

void check_names(const Configuration& configuration) {
    for (auto each = configuration.begin(); each != configuration.end(); ++each) {
        if (each->name.empty()) throw_misuse("a parameter of a sweep has no name");
        if (std::any_of(configuration.begin(), each, [&](const Setting& other) { return other.name == each->name; })) {
            throw_misuse("two parameters of a sweep have the name \"", each->name, "\"");
        }
    }
}

// Returns the settings in the order of `names`.
Configuration sorted_like(const Configuration& names, const Configuration& configuration) {
    Configuration sorted;
    for (const Setting& name : names) {
        const auto found =
            std::find_if(configuration.begin(), configuration.end(), [&](const Setting& each) { return each.name == name.name; });
        if (found != configuration.end()) sorted.push_back(*found);
    }
    if (sorted.size() != names.size() || configuration.size() != names.size()) {
        throw_misuse("the configuration ", to_string(configuration), " does not have exactly the parameters of the first one, ",
                     to_string(names));
    }
    return sorted;
}

void check_unique(const std::vector<Configuration>& configurations) {
    std::set<std::string> keys;
    for (const Configuration& each : configurations) {
        if (!keys.insert(detail::key_of(each)).second) throw_misuse("a sweep has the configuration ", to_string(each), " twice");
    }
}

}  // namespace

std::string to_string(const Configuration& configuration) {
    std::string text;
    for (const Setting& each : configuration) text += (text.empty() ? "" : ", ") + each.name + '=' + each.value.text();
    return detail::visible(text);
}

Configurations::Configurations(std::initializer_list<Parameter> parameters)
    : Configurations(std::vector<Parameter>(parameters)) {}

Configurations::Configurations(const std::vector<Parameter>& parameters) : all_(1) {
    if (parameters.empty()) throw_misuse("a sweep has no parameter; pass at least one, such as {{\"n\", {1024, 4096}}}");
    std::size_t count = 1;
    for (const Parameter& each : parameters) {
        if (each.values.empty()) throw_misuse("the parameter \"", each.name, "\" of a sweep has no value");
        if (count > max_count / each.values.size()) {
            throw_misuse("a sweep has more than ", max_count, " configurations, beginning with the parameter \"", each.name,
                         "\"; pass fewer values, or Configurations::list()");
        }
        count *= each.values.size();
    }
    for (const Parameter& parameter : parameters) {
        std::vector<Configuration> extended;
        extended.reserve(all_.size() * parameter.values.size());
        for (const Configuration& each : all_) {
            for (const Value& value : parameter.values) {
                extended.push_back(each);
                extended.back().push_back({parameter.name, value});
            }
        }
        all_ = std::move(extended);
    }
    check_names(all_.front());
    check_unique(all_);
}

Configurations Configurations::list(std::vector<Configuration> configurations) {
    if (configurations.empty() || configurations.front().empty()) {
        throw_misuse("a sweep has no configuration, or one without parameters");
    }
    if (configurations.size() > max_count) {
        throw_misuse("a sweep has ", configurations.size(), " configurations; pass at most ", max_count);
    }
    check_names(configurations.front());
    for (Configuration& each : configurations) each = sorted_like(configurations.front(), each);
    check_unique(configurations);
    Configurations result;
    result.all_ = std::move(configurations);
    return result;
}

const Value& Case::operator[](std::string_view parameter) const {
    for (const Setting& each : *configuration_) {
        if (each.name == parameter) return each.value;
    }
    throw_misuse("a sweep has no parameter \"", parameter, "\"; the configuration is ", to_string(*configuration_));
}

}  // namespace CUBIND_NAMESPACE::profile
