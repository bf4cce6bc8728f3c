// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "error.hpp"
#include "model/keywords.hpp"
#include "model/passes/passes.hpp"
#include "spec/release.hpp"

#include <algorithm>
#include <cctype>

namespace cubind::gen::model {
namespace {

bool is_upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// `text` in small letters, with `gap` before each capital but the first.
std::string in_small_letters(const std::string& text, const std::string& gap = "") {
    std::string small;
    for (const char c : text) {
        if (is_upper(c) && !small.empty()) small += gap;
        small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return small;
}

/// Whether it can be a member of a generated class, which keeps names that end in _ for itself.
bool can_be_accessor(const std::string& name) {
    return !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) != 0 && name.back() != '_' && !is_keyword(name) &&
           name != "attribute";
}

/// What an accessor is for, where nobody has said it: its name as words.
std::string describe_by_name(const std::string& name, bool is_yes_or_no) {
    std::string text = is_yes_or_no ? "Yes or no: " + name : name;
    std::replace(text.begin(), text.end(), '_', ' ');
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

/// Text for a comment of one line.
void check_text(const std::string& text, const std::string& place) {
    const bool breaks_it = std::any_of(text.begin(), text.end(), [](char c) {
        return c == '\\' || std::iscntrl(static_cast<unsigned char>(c)) != 0;
    });
    if (breaks_it) throw InputError(place + ": holds a backslash, newline or other control character; write it without");
    if (text.ends_with('.')) throw InputError(place + ": ends with a full stop, which is added behind the unit; remove it");
}

void check_judgement(const spec::AttributeJudgement& judgement, const std::string& place) {
    if (judgement.yes_or_no && !judgement.unit.empty()) {
        throw InputError(place + ": is yes or no and has a unit; remove one of them");
    }
    if (!judgement.yes_or_no && judgement.unit.empty() && judgement.description.empty()) {
        throw InputError(place + ": decides nothing; remove the line");
    }
    check_text(judgement.unit, place + "/unit");
    check_text(judgement.description, place + "/description");
}

const spec::Enum& find_enum(const Model& model, const std::string& name, const std::string& place) {
    for (const auto& entry : model.facts.enums) {
        const auto known = model.enum_names.find(entry.name);
        if (name == (known != model.enum_names.end() ? known->second : entry.name)) return entry;
    }
    throw InputError(place + ": is no enum; remove the entry or correct the name");
}

void check_class(const Model& model, const std::string& name, const std::string& place) {
    if (name.empty() || !is_upper(name.front()) || !std::all_of(name.begin(), name.end(), is_name_part)) {
        throw InputError(place + ": \"" + name + "\" is no name for a class; write one such as DeviceAttributes");
    }
    const bool is_used = std::any_of(model.attribute_classes.begin(), model.attribute_classes.end(),
                                     [&](const AttributeClass& each) { return each.name == name; });
    if (is_used || model.types.contains(name)) {
        throw InputError(place + ": " + name + " is the name of another type; choose one that is free");
    }
}

bool has(const std::vector<const spec::Enumerator*>& enumerators, const std::string& name) {
    return std::any_of(enumerators.begin(), enumerators.end(), [&](const spec::Enumerator* each) { return each->name == name; });
}

/// The enumerators that get an accessor.
std::vector<const spec::Enumerator*> kept(const spec::Enum& entry, const spec::AttributeConfig& config, const std::string& place) {
    std::vector<const spec::Enumerator*> enumerators;
    for (const auto& enumerator : entry.enumerators) enumerators.push_back(&enumerator);
    for (const auto& name : config.left_out) {
        const auto count = std::erase_if(enumerators, [&](const spec::Enumerator* each) { return each->name == name; });
        if (count == 0) {
            throw InputError(place + "/left_out: " + name + " is no enumerator, or stands there twice; remove it or correct the name");
        }
    }
    for (const auto& [name, judgement] : config.judgements) {
        const std::string line = place + "/judgements/" + name;
        if (!has(enumerators, name)) {
            throw InputError(line + ": is no enumerator that has an accessor; remove the line or correct the name");
        }
        check_judgement(judgement, line);
    }
    return enumerators;
}

/// Two names of one value, e.g. an old and a new one, would make two accessors that tell the same.
void check_values(const std::vector<const spec::Enumerator*>& enumerators, const std::string& place) {
    std::map<std::int64_t, std::string> names;
    for (const spec::Enumerator* const each : enumerators) {
        const auto [known, is_first] = names.emplace(each->value, each->name);
        if (is_first) continue;
        throw InputError(place + ": " + known->second + " and " + each->name + " are both " + std::to_string(each->value) +
                         ", for which one accessor is enough; put the other under left_out");
    }
}

void check_names(const std::vector<Attribute>& attributes, const std::string& place) {
    std::map<std::string, std::string> enumerators;
    for (const Attribute& each : attributes) {
        const auto [known, is_first] = enumerators.emplace(each.name, each.enumerator);
        if (is_first) continue;
        throw InputError(place + ": " + known->second + " and " + each.enumerator + " would both have the accessor " + each.name +
                         "; put one under left_out");
    }
}

std::string accessor_name(const std::string& enumerator, const std::string& prefix, const std::string& place) {
    if (!enumerator.starts_with(prefix)) {
        throw InputError(place + ": " + enumerator + " does not begin with the prefix " + prefix +
                         "; correct that, or put the enumerator under left_out");
    }
    const std::string name = in_small_letters(enumerator.substr(prefix.size()));
    if (!can_be_accessor(name)) {
        throw InputError(place + ": " + enumerator + " without the prefix is \"" + name +
                         "\", which no accessor can be called; shorten the prefix, or put the enumerator under left_out");
    }
    return name;
}

AttributeClass attribute_class(const Model& model, const std::string& enumeration, const spec::AttributeConfig& config,
                               const std::string& place) {
    const spec::Enum& entry = find_enum(model, enumeration, place);
    check_class(model, config.class_name, place + "/class");
    AttributeClass found{config.class_name, in_small_letters(config.class_name, "_"), enumeration, {}};
    const auto enumerators = kept(entry, config, place);
    check_values(enumerators, place);
    for (const spec::Enumerator* const enumerator : enumerators) {
        const auto judged = config.judgements.find(enumerator->name);
        const auto judgement = judged != config.judgements.end() ? judged->second : spec::AttributeJudgement{};
        const std::string name = accessor_name(enumerator->name, config.prefix, place);
        const bool is_later = spec::EarlierRelease{}(entry.since, enumerator->since);
        found.attributes.push_back({name, enumerator->name,
                                    judgement.description.empty() ? describe_by_name(name, judgement.yes_or_no) : judgement.description,
                                    judgement.unit, judgement.yes_or_no, is_later ? enumerator->since : "", enumerator->removed});
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
