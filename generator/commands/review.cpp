// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/review.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <vector>

#include "model/override_keys.hpp"

namespace cubind::gen::commands {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

/// Returns whether the name of a function says that it begins or ends the life of an object.
bool is_named_for_lifetime(const std::string& name) {
    static const char* const verbs[] = {"Create", "Destroy", "Alloc",    "Free",       "Open",   "Close",   "Init",
                                        "Import", "Reserve", "Register", "Unregister", "Retain", "Release", "Finalize"};
    return std::any_of(std::begin(verbs), std::end(verbs), [&](const std::string& verb) {
        const std::size_t at = name.find(verb);
        // A verb that is only the beginning of a word, such as "Alloc" in "Allocation", does not count.
        return at != std::string::npos && std::islower(static_cast<unsigned char>(name.c_str()[at + verb.size()])) == 0;
    });
}

bool is_in_objects(const spec::Overrides& overrides, const std::string& symbol) {
    const auto applies = [&](const auto& lines) { return model::find_longest(lines, symbol) != lines.end(); };
    return std::any_of(overrides.objects.begin(), overrides.objects.end(),
                       [&](const auto& object) { return applies(object.second.begin) || applies(object.second.end); });
}

std::size_t count_handles(const spec::Facts& facts, const spec::Function& function) {
    return static_cast<std::size_t>(
        std::count_if(function.parameters.begin(), function.parameters.end(), [&](const spec::Parameter& parameter) {
            return std::any_of(facts.handles.begin(), facts.handles.end(),
                               [&](const spec::Handle& handle) { return handle.name == parameter.type; });
        }));
}

/// Returns the names of the initial values of the library's records.
std::set<std::string> initialized_fields(const spec::Overrides& overrides) {
    std::set<std::string> names;
    for (const auto& [record, fields] : overrides.initial_values) {
        for (const auto& [field, value] : fields) names.insert(field);
    }
    return names;
}

/// Returns whether each value of an enum is a bit or 0, and there are at least three bits.
bool has_bits_only(const spec::Enum& each) {
    std::set<std::int64_t> bits;
    for (const auto& enumerator : each.enumerators) {
        const std::int64_t value = enumerator.value;
        if (value < 0 || (value & (value - 1)) != 0) return false;
        if (value != 0) bits.insert(value);
    }
    return bits.size() >= 3;
}

}  // namespace

std::string review_text(const MergedLibrary& merged_library, const spec::Overrides& overrides) {
    const spec::Facts& facts = merged_library.merged;
    const std::string& release = merged_library.release();
    const bool is_newest = !merged_library.known.releases.empty() && facts.releases.back() == release;
    if (!is_newest || contains(merged_library.known.releases, release)) return {};
    std::string text;
    const auto add = [&](const std::string& name, const std::string& advice) {
        text += merged_library.config.library + ": " + name + " " + advice + "\n";
    };
    for (const auto& function : facts.functions) {
        if (function.since != release || !function.view.empty()) continue;
        if (is_named_for_lifetime(function.name) && !is_in_objects(overrides, function.name)) {
            add(function.name, "is in no entry of objects; add it if it begins or ends the life of an object");
        }
        const bool is_in_same_context =
            model::find_longest(overrides.same_context, function.name) != overrides.same_context.end();
        if (!overrides.same_context.empty() && !is_in_same_context && count_handles(facts, function) >= 2) {
            add(function.name, "has several handles; add it to same_context if their objects must belong to one context");
        }
    }
    const std::set<std::string> initialized = initialized_fields(overrides);
    for (const auto& record : facts.records) {
        if (record.since != release || overrides.initial_values.contains(record.name)) continue;
        for (const auto& field : record.fields) {
            if (field.offset != 0 || !initialized.contains(field.name)) continue;
            add(record.name,
                "begins with the field " + field.name + ", which has an initial value in other records; see initial_values");
        }
    }
    for (const auto& each : facts.enums) {
        if (each.since == release && has_bits_only(each) && !contains(overrides.bit_sets, each.name)) {
            add(each.name, "has bits only; add it to bit_sets if its enumerators can be combined");
        }
        for (const auto& enumerator : each.enumerators) {
            if (enumerator.since != release) continue;
            for (const auto& [name, config] : overrides.attributes) {
                const bool is_decided =
                    config.annotations.contains(enumerator.name) || contains(config.left_out, enumerator.name);
                if (is_decided || config.prefix.empty() || !enumerator.name.starts_with(config.prefix)) continue;
                add(enumerator.name, "is a number without a unit; if it is not, add it to attributes/" + name);
            }
        }
    }
    return text;
}

}  // namespace cubind::gen::commands
