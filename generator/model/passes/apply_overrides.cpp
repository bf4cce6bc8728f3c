// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <sstream>

#include "error.hpp"
#include "model/override_keys.hpp"
#include "model/passes/passes.hpp"

namespace cubind::gen::model {
namespace {

/// One annotation in overrides.json: its text, whether a symbol uses it, and whether it differs from the annotation that
/// follows from the type alone.
struct Line {
    std::string function;
    std::string place;
    std::string text;
    bool used = false;
    bool needed = false;
};

using Lines = std::map<std::string, std::map<std::string, Line>>;

/// Returns the line for `parameter` under the longest key that applies to `symbol` and has such a line; null if there is none.
Line* find_line(Lines& lines, const std::string& symbol, const std::string& parameter) {
    const auto found = find_longest(lines, symbol, [&](const auto& lines_of) { return lines_of.contains(parameter); });
    return found != lines.end() ? &found->second.at(parameter) : nullptr;
}

void check_length(const Function& function, const Annotation& annotation, const Line& line) {
    if (annotation.length.empty()) return;
    int parameters = 0;
    std::istringstream factors(annotation.length + "*");
    for (std::string factor; std::getline(factors, factor, '*');) {
        const bool is_number =
            !factor.empty() && std::all_of(factor.begin(), factor.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
        const bool is_parameter = function.position_of(factor).has_value();
        if (!is_number && !is_parameter) {
            throw InputError(line.place + ": \"" + line.text + "\" has the length " + factor + ", but " + function.symbol +
                             " has no such parameter; name one of its parameters or a number");
        }
        if (is_parameter && ++parameters > 2) {
            throw InputError(
                line.place + ": \"" + line.text +
                "\" has a length that is a product of three or more parameters, but at most two are supported; use opaque");
        }
    }
}

void check_against_header(const Function& function, const Parameter& parameter, const Annotation& annotation, const Line& line) {
    const auto fail = [&](const std::string& why) {
        throw InputError(line.place + ": \"" + line.text + "\" contradicts the header, because " + why + " (in " +
                         function.symbol + "); correct the annotation");
    };
    if (!parameter.needs_annotation()) fail(parameter.vendor_name + " is not a pointer");
    if ((annotation.shape == Shape::callback) != parameter.is_callback) {
        fail(parameter.vendor_name + (parameter.is_callback ? " is a function pointer" : " is not a function pointer"));
    }
    if (parameter.is_callback) return;
    const Type& pointee = *parameter.type.inner;
    if (annotation.writes() && pointee.is_const) fail(parameter.vendor_name + " points to constant data");
    if (annotation.shape == Shape::value && pointee.is_void()) fail("a void pointer does not point to one object");
    // The headers tag a few constant inputs as outputs. The types of these parameters are correct, so the tags are ignored.
    if (!parameter.stated_direction.empty() && !pointee.is_const && parameter.stated_direction != to_text(annotation.direction)) {
        fail("its documentation tags " + parameter.vendor_name + " as " + parameter.stated_direction);
    }
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

}  // namespace

void apply_overrides(Model& model) {
    remove_wrong_tags(model);
    const std::string file = model.place + "/overrides.json: ";
    Lines lines;
    for (const auto& [function, parameters] : model.overrides.functions) {
        if (parameters.empty()) throw InputError(file + "functions/" + function + ": the line has no annotation; remove it");
        for (const auto& [parameter, text] : parameters) {
            lines[function][parameter] = {function, file + "functions/" + function + "/" + parameter, text};
        }
    }
    for (auto& function : model.functions) {
        for (auto& parameter : function.parameters) {
            Line* line = find_line(lines, function.symbol, parameter.vendor_name);
            if (line == nullptr) continue;
            const Annotation annotation = parse_annotation(line->text, line->place);
            check_against_header(function, parameter, annotation, *line);
            check_length(function, annotation, *line);
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

}  // namespace cubind::gen::model
