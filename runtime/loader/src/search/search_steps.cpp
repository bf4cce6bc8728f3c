// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "search/search_steps.hpp"

#include <algorithm>

#include "platform/dynamic_library.hpp"
#include "platform/environment.hpp"
#include "platform/loaded_path.hpp"
#include "search/candidate.hpp"
#include "search/name_list.hpp"
#include "search/site_packages.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

bool find_in_wheels_below(SearchContext& context, const std::string& prefix) {
    std::string problem = "no Python 3 site-packages";
    const std::vector<std::string> site_packages = site_packages_below(prefix, &problem);
    if (site_packages.empty()) {
        context.note(prefix + "/lib", problem);
    }
    for (const std::string& folder : site_packages) {
        for (const char* wheel : NameList(context.library.wheel_directories)) {
            const std::string directory = folder + "/" + wheel;
            if (use_directory(context, directory)) return true;
            // The wheels of a CUDA release share one folder. Each other folder belongs to the wheel of the library.
            const bool is_shared = std::string_view(wheel).starts_with("nvidia/cu1");
            if (!is_shared && folder_problem(directory).empty()) {
                context.remark(directory, std::string("is the folder of the wheel and has no usable ") + context.library.name);
            }
        }
    }
    return false;
}

void add_prefix(std::vector<std::string>& prefixes, const std::string& prefix) {
    if (!prefix.empty() && std::find(prefixes.begin(), prefixes.end(), prefix) == prefixes.end()) prefixes.push_back(prefix);
}

}  // namespace

bool find_in_environment_variable(SearchContext& context) {
    const char* const variable = context.library.environment_variable;
    if (variable == nullptr) {
        return false;
    }
    const std::string place = std::string("$") + variable;
    const char* const file = environment_variable(variable);
    if (file == nullptr || *file == '\0') {
        context.note(place, file == nullptr ? "not set" : "empty, ignored");
        return false;
    }
    context.is_final_step = true;
    if (*file != '/') {
        context.note(place, std::string(file) + " is not an absolute path");
        return false;
    }
    return context.kind() == ArtifactKind::headers ? use_directory(context, file) : use_file(context, file, true);
}

bool find_in_process(SearchContext& context) {
    if (context.kind() != ArtifactKind::library) return false;
    if (use_loaded(context)) return true;
    for (const char* name : NameList(context.library.refused_file_names)) {
        const LibraryHandle refused(find_loaded_library(name));
        if (refused != nullptr) {
            context.note_refused(loaded_path(refused.get()));
        }
    }
    loader_error();
    return false;
}

bool find_in_python_wheels(SearchContext& context) {
    if (NameList(context.library.wheel_directories).begin() == NameList(context.library.wheel_directories).end()) {
        return false;
    }
    std::vector<std::string> prefixes;
    add_prefix(prefixes, environment_root(context, "VIRTUAL_ENV"));
    add_prefix(prefixes, environment_root(context, "CONDA_PREFIX"));
    add_prefix(prefixes, python_prefix_on_path());
    const std::string home = environment_root(context, "HOME");
    if (!home.empty()) add_prefix(prefixes, home + "/.local");
    for (const std::string& prefix : context.places.python_prefixes) add_prefix(prefixes, prefix);
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](const std::string& prefix) { return find_in_wheels_below(context, prefix); });
}

}  // namespace CUBIND_NAMESPACE::detail
