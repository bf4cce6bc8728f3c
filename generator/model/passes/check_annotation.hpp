// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/model.hpp"

namespace cubind::gen::model {

/// One annotation in overrides.json.
struct AnnotationLine {
    std::string place;  ///< file and key, for messages
    std::string text;
    std::string function;  ///< the function in the key, which also names functions that extend it; empty for a rule
};

/// Returns whether each factor of an annotation's length is a number or a parameter of the function.
bool has_length(const Function& function, const Annotation& annotation);

/// Parses the annotation and checks that it fits the parameter's type, its direction tag, and the function's parameters. Throws
/// InputError with the place if it does not.
Annotation annotation_for(const Function& function, const Parameter& parameter, const AnnotationLine& line);

}  // namespace cubind::gen::model
