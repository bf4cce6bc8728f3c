// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// The steps that search folders below a prefix, and the OS loader's places.

#include <algorithm>
#include <string_view>
#include <utility>

#include "platform/environment.hpp"
#include "platform/os_loader_places.hpp"
#include "search/candidate.hpp"
#include "search/name_list.hpp"
#include "search/search_steps.hpp"
#include "search/toolkit_of.hpp"
#include "search/versioned_folders.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

#if defined(__aarch64__)
constexpr const char* default_folders[] = {"lib64", "lib", "targets/sbsa-linux/lib", nullptr};
constexpr const char* multiarch_folder = "include/aarch64-linux-gnu";
#else
constexpr const char* default_folders[] = {"lib64", "lib", "targets/x86_64-linux/lib", nullptr};
constexpr const char* multiarch_folder = "include/x86_64-linux-gnu";
#endif

bool find_below(SearchContext& context, const std::string& prefix) {
    const bool has_row = context.row != nullptr && context.row->folders.front() != nullptr;
    for (const char* folder : NameList(has_row ? context.row->folders.data() : default_folders)) {
        if (use_directory(context, prefix + "/" + folder)) return true;
    }
    return false;
}

// Searches below the prefix that a variable names. If the value is not a folder, adds a note, because whoever set the variable
// expects an effect.
bool find_below_variable(SearchContext& context, const char* variable) {
    const std::string prefix = environment_root(context, variable);
    if (prefix.empty()) return false;
    if (const std::string problem = folder_problem(prefix); !problem.empty()) {
        context.remark(std::string("$") + variable, prefix + ": " + problem);
        return false;
    }
    return find_below(context, prefix);
}

// Returns whether both paths lead to the same file or folder.
bool is_same_place(const char* left, const char* right) {
    return real_path(left) == real_path(right);
}

void remark_different_toolkits(SearchContext& context) {
    const char* const path = environment_variable("CUDA_PATH");
    const char* const home = environment_variable("CUDA_HOME");
    if (path == nullptr || home == nullptr || *path == '\0' || *home == '\0' || is_same_place(path, home)) return;
    context.remark("$CUDA_PATH", std::string(path) + " differs from $CUDA_HOME, " + home + "; CUDA_PATH is searched first");
}

// Uses the file if it exists; returns whether the search has ended. Clears `is_absent` if there is any file.
bool use_existing(SearchContext& context, const std::string& file, bool& is_absent) {
    if (!exists(file)) return false;
    is_absent = false;
    return use_file(context, file);
}

bool find_soname(SearchContext& context, const OsLoaderPlaces& places, const char* name) {
    bool is_absent = true;
    for (const std::string& folder : places.folders) {
        if (use_existing(context, folder + "/" + name, is_absent)) return true;
    }
    for (const std::string& file : paths_in_ld_cache(name, context.places.ld_cache.c_str())) {
        if (use_existing(context, file, is_absent)) return true;
    }
    for (const std::string& folder : places.system_folders) {
        if (use_existing(context, folder + "/" + name, is_absent)) return true;
    }
    if (is_absent)
        context.note(name, "is not in the folders of LD_LIBRARY_PATH and run paths, ld.so's cache or the system's folders");
    return false;
}

// Returns why the OS loader prefers a file in this folder to those of the system.
std::string preference(const SearchContext& context, const std::string& folder) {
    const char* const variable = environment_variable("LD_LIBRARY_PATH");
    std::string_view rest = variable != nullptr ? variable : "";
    while (!rest.empty()) {
        const std::string_view entry = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(entry.size() + 1, rest.size()));
        if (entry == folder) return "LD_LIBRARY_PATH names its folder";
    }
    if (context.step == std::string_view("OS loader")) return "a run path (DT_RPATH or DT_RUNPATH) names its folder";
    return "the process has already loaded it, by a run path (DT_RPATH or DT_RUNPATH) or by its own path";
}

// Returns the file that the OS loader finds for the soname if no folder is preferred; empty if there is none.
std::string file_of_system(const SearchContext& context, const std::string& name) {
    for (std::string& file : paths_in_ld_cache(name, context.places.ld_cache.c_str())) {
        if (exists(file)) return std::move(file);
    }
    for (const std::string& folder : os_loader_places().system_folders) {
        if (exists(folder + "/" + name)) return folder + "/" + name;
    }
    return {};
}

void note_refused_sonames(SearchContext& context, const OsLoaderPlaces& places) {
    for (const std::string& folder : places.folders) note_refused_in_directory(context, folder);
    for (const std::string& folder : places.system_folders) note_refused_in_directory(context, folder);
    for (const char* name : NameList(context.library.refused_file_names)) {
        for (const std::string& file : paths_in_ld_cache(name, context.places.ld_cache.c_str())) {
            if (exists(file)) context.note_refused(file);
        }
    }
}

}  // namespace

void remark_other_driver(SearchContext& context) {
    const std::string& found = context.found.path;
    for (const char* name : NameList(context.library.file_names)) {
        const std::string file = file_of_system(context, name);
        if (file.empty()) continue;
        if (is_same_place(file.c_str(), found.c_str())) return;
        return context.remark(found, "is used instead of the system's " + file + ", because " +
                                         preference(context, found.substr(0, found.rfind('/'))));
    }
}

bool find_in_conda(SearchContext& context) {
    return find_below_variable(context, "CONDA_PREFIX");
}

bool find_in_product_prefix(SearchContext& context) {
    const char* const variable = context.row != nullptr ? context.row->variable : nullptr;
    if (variable == nullptr) return false;
    context.step = variable;
    return find_below_variable(context, variable);
}

bool find_in_os_loader(SearchContext& context) {
    if (context.kind() != ArtifactKind::library) return false;
    const OsLoaderPlaces places = os_loader_places();
    for (const std::string& entry : places.ignored) {
        context.remark("LD_LIBRARY_PATH or a run path", "the entry \"" + entry + "\" is relative, ignored");
    }
    for (const char* name : NameList(context.library.file_names)) {
        if (find_soname(context, places, name)) return true;
    }
    note_refused_sonames(context, places);
    return false;
}

bool find_in_cuda_path(SearchContext& context) {
    remark_different_toolkits(context);
    return find_below_variable(context, "CUDA_PATH");
}

bool find_in_cuda_home(SearchContext& context) {
    return find_below_variable(context, "CUDA_HOME");
}

bool find_beside_runtime(SearchContext& context) {
    const CatalogueRow* const runtime = find_row(ArtifactKind::library, "cudart");
    if (context.row == nullptr || context.row->origin != Origin::toolkit || context.row == runtime) return false;
    const OsLoaderPlaces places = os_loader_places();
    const Library library{.name = runtime->name, .file_names = runtime->files.data()};
    SearchContext search{.library = library, .places = {}, .row = runtime, .opens = false};
    for (const char* name : NameList(library.file_names)) {
        if (find_soname(search, places, name)) return find_below(context, toolkit_of(search.found.path));
    }
    context.note("libcudart", "the OS loader does not find it");
    return false;
}

bool find_in_default_prefix(SearchContext& context) {
    return find_below(context, context.places.cuda_prefix);
}

bool find_in_versioned_prefixes(SearchContext& context) {
    const std::vector<std::string> prefixes = versioned_folders(context.places.versioned_prefixes, "cuda-");
    if (prefixes.empty()) context.note(context.places.versioned_prefixes, "no folder such as cuda-13.0");
    for (auto prefix = prefixes.begin(); prefix != prefixes.end(); ++prefix) {
        if (!find_below(context, *prefix)) continue;
        while (++prefix != prefixes.end()) context.remark(*prefix, "was passed over for a newer toolkit: " + context.found.path);
        return true;
    }
    return false;
}

bool find_in_system_folders(SearchContext& context) {
    if (context.row == nullptr || !context.row->is_in_system_folders) return false;
    for (const std::string& prefix : context.places.system_prefixes) {
        if (use_directory(context, prefix + "/include")) return true;
        if (use_directory(context, prefix + "/" + multiarch_folder)) return true;
        for (const std::string& folder : versioned_folders(prefix + "/include", std::string(context.row->name) + "_")) {
            if (use_directory(context, folder)) return true;
        }
    }
    return false;
}

}  // namespace CUBIND_NAMESPACE::detail
