// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "error.hpp"
#include "model/keywords.hpp"
#include "model/passes/passes.hpp"

namespace cubind::gen::model {

void name_functions(Model& model) {
    std::map<std::string, Function*> by_symbol;
    for (auto& function : model.functions) by_symbol[function.symbol] = &function;
    const auto find = [&](const std::string& symbol, const std::string& name) -> Function& {
        const auto function = by_symbol.find(symbol);
        if (function == by_symbol.end()) {
            throw InputError(model.place + "/api.json: public_names/" + name + " refers to " + symbol +
                             ", which is not among the functions; extract the headers again");
        }
        return *function->second;
    };

    for (auto& function : model.functions) function.name = function.symbol;
    for (const auto& entry : model.facts.public_names) {
        const std::string& current = entry.meanings.back().symbol;
        const auto shadowed = by_symbol.find(entry.name);
        if (shadowed == by_symbol.end() || current == entry.name) continue;
        // The symbol of the first version has no suffix, but the headers now use that name for a later version.
        std::string name = entry.name + "_v1";
        if (by_symbol.contains(name)) {
            throw InputError(model.place + "/api.json: public_names/" + entry.name +
                             " hides the symbol of that name. The C++ name of that "
                             "symbol would be " +
                             name + ", which is a symbol, too. The generator does not support that.");
        }
        shadowed->second->name = name;
    }
    for (const auto& entry : model.facts.public_names) {
        const spec::Meaning& meaning = entry.meanings.back();
        Function& target = find(meaning.symbol, entry.name);
        std::string per_thread;
        if (!meaning.per_thread.empty()) {
            Function& variant = find(meaning.per_thread, entry.name);
            variant.is_per_thread = true;
            per_thread = variant.name;
        }
        if (target.symbol == entry.name) {
            target.per_thread = per_thread;
        } else {
            model.public_names.push_back({entry.name, target.name, per_thread, ""});
        }
    }
    for (const auto& [name, adapter] : model.overrides.adapters) {
        const auto target = by_symbol.find(adapter.calls);
        if (target == by_symbol.end() || by_symbol.contains(name)) {
            throw InputError(
                model.place + "/overrides.json: adapters/" + name + ": " +
                (target == by_symbol.end() ? "there is no function " + adapter.calls : "there is a function of this name") +
                "; remove the entry or correct the name");
        }
        target->second->adapter = name;
        target->second->per_thread = name;
        for (auto& public_name : model.public_names) {
            if (public_name.target == target->second->name) public_name.per_thread = name;
        }
    }
}

void name_parameters(Model& model) {
    // Names that the body of a wrapper uses.
    static const std::set<std::string> used_in_bodies = {"Result", "call",         "call_plain", "cubind",
                                                         "detail", "entry_points", "std"};
    for (auto& function : model.functions) {
        // Names from the header have precedence over generated names.
        std::set<std::string> used;
        for (const auto& parameter : function.parameters) used.insert(parameter.vendor_name);
        for (std::size_t index = 0; index < function.parameters.size(); ++index) {
            Parameter& parameter = function.parameters[index];
            parameter.name = parameter.vendor_name.empty() ? "arg" + std::to_string(index) : parameter.vendor_name;
            if (parameter.name.ends_with('_')) {
                throw InputError(model.place + "/api.json: functions/" + function.symbol + " has a parameter " + parameter.name +
                                 ". Generated code reserves names that end in _, so the generator does not support that.");
            }
            const bool hides = is_keyword(parameter.name) || used_in_bodies.contains(parameter.name) ||
                               model.types.contains(parameter.name) || parameter.name == function.name ||
                               parameter.name == model.config.library;
            if (hides) parameter.name += "_value";
            if (parameter.name == parameter.vendor_name) continue;
            while (!used.insert(parameter.name).second) parameter.name += "_value";
        }
    }
}

}  // namespace cubind::gen::model
