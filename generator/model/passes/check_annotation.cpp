// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/passes/check_annotation.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "error.hpp"

namespace cubind::gen::model {
namespace {

/// Returns the factors of a length such as "rows*columns"; none if the length is empty.
std::vector<std::string> factors_of(const std::string& length) {
    std::vector<std::string> factors;
    if (length.empty()) return factors;
    std::istringstream text(length + "*");
    for (std::string factor; std::getline(text, factor, '*');) factors.push_back(factor);
    return factors;
}

bool is_number_or_parameter(const Function& function, const std::string& factor) {
    const bool is_number =
        !factor.empty() && std::all_of(factor.begin(), factor.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    return is_number || function.position_of(factor);
}

void check_length(const Function& function, const Annotation& annotation, const AnnotationLine& line) {
    int parameters = 0;
    for (const std::string& factor : factors_of(annotation.length)) {
        if (!is_number_or_parameter(function, factor)) {
            throw InputError(line.place + ": \"" + line.text + "\" has the length " + factor + ", but " + function.symbol +
                             " has no such parameter; name one of its parameters or a number");
        }
        if (function.position_of(factor) && ++parameters > 2) {
            throw InputError(
                line.place + ": \"" + line.text +
                "\" has a length that is a product of three or more parameters, but at most two are supported; use opaque");
        }
    }
}

void check_against_header(const Function& function, const Parameter& parameter, const Annotation& annotation,
                          const AnnotationLine& line) {
    const bool has_own_line = line.function.empty() || line.function == function.symbol;
    const std::string remedy =
        has_own_line ? "correct the annotation" : "correct the annotation, or give " + function.symbol + " a line of its own";
    const auto fail = [&](const std::string& why, const std::string& other_remedy = "") {
        throw InputError(line.place + ": \"" + line.text + "\" contradicts the header, because " + why + " (in " +
                         function.symbol + "); " + remedy + other_remedy);
    };
    if (!parameter.needs_annotation()) fail(parameter.vendor_name + " is not a pointer");
    if ((annotation.shape == Shape::callback) != parameter.is_callback) {
        fail(parameter.vendor_name + (parameter.is_callback ? " is a function pointer" : " is not a function pointer"));
    }
    if (parameter.is_callback) return;
    const Type& pointee = *parameter.type.inner;
    if (annotation.writes() && pointee.is_constant()) fail(parameter.vendor_name + " points to constant data");
    if (annotation.shape == Shape::value && parameter.extent != 0) {
        fail(parameter.vendor_name + " is an array of " + std::to_string(parameter.extent),
             ", such as \"" + to_text(annotation.direction) + " array(" + std::to_string(parameter.extent) + ")\"");
    }
    if (annotation.shape == Shape::value && parameter.points_to_array) {
        fail(parameter.vendor_name + " points to an array, which C++ cannot return",
             ", such as \"" + to_text(annotation.direction) + " array(1)\"");
    }
    if (annotation.shape == Shape::value && pointee.is_void()) fail("a void pointer does not point to one object");
    // The headers tag a few constant inputs as outputs. The types of these parameters are correct, so the tags are ignored.
    if (!parameter.stated_direction.empty() && !pointee.is_constant() &&
        parameter.stated_direction != to_text(annotation.direction)) {
        fail("its documentation tags " + parameter.vendor_name + " as " + parameter.stated_direction,
             ". If the tag is wrong, add \"" + function.symbol + "\": {\"" + parameter.vendor_name + "\": \"" +
                 parameter.stated_direction + "\"} to wrong_tags");
    }
}

}  // namespace

bool has_length(const Function& function, const Annotation& annotation) {
    const auto factors = factors_of(annotation.length);
    return std::all_of(factors.begin(), factors.end(),
                       [&](const std::string& factor) { return is_number_or_parameter(function, factor); });
}

Annotation annotation_for(const Function& function, const Parameter& parameter, const AnnotationLine& line) {
    const Annotation annotation = parse_annotation(line.text, line.place);
    check_against_header(function, parameter, annotation, line);
    check_length(function, annotation, line);
    return annotation;
}

}  // namespace cubind::gen::model
