// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/to_json.hpp"
#include "spec/release.hpp"

namespace cubind::gen::model {
namespace {

/// Per-thread default stream's symbol to the one that it varies, through everything that public names have ever meant.
std::map<std::string, std::string> varied_symbols(const Model& model) {
    std::map<std::string, std::string> varied;
    for (const auto& name : model.facts.public_names) {
        for (const auto& meaning : name.meanings) {
            if (!meaning.per_thread.empty()) varied.emplace(meaning.per_thread, meaning.symbol);
        }
    }
    return varied;
}

}  // namespace

spec::Json simulation_json(const Model& model) {
    const Qualify qualify = [&](const std::string& name) { return model.qualify(name); };
    const std::map<std::string, std::string> varied = varied_symbols(model);
    spec::Json list = spec::Json::array();
    std::size_t index = 0;
    for (const Function* const function : in_symbol_order(model)) {
        const std::string& symbol = function->symbol;
        spec::Json json = spec::object_for(16);
        json["symbol"] = symbol;
        json["index"] = std::to_string(index++);
        json["returns"] = print_type(function->returns, qualify);
        json["since_number"] = spec::release_number(function->since);
        const auto base = varied.find(symbol);
        json["is_variant"] = base != varied.end();
        json["varies"] = base != varied.end() ? base->second : "";
        spec::Json parameters = spec::Json::array();
        for (const Parameter& parameter : function->parameters) {
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

}  // namespace cubind::gen::model
