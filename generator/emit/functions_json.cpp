// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "emit/model_json.hpp"

namespace cubind::gen::emit {
namespace {

spec::Json parameter_json(const model::Model& model, const model::Parameter& parameter, bool returned,
                          const std::string& member) {
    const model::Qualify qualify = [&](const std::string& name) { return model.qualify(name); };
    const bool passed = !returned || parameter.is_passed();
    const model::Type& value_type = returned ? *parameter.type.inner : parameter.type;
    const bool defaults_to_null =
        parameter.default_value == "0" && !returned && (parameter.type.is_pointer() || model.types.contains(parameter.type.name));
    spec::Json json = spec::object_for(32);
    json["name"] = parameter.name;
    json["type"] = print_type(parameter.type, qualify);
    json["direction"] = parameter.annotation ? to_text(parameter.annotation->direction) : "in";
    json["shape"] = parameter.annotation ? to_text(parameter.annotation->shape) : "value";
    json["length"] = parameter.annotation ? parameter.annotation->length : "";
    json["has_length"] = parameter.annotation && !parameter.annotation->length.empty();
    json["optional"] = parameter.annotation && parameter.annotation->optional;
    json["passed"] = passed;
    json["first_passed"] = false;
    json["returned"] = returned;
    json["described"] = parameter.needs_annotation() && !returned;
    json["filled_in"] = returned && passed;
    json["by_reference"] = returned && passed && is_record(model, value_type);
    json["value_type"] = print_type(value_type, qualify);
    json["declaration"] = print_declaration(value_type, parameter.name, qualify);
    json["member"] = member;
    json["has_default"] = !parameter.default_value.empty() && passed;
    json["default"] = parameter.default_value;
    json["default_is_null"] = defaults_to_null;
    return json;
}

/// Sets `mark` in the first parameter that has `flag`, for separators in templates.
void mark_first(spec::Json& parameters, const char* flag, const char* mark) {
    for (auto& parameter : parameters) {
        if (!parameter[flag].get<bool>()) continue;
        parameter[mark] = true;
        return;
    }
}

/// Removes defaults that a parameter without a default follows, which C++ does not allow.
void keep_trailing_defaults(spec::Json& parameters) {
    bool all_later = true;
    for (auto parameter = parameters.rbegin(); parameter != parameters.rend(); ++parameter) {
        if (!(*parameter)["passed"].get<bool>()) continue;
        all_later = all_later && (*parameter)["has_default"].get<bool>();
        (*parameter)["has_default"] = all_later;
    }
}

}  // namespace

spec::Json function_json(const model::Model& model, const model::Function& function) {
    const model::Qualify qualify = [&](const std::string& name) { return model.qualify(name); };
    // Only functions with a status have a Result for returned values.
    const auto is_returned = [&](const model::Parameter& parameter) {
        return function.returns_status && parameter.is_returned();
    };
    const auto returned = std::count_if(function.parameters.begin(), function.parameters.end(), is_returned);
    spec::Json parameters = spec::Json::array();
    std::size_t position = 0;
    bool in_registers = returned == 1;  // a status and one scalar fit into registers
    for (const model::Parameter& parameter : function.parameters) {
        const bool is_value = is_returned(parameter);
        if (is_value) {
            ++position;
            in_registers = in_registers && !is_record(model, *parameter.type.inner);
        }
        const std::string member = !is_value ? "" : returned == 1 ? "value" : "value" + std::to_string(position);
        parameters.push_back(parameter_json(model, parameter, is_value, member));
    }
    keep_trailing_defaults(parameters);
    mark_first(parameters, "passed", "first_passed");
    spec::Json json = spec::object_for(32);
    json["symbol"] = function.symbol;
    json["name"] = function.name;
    json["is_macro"] = function.is_macro;
    json["renamed"] = function.name != function.symbol;
    json["header"] = function.header;
    json["group"] = function.group;
    json["file"] = function.file;
    json["since"] = function.since;
    json["removed"] = function.removed;
    json["is_removed"] = !function.removed.empty();
    json["earlier"] = !function.view.empty() && !function.is_per_thread;
    json["is_per_thread"] = function.is_per_thread;
    json["returns"] = print_type(function.returns, qualify);
    json["returns_status"] = function.returns_status;
    json["in_registers"] = in_registers;
    json["is_long"] = returned > 6;
    json["has_missing_value"] = !function.missing_value.empty();
    json["missing_value"] = function.missing_value;
    const auto returned_enum = model.enums.find(resolve_alias(model, function.returns.name));
    json["returns_enum"] = returned_enum != model.enums.end();
    json["underlying"] = returned_enum != model.enums.end() ? returned_enum->second->underlying : "";
    json["has_per_thread"] = !function.per_thread.empty();
    json["per_thread"] = function.per_thread;
    // An adapter uses the entry point of the function that it calls.
    json["per_thread_entry"] = function.adapter.empty() ? function.per_thread : function.name;
    json["parameters"] = std::move(parameters);
    const auto docs = model.vendor_docs.find(function.symbol);
    json["vendor_docs"] = docs != model.vendor_docs.end() ? spec::Json(docs->second) : spec::Json::array();
    json["adapter"] = false;
    if (!function.adapter.empty()) {
        const spec::Adapter& adapter = model.overrides.adapters.at(function.adapter);
        json["adapter"] = {{"name", function.adapter},
                           {"calls", function.name},
                           {"parameter", adapter.parameter},
                           {"unless", adapter.unless},
                           {"set", adapter.set}};
    }
    return json;
}

spec::Json public_name_json(const model::PublicName& name) {
    spec::Json json = spec::object_for(32);
    json["name"] = name.name;
    json["target"] = name.target;
    json["has_per_thread"] = !name.per_thread.empty();
    json["per_thread"] = name.per_thread;
    json["file"] = name.file;
    return json;
}

}  // namespace cubind::gen::emit
