// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include "error.hpp"
#include "model/keywords.hpp"
#include "model/passes/passes.hpp"
#include "spec/release.hpp"

namespace cubind::gen::model {
namespace {

bool is_upper(char c) {
    return std::isupper(static_cast<unsigned char>(c)) != 0;
}
bool is_name_part(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Converts `text` to lower case and inserts `separator` before each upper-case letter except a leading one.
std::string to_lower_case(const std::string& text, const std::string& separator = "") {
    std::string result;
    for (const char c : text) {
        if (is_upper(c) && !result.empty()) result += separator;
        result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return result;
}

/// Returns whether `name` is valid for an accessor. Generated classes reserve names that end in _.
bool is_accessor_name(const std::string& name) {
    return !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) != 0 && name.back() != '_' &&
           !is_keyword(name) && name != "attribute";
}

/// Returns the default description of an accessor, which is its name as words.
std::string describe_by_name(const std::string& name, bool is_yes_or_no) {
    std::string text = is_yes_or_no ? "Yes or no: " + name : name;
    std::replace(text.begin(), text.end(), '_', ' ');
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

/// Throws InputError if the text cannot be a comment of one line.
void check_text(const std::string& text, const std::string& place) {
    const bool breaks_line = std::any_of(text.begin(), text.end(),
                                         [](char c) { return c == '\\' || std::iscntrl(static_cast<unsigned char>(c)) != 0; });
    if (breaks_line) throw InputError(place + ": the text holds a backslash, newline or other control character; remove it");
    if (text.ends_with('.'))
        throw InputError(place + ": the text ends with a full stop, which is added automatically; remove it");
}

void check_annotation(const spec::AttributeAnnotation& annotation, const std::string& place) {
    if (annotation.yes_or_no && !annotation.unit.empty()) {
        throw InputError(place + ": the entry has both yes_or_no and a unit; remove one of them");
    }
    if (!annotation.yes_or_no && annotation.unit.empty() && annotation.description.empty()) {
        throw InputError(place + ": the entry has no annotation; remove the line");
    }
    check_text(annotation.unit, place + "/unit");
    check_text(annotation.description, place + "/description");
}

const spec::Enum& find_enum(const Model& model, const std::string& name, const std::string& place) {
    for (const auto& entry : model.facts.enums) {
        if (name == name_of_enum(model, entry.name)) return entry;
    }
    throw InputError(place + ": there is no enum " + name + "; remove the entry or correct the name");
}

void check_class(const Model& model, const std::string& name, const std::string& place) {
    if (name.empty() || !is_upper(name.front()) || !std::all_of(name.begin(), name.end(), is_name_part)) {
        throw InputError(place + ": \"" + name + "\" is not a valid class name; write one such as DeviceAttributes");
    }
    const bool is_used = std::any_of(model.attribute_classes.begin(), model.attribute_classes.end(),
                                     [&](const AttributeClass& each) { return each.name == name; });
    if (is_used || model.types.contains(name)) {
        throw InputError(place + ": " + name + " is already the name of another type; choose another name");
    }
}

bool has(const std::vector<const spec::Enumerator*>& enumerators, const std::string& name) {
    return std::any_of(enumerators.begin(), enumerators.end(), [&](const spec::Enumerator* each) { return each->name == name; });
}

/// Returns the enumerators that have an accessor.
std::vector<const spec::Enumerator*> enumerators_with_accessor(const spec::Enum& entry, const spec::AttributeConfig& config,
                                                               const std::string& place) {
    std::vector<const spec::Enumerator*> enumerators;
    for (const auto& enumerator : entry.enumerators) enumerators.push_back(&enumerator);
    for (const auto& name : config.left_out) {
        const auto count = std::erase_if(enumerators, [&](const spec::Enumerator* each) { return each->name == name; });
        if (count == 0) {
            throw InputError(place + "/left_out: " + name +
                             " is not an enumerator, or is listed twice; remove it or correct the name");
        }
    }
    for (const auto& [name, annotation] : config.annotations) {
        const std::string line = place + "/annotations/" + name;
        if (!has(enumerators, name)) {
            throw InputError(line + ": there is no such enumerator with an accessor; remove the line or correct the name");
        }
        check_annotation(annotation, line);
    }
    return enumerators;
}

/// Throws InputError if two enumerators have one value, such as an old and a new name, because their accessors would be
/// equivalent.
void check_values(const std::vector<const spec::Enumerator*>& enumerators, const std::string& place) {
    std::map<std::int64_t, std::string> names;
    for (const spec::Enumerator* const each : enumerators) {
        const auto [known, is_first] = names.emplace(each->value, each->name);
        if (is_first) continue;
        throw InputError(place + ": " + known->second + " and " + each->name + " both have the value " +
                         std::to_string(each->value) + ", which requires one accessor only; add one of them to left_out");
    }
}

void check_names(const std::vector<Attribute>& attributes, const std::string& place) {
    std::map<std::string, std::string> enumerators;
    for (const Attribute& each : attributes) {
        const auto [known, is_first] = enumerators.emplace(each.name, each.enumerator);
        if (is_first) continue;
        throw InputError(place + ": " + known->second + " and " + each.enumerator + " both result in the accessor " + each.name +
                         "; add one of them to left_out");
    }
}

std::string accessor_name(const std::string& enumerator, const std::string& prefix, const std::string& place) {
    if (!enumerator.starts_with(prefix)) {
        throw InputError(place + ": " + enumerator + " does not begin with the prefix " + prefix +
                         "; correct the prefix, or add the enumerator to left_out");
    }
    const std::string name = to_lower_case(enumerator.substr(prefix.size()));
    if (!is_accessor_name(name)) {
        throw InputError(place + ": " + enumerator + " without the prefix is \"" + name +
                         "\", which is not a valid accessor name; shorten the prefix, or add the enumerator to left_out");
    }
    return name;
}

AttributeClass attribute_class(const Model& model, const std::string& enumeration, const spec::AttributeConfig& config,
                               const std::string& place) {
    const spec::Enum& entry = find_enum(model, enumeration, place);
    check_class(model, config.class_name, place + "/class");
    AttributeClass found{config.class_name, to_lower_case(config.class_name, "_"), enumeration, {}};
    const auto enumerators = enumerators_with_accessor(entry, config, place);
    check_values(enumerators, place);
    for (const spec::Enumerator* const enumerator : enumerators) {
        const auto line = config.annotations.find(enumerator->name);
        const auto annotation = line != config.annotations.end() ? line->second : spec::AttributeAnnotation{};
        const std::string name = accessor_name(enumerator->name, config.prefix, place);
        const bool is_later = spec::EarlierRelease{}(entry.since, enumerator->since);
        found.attributes.push_back(
            {name, enumerator->name,
             annotation.description.empty() ? describe_by_name(name, annotation.yes_or_no) : annotation.description,
             annotation.unit, annotation.yes_or_no, is_later ? enumerator->since : "", enumerator->removed});
    }
    check_names(found.attributes, place);
    return found;
}

}  // namespace

void name_attributes(Model& model) {
    for (const auto& [enumeration, config] : model.overrides.attributes) {
        const std::string place = model.place + "/overrides.json: attributes/" + enumeration;
        model.attribute_classes.push_back(attribute_class(model, enumeration, config, place));
    }
}

}  // namespace cubind::gen::model
