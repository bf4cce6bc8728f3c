// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/model_json.hpp"
#include "spec/release.hpp"

namespace cubind::gen::emit {
namespace {

/// Maps each symbol for the per-thread default stream to its base symbol, for all meanings that public names have had.
std::map<std::string, std::string> varied_symbols(const model::Model& model) {
    std::map<std::string, std::string> varied;
    for (const auto& name : model.facts.public_names) {
        for (const auto& meaning : name.meanings) {
            if (!meaning.per_thread.empty()) varied.emplace(meaning.per_thread, meaning.symbol);
        }
    }
    return varied;
}

/// Returns whether the library that is simulated exports the function. A library of one major lacks what an earlier major
/// removed.
bool is_exported(const model::Model& model, const model::Function& function) {
    const std::int64_t major = model.config.loading.major;
    return major == 0 || function.removed.empty() || spec::release_number(function.removed) > model.config.first_number_of(major);
}

}  // namespace

spec::Json simulation_json(const model::Model& model) {
    const model::Qualify qualify = [&](const std::string& name) { return model.qualify(name); };
    const std::map<std::string, std::string> varied = varied_symbols(model);
    spec::Json list = spec::Json::array();
    for (const model::Function* const function : in_symbol_order(model)) {
        if (!is_exported(model, *function)) continue;
        const std::string& symbol = function->symbol;
        spec::Json json = spec::object_for(16);
        json["symbol"] = symbol;
        json["returns"] = print_type(function->returns, qualify);
        json["since_number"] = spec::release_number(function->since);
        const auto base = varied.find(symbol);
        json["is_variant"] = base != varied.end();
        json["varies"] = base != varied.end() ? base->second : "";
        spec::Json parameters = spec::Json::array();
        for (const model::Parameter& parameter : function->parameters) {
            spec::Json each = spec::object_for(4);
            each["name"] = parameter.name;
            each["declaration"] = print_declaration(parameter.type, parameter.name, qualify);
            parameters.push_back(std::move(each));
        }
        json["parameters"] = std::move(parameters);
        list.push_back(std::move(json));
    }
    return list;
}

}  // namespace cubind::gen::emit
