// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "search_context.hpp"

#include <cubind/detail/environment.hpp>

namespace CUBIND_NAMESPACE::detail {

void SearchContext::note(std::string_view place, std::string_view reason) {
    log += "  ";
    log += step;
    log += ": ";
    log += place;
    log += ": ";
    log += reason;
    log += '\n';
}

void SearchContext::note_refused(std::string_view file) {
    const std::string needed = library.major != 0 ? " than the required " + std::to_string(library.major) : "";
    note(file, "is of another major version" + (needed.empty() ? ", which cannot be used" : needed));
}

std::string environment_root(SearchContext& context, const char* variable) {
    const std::string place = std::string("$") + variable;
    const char* const value = environment_variable(variable);
    if (value == nullptr) {
        context.note(place, "not set");
    } else if (*value == '\0') {
        context.note(place, "empty, ignored");
    } else if (*value != '/') {
        context.note(place, std::string(value) + " is a relative path, ignored");
    } else {
        return value;
    }
    return {};
}

}  // namespace CUBIND_NAMESPACE::detail
