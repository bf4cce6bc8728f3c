// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <set>

#include "error.hpp"
#include "model/layout.hpp"
#include "model/passes/passes.hpp"
#include "system.hpp"

namespace cubind::gen::model {
namespace {

class StatusResolver {
public:
    explicit StatusResolver(Model& model)
        : model_(model), config_(model.config.status), type_(resolve_alias(model, model.config.status.type)) {}

    void find_enum() {
        model_.status_enum = is_kind(type_, TypeKind::record) ? enum_of_field() : type_;
        if (!is_kind(model_.status_enum, TypeKind::enumeration)) {
            fail("type names " + config_.type +
                 ", which is not an enum of api.json; name the enum that the functions return, or a struct and its field, and "
                 "add its header "
                 "to type_headers if no function mentions it");
        }
        if (!is_kind(type_, TypeKind::record) && !config_.field.empty()) {
            fail("field is " + config_.field + ", but " + config_.type + " is no struct; remove the field");
        }
        check_not_success("library_missing", config_.library_missing);
        check_not_success("symbol_missing", config_.symbol_missing);
    }

    void mark_functions() {
        std::set<std::string> integers(config_.integer_functions.begin(), config_.integer_functions.end());
        for (auto& function : model_.functions) {
            bool is_integer = false;
            for (const auto& pattern : config_.integer_functions) {
                if (!matches(pattern, function.symbol)) continue;
                is_integer = true;
                integers.erase(pattern);
            }
            if (is_integer) replace_integer(function);
            function.returns_status =
                function.returns.kind == Type::Kind::named && resolve_alias(model_, function.returns.name) == type_;
        }
        if (!integers.empty()) {
            fail("integer_functions names " + *integers.begin() +
                 ", which is no function of api.json; correct or remove the name");
        }
        if (std::any_of(model_.functions.begin(), model_.functions.end(), [](const auto& each) { return each.returns_status; }))
            return;
        fail("type is " + config_.type +
             ", but no function returns it, so a missing library would look like a successful call; name the enum that the "
             "functions return, or the functions that return it as an integer in integer_functions");
    }

    void choose_missing_values() {
        std::set<std::string> unused;
        for (const auto& [key, value] : config_.missing_values) unused.insert(key);
        for (auto& function : model_.functions) {
            if (function.returns_status || function.returns.kind != Type::Kind::named) continue;
            auto entry = config_.missing_values.find(function.symbol);
            if (entry == config_.missing_values.end()) entry = config_.missing_values.find(function.returns.name);
            if (entry != config_.missing_values.end()) {
                // As a number, because the minus of an unsigned enumerator would be a positive number.
                function.missing_value = std::to_string(number_of(entry->first, entry->second));
                unused.erase(entry->first);
            } else if (may_be_success(function.returns)) {
                fail(
                    "missing_values does not name " + function.symbol + ", which returns " + function.returns.name +
                    ". If the library is missing, it would return 0, which callers may take for a valid result. Add the function "
                    "or the type " +
                    function.returns.name +
                    " to missing_values, with a number or an enumerator that says that "
                    "the call failed; or add the function to integer_functions, if its documentation says that it returns a "
                    "status");
            }
        }
        if (unused.empty()) return;
        fail("missing_values/" + *unused.begin() +
             ": no function without a status has this name or returns this type; correct or remove the line");
    }

private:
    [[noreturn]] void fail(const std::string& what) const { throw InputError(model_.place + "/library.json: status/" + what); }

    bool is_kind(const std::string& name, TypeKind kind) const {
        const auto found = model_.types.find(name);
        return found != model_.types.end() && found->second == kind;
    }

    std::string enum_of_field() const {
        const spec::Record& record = *model_.records.at(type_);
        if (config_.field.empty()) {
            fail("type is " + config_.type + ", which is a struct; name its first field, which must be an enum, in status/field");
        }
        const auto field = std::find_if(record.fields.begin(), record.fields.end(),
                                        [&](const spec::Field& each) { return each.name == config_.field; });
        if (field == record.fields.end()) {
            fail("field is " + config_.field + ", but " + config_.type + " has no such field; correct the name");
        }
        const std::string name = resolve_alias(model_, field->type);
        // Layers read the status of a call at the start of what it returns.
        if (record.is_union || field->offset != 0 || !is_kind(name, TypeKind::enumeration)) {
            fail("field is " + config_.field + ", which is not an enum at the start of the struct " + config_.type +
                 "; other statuses are not supported");
        }
        return name;
    }

    void check_not_success(const std::string& key, const std::string& enumerator) const {
        for (const auto& each : model_.enums.at(model_.status_enum)->enumerators) {
            if (each.name == enumerator && each.value == 0) {
                fail(key + " is " + enumerator + ", which is 0 and means success; name an enumerator of " + model_.status_enum +
                     " that means failure");
            }
        }
    }

    void replace_integer(Function& function) const {
        const Type status = parse_type(config_.type, model_.place);
        const bool is_number = function.returns.kind == Type::Kind::named && is_signed(function.returns);
        if (!is_number || layout_of(model_, function.returns).size != layout_of(model_, status).size) {
            fail("integer_functions names " + function.symbol + ", which does not return a signed integer of the size of " +
                 config_.type + "; remove the name");
        }
        function.returns = status;
    }

    bool is_signed(const Type& type) const {
        static const std::set<std::string> names = {"char",   "signed char", "short",   "int",     "long",      "long long",
                                                    "int8_t", "int16_t",     "int32_t", "int64_t", "ptrdiff_t", "intptr_t"};
        return names.contains(resolve_alias(model_, type.name));
    }

    bool may_be_success(const Type& type) const {
        return is_signed(type) || is_kind(resolve_alias(model_, type.name), TypeKind::enumeration);
    }

    std::int64_t number_of(const std::string& key, const std::string& text) const {
        const bool is_negative = text.starts_with('-');
        const std::string digits = is_negative ? text.substr(1) : text;
        const char* const digits_end = digits.data() + digits.size();
        std::optional<std::int64_t> number = value_of_constant(model_, digits);
        std::int64_t parsed = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits_end, parsed);
        if (error == std::errc() && end == digits_end && parsed >= 0) number = parsed;
        if (number) return is_negative ? -*number : *number;
        fail("missing_values/" + key + " is \"" + text +
             "\", which is neither a number nor an enumerator or constant of the library; correct it");
    }

    Model& model_;
    const spec::StatusConfig& config_;
    std::string type_;
};

}  // namespace

void resolve_status(Model& model) {
    StatusResolver resolver(model);
    resolver.find_enum();
    resolver.mark_functions();
    resolver.choose_missing_values();
}

}  // namespace cubind::gen::model
