// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "search.hpp"

#include "loaded_path.hpp"
#include "search_steps.hpp"
#include "symbol_lookup.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

struct SearchStep {
    const char* found_via;
    void* (*find)(SearchContext& context);
    bool for_driver_libraries;
};

constexpr SearchStep steps[] = {
    {"environment variable", find_in_environment_variable, true},
    {"already loaded", find_in_process, true},
    {"Python wheel", find_in_python_wheels, false},
    {"conda", find_in_conda, false},
    {"OS loader", find_in_os_loader, true},
    {"CUDA_PATH", find_in_cuda_path, false},
    {"CUDA_HOME", find_in_cuda_home, false},
    {"default prefix", find_in_default_prefix, false},
};

std::string remedy(const SearchContext& context) {
    const Library& library = context.library;
    if (context.is_final_step) {
        return std::string("Set ") + library.environment_variable +
               " to the absolute path of the library, or unset it to search for the library.";
    }
    std::string text = "Install ";
    if (library.from_os_loader_only) {
        text += "the NVIDIA driver";
    } else {
        text += "the CUDA toolkit";
        if (library.major != 0) {
            text += ' ';
            text += std::to_string(library.major);
        }
        text += " or the Python wheel or conda package that contains the library";
    }
    if (library.environment_variable != nullptr) {
        text += std::string(", or set ") + library.environment_variable + "=/absolute/path/of/the/library";
    }
    return text + ".";
}

// Returns a text for the file that could not be loaded: the value of the environment variable, or the sonames.
std::string missing_file(const SearchContext& context) {
    const Library& library = context.library;
    if (context.is_final_step) return std::string("the file that ") + library.environment_variable + " names";
    std::string text;
    for (const char* const* name = library.file_names; name != nullptr && *name != nullptr; ++name) {
        text += std::string(text.empty() ? "" : " or ") + *name;
    }
    return text;
}

}  // namespace

SearchOutcome search(const Library& library) {
    SearchContext context{.library = library};
    for (const SearchStep& step : steps) {
        if (context.is_final_step || (library.from_os_loader_only && !step.for_driver_libraries)) {
            continue;
        }
        context.step = step.found_via;
        if (void* const handle = step.find(context)) {
            return {.handle = handle,
                    .path = loaded_path(handle),
                    .found_via = step.found_via,
                    .missing = {},
                    .find = library.from_os_loader_only ? find_own_lookup(handle) : nullptr};
        }
    }
    return {.handle = nullptr,
            .path = {},
            .found_via = nullptr,
            // The first line is complete without the others, for programs that print only one line.
            .missing = std::string("No CUDA ") + library.name + " found: " + missing_file(context) + " could not be loaded. " +
                       remedy(context) + "\nTried, in this order:\n" + context.log};
}

}  // namespace CUBIND_NAMESPACE::detail
