// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "search/search_context.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "platform/environment.hpp"
#include "platform/exhausted.hpp"
#include "platform/file.hpp"

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

void SearchContext::remark(std::string_view place, std::string_view reason) {
    note(place, reason);
    std::string text(place);
    text += ": ";
    text += reason;
    if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(std::move(text));
}

void SearchContext::note_refused(std::string_view file) {
    const std::string needed = library.major != 0 ? " than the required " + std::to_string(library.major) : "";
    remark(file, "is of another major version" + (needed.empty() ? ", which cannot be used" : needed));
}

std::string environment_root(SearchContext& context, const char* variable) {
    const std::string place = std::string("$") + variable;
    const char* const value = environment_variable(variable);
    if (value == nullptr) {
        context.note(place, "not set");
    } else if (*value == '\0') {
        context.note(place, "empty, ignored");
    } else if (*value != '/') {
        context.remark(place, std::string(value) + " is a relative path, ignored");
    } else {
        return value;
    }
    return {};
}

std::string folder_problem(const std::string& path) {
    FileStatus status;
    const int error = status_of_path(path.c_str(), status);
    if (error == 0) return status.kind == FileKind::folder ? "" : "not a folder";
    throw_if_exhausted(error);
    if (error == ENOENT || error == ENOTDIR) return "no such folder";
    return error == ELOOP ? "is a loop of symbolic links" : "cannot be read: " + std::generic_category().message(error);
}

}  // namespace CUBIND_NAMESPACE::detail
