// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "search/candidate.hpp"

#include <cerrno>
#include <system_error>

#include "platform/dynamic_library.hpp"
#include "platform/dynamic_string_token.hpp"
#include "platform/elf_file.hpp"
#include "platform/exhausted.hpp"
#include "platform/file.hpp"
#include "platform/loaded_path.hpp"
#include "platform/loader_error.hpp"
#include "platform/path_trust.hpp"
#include "search/name_list.hpp"
#include "search/needs.hpp"
#include "search/toolkit_of.hpp"
#include "search/version_answer.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

// Opens a checked file; if that fails, returns null and writes the OS loader's error without the file's name, which the log
// already has. glibc reports some failed allocations like mistakes of the file or its dependencies. Only a mistake happens again.
void* open_file(const std::string& file, bool binds_itself_first, std::string& error) {
    for (int attempt = 0; attempt < 2; ++attempt) {
        if (void* const handle = open_library(file.c_str(), Binding::at_once, binds_itself_first)) return handle;
        error = take_loader_error(file);
    }
    if (error.starts_with(file + ": ")) error.erase(0, file.size() + 2);
    return nullptr;
}

// Returns why a path that exists cannot be used as a file; empty if it can.
std::string file_problem(const std::string& file) {
    FileStatus status;
    if (const int error = status_of_path(file.c_str(), status)) {
        throw_if_exhausted(error);
        if (error == ENOENT) return "is a symbolic link to a file that does not exist";
        return error == ELOOP ? "is a loop of symbolic links" : "cannot be read: " + std::generic_category().message(error);
    }
    return status.kind == FileKind::regular ? "" : "not a regular file";
}

// Returns the digits after ".so." in a soname: 13 for "libnvrtc.so.13"; empty if there are none.
std::string_view major_of(std::string_view soname) {
    const std::size_t at = soname.find(".so.");
    const std::string_view rest = at == std::string_view::npos ? std::string_view() : soname.substr(at + 4);
    return rest.substr(0, rest.find_first_not_of("0123456789"));
}

// Returns the mistake if the soname in the file is one of the requested library, but of a major that the row does not list;
// otherwise an empty text.
std::string soname_problem(const Library& library, const std::string& file, const std::string& soname) {
    const std::string_view requested = std::string_view(file).substr(file.rfind('/') + 1);
    const std::string_view stem = requested.substr(0, requested.find(".so"));
    const std::string_view needed = major_of(requested);
    const std::string_view major = major_of(soname);
    if (needed.empty() || major.empty() || !soname.starts_with(std::string(stem) + ".so.")) return {};
    for (const char* name : NameList(library.file_names)) {
        if (soname == name) return {};
    }
    return std::string("is major ").append(major) + ", but major " + std::string(needed) + " is needed: its soname is " + soname;
}

// Returns the mistake if the file is one of the toolkit's libraries for linking without a driver or a product: they have the
// names of libraries and their functions only fail. Symbolic links to them are resolved.
std::string stub_problem(const std::string& file) {
    const std::string real = real_path(file);
    if (!real.substr(0, real.rfind('/')).ends_with("/stubs")) return {};
    return std::string(real == file ? "" : "leads to " + real + ", which ") +
           "is a stub: the toolkit contains it for linking only, and its functions fail; take the folder stubs out of "
           "LD_LIBRARY_PATH, run paths and links";
}

// Returns why the file of a library must not be opened; empty if it can be.
std::string library_problem(const SearchContext& context, const std::string& file, bool is_override) {
    if (const std::string_view token = dynamic_string_token(file); !token.empty()) {
        return std::string("dlopen would open another file, because it replaces ").append(token) +
               "; rename that folder, or use a symbolic link with another name";
    }
    if (std::string problem = stub_problem(file); !problem.empty()) return problem;
    const ElfFile elf = examine_elf_file(file);
    return !elf.problem.empty() || is_override ? elf.problem : soname_problem(context.library, file, elf.soname);
}

// Returns why the opened library cannot be used; empty if it can. A rejected library stays open, because another part of the
// process may have begun to use it. A library that is open and never called is less harmful than one that is closed while it is
// in use.
std::string version_problem(const Library& library, void* handle) {
    if (library.version_function == nullptr || (library.major == 0 && library.oldest == 0 && library.refused_from == 0)) {
        return "";
    }
    const VersionAnswer answer = ask_version(library, {.handle = handle, .path = {}, .found_via = nullptr, .missing = {}});
    if (!answer.problem.empty()) {
        return answer.problem;
    }
    const int major = version_major(library, answer.version);
    if (library.major != 0 && major != library.major) {
        return std::string("is major ") + std::to_string(major) + ", but major " + std::to_string(library.major) + " is needed";
    }
    if (answer.version < library.oldest) {
        return "is " + version_name(library, answer.version) + ", but " + version_name(library, library.oldest) +
               " or newer is needed";
    }
    if (library.refused_from != 0 && answer.version >= library.refused_from) {
        return "is " + version_name(library, answer.version) + ", but a version before " +
               version_name(library, library.refused_from) + " is needed";
    }
    return "";
}

bool accept(SearchContext& context, void* handle) {
    const std::string path = loaded_path(handle);
    std::string problem = stub_problem(path);
    if (problem.empty()) problem = version_problem(context.library, handle);
    if (!problem.empty()) {
        context.remark(path, problem);
        return false;
    }
    context.found = {.handle = handle, .path = path};
    return true;
}

bool open_library(SearchContext& context, const std::string& file) {
    load_needs(context, file);
    const bool is_bound_first = context.row != nullptr && context.row->binds_itself_first;
    std::string error;
    if (void* const handle = open_file(file, is_bound_first, error)) return accept(context, handle);
    context.remark(file, error);
    return false;
}

}  // namespace

bool exists(const std::string& path) {
    FileStatus status;
    const int error = status_of_path(path.c_str(), status, Links::not_followed);
    throw_if_exhausted(error);
    return error != ENOENT && error != ENOTDIR;
}

bool use_file(SearchContext& context, const std::string& file, bool is_override) {
    if (!exists(file)) {
        context.note(file, "no such file");
        return false;
    }
    const ArtifactKind kind = context.kind();
    std::string problem = file_problem(file);
    if (problem.empty()) problem = trust_problem(file);
    if (problem.empty() && kind == ArtifactKind::library) problem = library_problem(context, file, is_override);
    const bool is_program = kind == ArtifactKind::program;
    if (const int error = problem.empty() ? access_problem(file.c_str(), is_program ? FileUse::execute : FileUse::read) : 0) {
        throw_if_exhausted(error);
        problem = is_program ? "is not executable" : "cannot be read: " + std::generic_category().message(error);
    }
    if (!problem.empty()) {
        context.remark(file, problem);
        return false;
    }
    if (!context.toolkit.empty() && toolkit_of(file) != context.toolkit) {
        context.note(file, "is not of the toolkit " + context.toolkit);
        return false;
    }
    if (context.opens && kind == ArtifactKind::library) return open_library(context, file);
    context.found = {.handle = nullptr, .path = file};
    return true;
}

bool use_loaded(SearchContext& context) {
    for (const char* name : NameList(context.library.file_names)) {
        LibraryHandle opened(find_loaded_library(name, Binding::at_once));
        if (opened == nullptr) {
            take_loader_error();
            context.note(name, "not loaded");
        } else if (!context.opens) {
            const std::string path = loaded_path(opened.get());
            const std::string problem = stub_problem(path);
            context.found = {.handle = nullptr, .path = path};
            if (problem.empty()) return true;
            context.remark(path, problem);
        } else if (accept(context, opened.release())) {
            return true;
        }
    }
    return false;
}

bool use_directory(SearchContext& context, const std::string& directory) {
    const std::string problem = folder_problem(directory);
    if (!problem.empty()) {
        if (exists(directory)) {
            context.remark(directory, problem);
        } else {
            context.note(directory, problem);
        }
        return false;
    }
    for (const char* const* name = context.library.file_names; name != nullptr && *name != nullptr; ++name) {
        if (!use_file(context, directory + "/" + *name)) continue;
        if (context.kind() == ArtifactKind::headers) context.found.path = directory;
        for (++name; *name != nullptr; ++name) {
            const std::string older = directory + "/" + *name;
            if (exists(older)) context.remark(older, "was passed over for " + context.found.path + ", which is newer");
        }
        return true;
    }
    note_refused_in_directory(context, directory);
    return false;
}

void note_refused_in_directory(SearchContext& context, const std::string& directory) {
    for (const char* name : NameList(context.library.refused_file_names)) {
        const std::string file = directory + "/" + name;
        if (exists(file)) {
            context.note_refused(file);
        }
    }
}

}  // namespace CUBIND_NAMESPACE::detail
