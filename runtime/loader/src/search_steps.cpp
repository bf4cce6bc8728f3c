// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "search_steps.hpp"

#include <cubind/detail/environment.hpp>

#include <dlfcn.h>
#include <initializer_list>
#include <memory>

#include "candidate.hpp"
#include "loaded_path.hpp"
#include "name_list.hpp"
#include "os_loader_folders.hpp"
#include "site_packages.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

#if defined(__aarch64__)
constexpr const char* target_folder = "/targets/sbsa-linux/lib";
#else
constexpr const char* target_folder = "/targets/x86_64-linux/lib";
#endif

struct CloseLibrary {
    void operator()(void* library) const noexcept { dlclose(library); }
};

void* find_below(SearchContext& context, const std::string& root, std::initializer_list<const char*> folders) {
    for (const char* folder : folders) {
        if (void* const handle = open_in_directory(context, root + folder)) {
            return handle;
        }
    }
    return nullptr;
}

void* find_in_wheels_below(SearchContext& context, const std::string& prefix) {
    const std::vector<std::string> site_packages = site_packages_below(prefix);
    if (site_packages.empty()) {
        context.note(prefix + "/lib", "no Python 3 site-packages");
    }
    for (const std::string& folder : site_packages) {
        for (const char* wheel_directory : NameList(context.library.wheel_directories)) {
            if (void* const handle = open_in_directory(context, folder + "/" + wheel_directory)) {
                return handle;
            }
        }
    }
    return nullptr;
}

void* find_in_toolkit(SearchContext& context, const char* variable) {
    const std::string root = environment_root(context, variable);
    return root.empty() ? nullptr : find_below(context, root, {"/lib64", "/lib", target_folder});
}

}  // namespace

void* find_in_environment_variable(SearchContext& context) {
    const char* const variable = context.library.environment_variable;
    if (variable == nullptr) {
        return nullptr;
    }
    const std::string place = std::string("$") + variable;
    const char* const file = environment_variable(variable);
    if (file == nullptr || *file == '\0') {
        context.note(place, file == nullptr ? "not set" : "empty, ignored");
        return nullptr;
    }
    context.is_final_step = true;
    if (*file != '/') {
        context.note(place, std::string(file) + " is not an absolute path");
        return nullptr;
    }
    return open_file(context, file);
}

void* find_in_process(SearchContext& context) {
    if (void* const handle = open_by_name(context, RTLD_NOLOAD)) {
        return handle;
    }
    for (const char* name : NameList(context.library.refused_file_names)) {
        const std::unique_ptr<void, CloseLibrary> refused(dlopen(name, RTLD_NOLOAD | RTLD_LAZY));
        if (refused != nullptr) {
            context.note_refused(loaded_path(refused.get()));
        }
    }
    dlerror();
    return nullptr;
}

void* find_in_python_wheels(SearchContext& context) {
    if (NameList(context.library.wheel_directories).begin() == NameList(context.library.wheel_directories).end()) {
        return nullptr;
    }
    std::vector<std::string> prefixes = {environment_root(context, "VIRTUAL_ENV"), environment_root(context, "CONDA_PREFIX"),
                                         environment_root(context, "HOME")};
    if (!prefixes.back().empty()) {
        prefixes.back() += "/.local";
    }
    prefixes.insert(prefixes.end(), context.places.python_prefixes.begin(), context.places.python_prefixes.end());
    for (const std::string& prefix : prefixes) {
        void* const handle = prefix.empty() ? nullptr : find_in_wheels_below(context, prefix);
        if (handle != nullptr) {
            return handle;
        }
    }
    return nullptr;
}

void* find_in_conda(SearchContext& context) {
    const std::string root = environment_root(context, "CONDA_PREFIX");
    return root.empty() ? nullptr : find_below(context, root, {"/lib", target_folder});
}

void* find_in_os_loader(SearchContext& context) {
    if (void* const handle = open_by_name(context, 0)) {
        return handle;
    }
    for (const std::string& folder : os_loader_folders()) {
        note_refused_in_directory(context, folder);
    }
    return nullptr;
}

void* find_in_cuda_path(SearchContext& context) {
    return find_in_toolkit(context, "CUDA_PATH");
}

void* find_in_cuda_home(SearchContext& context) {
    return find_in_toolkit(context, "CUDA_HOME");
}

void* find_in_default_prefix(SearchContext& context) {
    return find_below(context, context.places.cuda_prefix, {"/lib64"});
}

}  // namespace CUBIND_NAMESPACE::detail
