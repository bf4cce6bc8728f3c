// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "error.hpp"
#include "model/override_keys.hpp"
#include "model/passes/check_annotation.hpp"
#include "model/passes/passes.hpp"

namespace cubind::gen::model {
namespace {

/// One annotation in overrides.json: its text, whether a symbol uses it, and whether it differs from the annotation that
/// follows from the type alone.
struct Line : AnnotationLine {
    bool used = false;
    bool needed = false;
};

/// One annotation that applies to all functions of the library.
struct Rule : AnnotationLine {
    bool used = false;
};

using Lines = std::map<std::string, std::map<std::string, Line>>;

/// Returns the line for `parameter` under the longest key that applies to `symbol` and has such a line; null if there is none.
Line* find_line(Lines& lines, const std::string& symbol, const std::string& parameter) {
    const auto found = find_longest(lines, symbol, [&](const auto& lines_of) { return lines_of.contains(parameter); });
    return found != lines.end() ? &found->second.at(parameter) : nullptr;
}

/// Removes the tags that overrides.json lists as wrong, so that an annotation may contradict them.
void remove_wrong_tags(Model& model) {
    auto wrong = model.overrides.wrong_tags;
    for (auto& function : model.functions) {
        const auto tags = wrong.find(function.symbol);
        if (tags == wrong.end()) continue;
        for (auto& parameter : function.parameters) {
            const auto tag = tags->second.find(parameter.vendor_name);
            if (tag == tags->second.end() || tag->second != parameter.stated_direction) continue;
            parameter.stated_direction.clear();
            tags->second.erase(tag);
        }
    }
    for (const auto& [function, tags] : wrong) {
        for (const auto& [parameter, tag] : tags) {
            throw InputError(model.place + "/overrides.json: wrong_tags/" + function + "/" + parameter +
                             ": the header has no parameter of this name with the tag \"" + tag + "\"; remove the line");
        }
    }
}

void apply_function_lines(Model& model) {
    const std::string file = model.place + "/overrides.json: ";
    Lines lines;
    for (const auto& [function, parameters] : model.overrides.functions) {
        if (parameters.empty()) throw InputError(file + "functions/" + function + ": the line has no annotation; remove it");
        for (const auto& [parameter, text] : parameters) {
            lines[function][parameter] = {{file + "functions/" + function + "/" + parameter, text, function}};
        }
    }
    for (auto& function : model.functions) {
        for (auto& parameter : function.parameters) {
            Line* line = find_line(lines, function.symbol, parameter.vendor_name);
            if (line == nullptr) continue;
            const Annotation annotation = annotation_for(function, parameter, *line);
            line->used = true;
            line->needed = line->needed || parameter.annotation != annotation;
            parameter.annotation = annotation;
            parameter.annotation_key = line->function;
        }
    }
    for (const auto& [function, parameters] : lines) {
        for (const auto& [name, line] : parameters) {
            if (!line.used) {
                throw InputError(line.place + ": there is no such parameter of " + function +
                                 " or of a function that extends that name; remove the line or correct the names");
            }
            if (!line.needed) {
                throw InputError(line.place + ": the type alone already decides \"" + line.text + "\"; remove the line");
            }
        }
    }
}

void apply_parameter_rules(Model& model) {
    std::map<std::string, Rule> rules;
    for (const auto& [key, text] : model.overrides.parameters) {
        rules[key] = {{model.place + "/overrides.json: parameters/" + key, text, ""}};
    }
    for (auto& function : model.functions) {
        for (auto& parameter : function.parameters) {
            if (!parameter.needs_annotation() || parameter.annotation) continue;
            auto rule = rules.find(declaration_of(parameter));
            if (rule == rules.end()) rule = rules.find(parameter.vendor_name);
            if (rule == rules.end()) continue;
            parameter.annotation = annotation_for(function, parameter, rule->second);
            parameter.annotation_key = "parameters/" + rule->first;
            rule->second.used = true;
        }
    }
    for (const auto& [key, rule] : rules) {
        if (rule.used) continue;
        throw InputError(rule.place +
                         ": no function has an undecided pointer with this name or declaration; remove the line, or "
                         "correct the key");
    }
}

/// Throws InputError if a wrapper would have to return more values than a Result has.
void check_number_of_values(const Model& model) {
    constexpr std::ptrdiff_t max_values = 32;  // as in <cubind/long_result.hpp>
    for (const auto& function : model.functions) {
        const auto count = std::count_if(function.parameters.begin(), function.parameters.end(),
                                         [](const Parameter& parameter) { return parameter.is_returned(); });
        if (count <= max_values || !function.returns_status) continue;
        throw InputError(model.place + "/overrides.json: functions/" + function.symbol + ": the annotations make " +
                         std::to_string(count) + " parameters returned values, but a wrapper can return at most " +
                         std::to_string(max_values) + "; use the shape array(1) for the others");
    }
}

/// Throws InputError if a wrapper would have to return an object of a type that generated code does not define.
void check_returned_types(const Model& model) {
    for (const auto& function : model.functions) {
        for (const auto& parameter : function.parameters) {
            if (!parameter.is_returned() || parameter.is_callback || !is_incomplete(model, *parameter.type.inner)) continue;
            throw InputError(model.place + "/overrides.json: " + parameter.vendor_name + " of " + function.symbol + " is \"" +
                             to_text(*parameter.annotation) + "\" (" + parameter.annotation_key +
                             "), but generated code does not define " + parameter.type.inner->name +
                             ", so a wrapper cannot return it; use the shape opaque");
        }
    }
}

}  // namespace

void apply_overrides(Model& model) {
    remove_wrong_tags(model);
    apply_function_lines(model);
    apply_parameter_rules(model);
    check_returned_types(model);
    check_number_of_values(model);
}

}  // namespace cubind::gen::model
