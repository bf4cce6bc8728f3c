// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/version_call.hpp"

#include <algorithm>

#include "error.hpp"

namespace cubind::gen::model {
namespace {

using Form = VersionCall::Form;

/// Returns whether a parameter receives one part of the version or the whole version.
bool is_number(const Model& model, const Type& type) {
    if (!type.is_pointer() || type.inner->kind != Type::Kind::named || type.inner->is_const) return false;
    const std::string name = resolve_alias(model, type.inner->name);
    return name == "int" || name == "unsigned int";
}

std::string signature_of(const Function& function) {
    const auto as_in_header = [](const std::string& name) { return name; };
    std::string text = print_type(function.returns, as_in_header) + " " + function.symbol + "(";
    for (const auto& parameter : function.parameters) {
        text += (&parameter == &function.parameters.front() ? "" : ", ") + declaration_of(parameter);
    }
    return text + ")";
}

class CallChecker {
public:
    CallChecker(const Model& model, const Function& function) : model_(model), function_(function) {}

    Form form() const {
        const auto& parameters = function_.parameters;
        const auto count_of_numbers = [&](std::size_t first) {
            return static_cast<std::size_t>(std::count_if(parameters.begin() + static_cast<std::ptrdiff_t>(first),
                                                          parameters.end(),
                                                          [&](const Parameter& each) { return is_number(model_, each.type); }));
        };
        const Type& returns = function_.returns;
        if (parameters.empty() && returns.kind == Type::Kind::named && resolve_alias(model_, returns.name) == "size_t") {
            return Form::returned;
        }
        if (!function_.returns_status || parameters.empty() || parameters.size() > 3) fail();
        if (count_of_numbers(0) == parameters.size()) {
            constexpr Form forms[] = {Form::one_number, Form::two_numbers, Form::three_numbers};
            return forms[parameters.size() - 1];
        }
        if (parameters.size() != 2 || count_of_numbers(1) != 1 || property_enum() == nullptr) fail();
        return Form::properties;
    }

    /// Returns the values of the enumerators that select the parts.
    std::vector<std::int64_t> properties() const {
        const spec::Enum& type = *property_enum();
        const auto& names = model_.config.loading.version_properties;
        if (names.size() != 2 && names.size() != 3) {
            throw InputError(model_.place + "/library.json: loading/version_properties has " + std::to_string(names.size()) +
                             " names, but " + signature_of(function_) +
                             " returns one part of the version in each call; name the enumerators of " + type.name +
                             " for major, minor and patch");
        }
        std::vector<std::int64_t> values;
        for (const auto& name : names) {
            const auto found = std::find_if(type.enumerators.begin(), type.enumerators.end(),
                                            [&](const spec::Enumerator& each) { return each.name == name; });
            if (found == type.enumerators.end()) {
                throw InputError(model_.place + "/library.json: loading/version_properties: " + type.name +
                                 " has no enumerator " + name + "; correct the name");
            }
            values.push_back(found->value);
        }
        return values;
    }

private:
    const spec::Enum* property_enum() const {
        const auto found = model_.enums.find(resolve_alias(model_, function_.parameters.front().type.name));
        return found != model_.enums.end() ? found->second : nullptr;
    }

    [[noreturn]] void fail() const {
        throw InputError(
            model_.place + "/library.json: loading/version_function: the loader cannot call " + signature_of(function_) +
            "; name a function that returns the status and writes an int, two or three (version, or major, minor and "
            "patch), that returns the status and writes the part that an enumerator selects, or that returns a "
            "size_t; or remove the key");
    }

    const Model& model_;
    const Function& function_;
};

}  // namespace

VersionCall version_call(const Model& model) {
    const auto& loading = model.config.loading;
    if (loading.version_function.empty()) return {};
    const std::string place = model.place + "/library.json: loading/";
    const auto function = std::find_if(model.functions.begin(), model.functions.end(),
                                       [&](const Function& each) { return each.symbol == loading.version_function; });
    if (function == model.functions.end()) {
        throw InputError(place + "version_function: " + loading.version_function +
                         " is no function of the library; name the function that writes its version, or remove the key");
    }
    const CallChecker checker(model, *function);
    VersionCall call;
    call.form = checker.form();
    const bool has_weights = call.form == Form::one_number || call.form == Form::returned;
    if (!has_weights && !loading.version_weights.empty()) {
        throw InputError(place + "version_weights: " + loading.version_function +
                         " does not write the version as one number; remove the key");
    }
    if (call.form != Form::properties && !loading.version_properties.empty()) {
        throw InputError(place + "version_properties: " + loading.version_function +
                         " receives no enumerator that selects a part of the version; remove the key");
    }
    if (has_weights && loading.version_weights.empty() && model.config.version.is_stated()) {
        throw InputError(place + "version_weights is missing: " + loading.version_function +
                         " writes the library's own version as one number; state the weights of its parts, such as [1000, 100, "
                         "1] for 12514 as 12.5.14");
    }
    if (has_weights) call.weights = loading.version_weights;
    if (call.form == Form::properties) call.properties = checker.properties();
    return call;
}

}  // namespace cubind::gen::model
