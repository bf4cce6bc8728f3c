// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "candidate.hpp"

#include <dlfcn.h>
#include <errno.h>
#include <sys/stat.h>
#include <system_error>

#include "loaded_path.hpp"
#include "name_list.hpp"
#include "version_answer.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

constexpr int open_flags = RTLD_NOW | RTLD_LOCAL;

// Returns the text of dlerror(). The text usually begins with the requested name, which is removed because the log already has
// it.
std::string latest_loader_error(const std::string& place) {
    const char* const error = dlerror();
    const std::string text = error != nullptr ? error : "the OS loader gave no reason";
    return text.starts_with(place + ": ") ? text.substr(place.size() + 2) : text;
}

// Returns why the file cannot be a library; empty if it can be one.
std::string file_problem(const std::string& file) {
    struct stat facts = {};
    if (stat(file.c_str(), &facts) != 0) {
        return errno == ENOENT ? "no such file" : std::generic_category().message(errno);
    }
    return S_ISREG(facts.st_mode) ? "" : "not a regular file";
}

// Returns why the opened library cannot be used; empty if it can. A rejected library stays open, because another part of the
// process may have begun to use it. A library that is open and never called is less harmful than one that is closed while it is
// in use.
std::string version_problem(const Library& library, void* handle) {
    if (library.version_function == nullptr || library.major == 0) {
        return "";
    }
    const VersionAnswer answer = ask_version(library, {.handle = handle, .path = {}, .found_via = nullptr, .missing = {}});
    if (!answer.problem.empty()) {
        return answer.problem;
    }
    if (answer.version / 1000 != library.major) {
        return std::string("is major ") + std::to_string(answer.version / 1000) + ", but major " + std::to_string(library.major) +
               " is needed";
    }
    return "";
}

void* accept(SearchContext& context, const std::string& place, void* handle) {
    if (handle == nullptr) {
        context.note(place, latest_loader_error(place));
        return nullptr;
    }
    const std::string problem = version_problem(context.library, handle);
    if (problem.empty()) {
        return handle;
    }
    context.note(loaded_path(handle), problem);
    return nullptr;
}

}  // namespace

void* open_file(SearchContext& context, const std::string& file) {
    const std::string problem = file_problem(file);
    if (!problem.empty()) {
        context.note(file, problem);
        return nullptr;
    }
    return accept(context, file, dlopen(file.c_str(), open_flags));
}

void* open_by_name(SearchContext& context, int flags) {
    for (const char* name : NameList(context.library.file_names)) {
        void* const opened = dlopen(name, open_flags | flags);
        if (opened == nullptr && (flags & RTLD_NOLOAD) != 0) {
            dlerror();  // clears the error, so that a later dlerror() of other code does not return it
            context.note(name, "not loaded");
        } else if (void* const handle = accept(context, name, opened)) {
            return handle;
        }
    }
    return nullptr;
}

void* open_in_directory(SearchContext& context, const std::string& directory) {
    struct stat facts = {};
    if (stat(directory.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) {
        context.note(directory, "no such folder");
        return nullptr;
    }
    for (const char* name : NameList(context.library.file_names)) {
        if (void* const handle = open_file(context, directory + "/" + name)) {
            return handle;
        }
    }
    note_refused_in_directory(context, directory);
    return nullptr;
}

void note_refused_in_directory(SearchContext& context, const std::string& directory) {
    for (const char* name : NameList(context.library.refused_file_names)) {
        const std::string file = directory + "/" + name;
        if (file_problem(file).empty()) {
            context.note_refused(file);
        }
    }
}

}  // namespace CUBIND_NAMESPACE::detail
