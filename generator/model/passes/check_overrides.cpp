// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <set>

#include "error.hpp"
#include "model/passes/passes.hpp"

namespace cubind::gen::model {
namespace {

std::set<std::string> enumerators_of(const Model& model, const std::string& name) {
    std::set<std::string> found;
    if (!name.empty()) {
        for (const auto& enumerator : model.enums.at(name)->enumerators) found.insert(enumerator.name);
        return found;
    }
    for (const auto& entry : model.facts.enums) {
        for (const auto& enumerator : entry.enumerators) found.insert(enumerator.name);
    }
    return found;
}

void check_groups(const Model& model, const std::string& file) {
    std::set<std::string> functions;
    for (const auto& function : model.functions) functions.insert(function.symbol);
    for (const auto& name : model.public_names) functions.insert(name.name);
    for (const auto& [name, group] : model.overrides.groups) {
        if (!functions.contains(name))
            throw InputError(file + "groups/" + name + ": there is no function " + name + "; remove the line");
    }
}

bool is_number(const std::string& text) {
    if (text.find_first_not_of("-.0123456789") != std::string::npos) return false;  // from_chars accepts inf, too
    double number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    return end.ec == std::errc() && end.ptr == text.data() + text.size();
}

void check_initial_values(const Model& model, const std::string& file) {
    for (const auto& [name, fields] : model.overrides.initial_values) {
        const auto record = std::find_if(model.facts.records.begin(), model.facts.records.end(),
                                         [&wanted = name](const spec::Record& entry) { return entry.name == wanted; });
        if (record == model.facts.records.end()) {
            throw InputError(file + "initial_values/" + name + ": there is no record " + name +
                             "; remove the line or correct the name");
        }
        for (const auto& [field, value] : fields) {
            const bool known = std::any_of(record->fields.begin(), record->fields.end(),
                                           [&wanted = field](const spec::Field& entry) { return entry.name == wanted; });
            if (!known) {
                throw InputError(file + "initial_values/" + name + "/" + field + ": " + name + " has no field " + field +
                                 "; remove the line or correct the name");
            }
            if (value != initial_size && !is_number(value) && !value_of_constant(model, value)) {
                throw InputError(file + "initial_values/" + name + "/" + field + ": \"" + value +
                                 "\" is neither a number nor a constant of the library nor " + std::string(initial_size) +
                                 "; correct the value");
            }
        }
    }
}

void check_adapters(const Model& model, const std::string& file) {
    const auto enumerators = enumerators_of(model, "");
    for (const auto& [name, adapter] : model.overrides.adapters) {
        std::vector<std::string> used = adapter.unless;
        used.push_back(adapter.set);
        for (const auto& each : used) {
            if (!enumerators.contains(each)) {
                throw InputError(file + "adapters/" + name + ": there is no enumerator " + each + "; correct the name");
            }
        }
        for (const auto& function : model.functions) {
            if (function.symbol != adapter.calls) continue;
            if (!function.position_of(adapter.parameter)) {
                throw InputError(file + "adapters/" + name + ": " + adapter.calls + " has no parameter " + adapter.parameter +
                                 "; correct the name");
            }
        }
    }
}

void check_status(Model& model, const std::string& file) {
    const std::string& type = model.config.status.type;
    const auto enumerators = enumerators_of(model, model.status_enum);
    const auto owner = model.used_types.find(model.status_enum);
    const bool is_own = owner == model.used_types.end();
    if (!is_own && !model.overrides.descriptions.empty()) {
        throw InputError(file + "descriptions: " + type + " is a type of " + owner->second +
                         ", whose overrides.json describes it; remove the key");
    }
    for (const auto& name : enumerators) {
        if (is_own && !model.overrides.descriptions.contains(name)) {
            model.questions.push_back({Question::Kind::description, name, "", "", ""});
        }
    }
    for (const auto& [name, text] : model.overrides.descriptions) {
        if (!enumerators.contains(name)) {
            throw InputError(file + "descriptions/" + name + ": " + type + " has no enumerator " + name + "; remove the line");
        }
        if (text.empty())
            throw InputError(file + "descriptions/" + name + ": the text is empty; describe the meaning of the status");
    }
    const spec::StatusConfig& status = model.config.status;
    for (const auto& name : {status.library_missing, status.symbol_missing, status.invalid_argument}) {
        if (!enumerators.contains(name)) {
            throw InputError(model.place + "/library.json: status names " + name + ", which is not an enumerator of " + type +
                             "; correct the name");
        }
    }
}

}  // namespace

void check_overrides(Model& model) {
    const std::string file = model.place + "/overrides.json: ";
    check_groups(model, file);
    check_initial_values(model, file);
    check_adapters(model, file);
    check_status(model, file);
}

}  // namespace cubind::gen::model
