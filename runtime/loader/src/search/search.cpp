// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "search/search.hpp"

#include "search/search_steps.hpp"
#include "search/symbol_lookup.hpp"

namespace CUBIND_NAMESPACE::detail {

namespace {

struct SearchStep {
    const char* found_via;
    bool (*find)(SearchContext& context);
    bool for_driver_libraries;
};

constexpr SearchStep steps[] = {
    {"environment variable", find_in_environment_variable, true},
    {"already loaded", find_in_process, true},
    {"Python wheel", find_in_python_wheels, false},
    {"conda", find_in_conda, false},
    {"product prefix", find_in_product_prefix, false},
    {"OS loader", find_in_os_loader, true},
    {"CUDA_PATH", find_in_cuda_path, false},
    {"CUDA_HOME", find_in_cuda_home, false},
    {"toolkit of libcudart", find_beside_runtime, false},
    {"default prefix", find_in_default_prefix, false},
    {"versioned prefix", find_in_versioned_prefixes, false},
    {"system folder", find_in_system_folders, false},
};

// Returns what the search looks for: "library", "headers".
const char* noun(const SearchContext& context) {
    constexpr const char* nouns[] = {"library", "headers", "static library", "bitcode library", "program"};
    return nouns[static_cast<std::size_t>(context.kind())];
}

std::string remedy(const SearchContext& context) {
    const Library& library = context.library;
    if (context.is_final_step) {
        return std::string("Set ") + library.environment_variable + " to the absolute path of the " + noun(context) +
               ", or unset it to search for the " + noun(context) + ".";
    }
    std::string text = "Install ";
    if (library.from_os_loader_only) {
        text += "the NVIDIA driver";
    } else {
        const bool is_product = context.row != nullptr && context.row->origin == Origin::product;
        const std::string major = library.major != 0 ? std::to_string(library.major) : "";
        if (!is_product) text += "the CUDA toolkit" + (major.empty() ? "" : " " + major);
        if (is_product) text += (major.empty() ? "" : "version " + major + " of ") + std::string("its package");
        text += " or the Python wheel or conda package that contains the " + std::string(noun(context));
    }
    if (library.environment_variable != nullptr) {
        text += std::string(", or set ") + library.environment_variable + "=/absolute/path/of/the/" +
                (context.kind() == ArtifactKind::headers   ? "folder"
                 : context.kind() == ArtifactKind::library ? "library"
                                                           : "file");
    }
    return text + ".";
}

// Returns what could not be loaded, as part of the message: the file in the environment variable, or the sonames.
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

bool run_search(SearchContext& context) {
    for (const SearchStep& step : steps) {
        if (context.is_final_step || (context.library.from_os_loader_only && !step.for_driver_libraries)) {
            continue;
        }
        context.step = step.found_via;
        if (!step.find(context)) continue;
        if (context.library.from_os_loader_only && !context.is_final_step) remark_other_driver(context);
        return true;
    }
    return false;
}

std::string missing_text(const SearchContext& context) {
    const std::string what = context.kind() == ArtifactKind::library ? "" : std::string(noun(context)) + " ";
    const std::string verb = context.opens ? " could not be loaded. " : " was not found in a usable form. ";
    // The first line is complete without the others, for programs that print only one line.
    return "No CUDA " + what + context.library.name + " found: " + missing_file(context) + verb + remedy(context) +
           "\nTried, in this order:\n" + context.log;
}

SearchOutcome search(const Library& library) {
    const char* const first_name = library.file_names != nullptr ? *library.file_names : nullptr;
    SearchContext context{
        .library = library, .places = {}, .row = first_name != nullptr ? find_row_of_file(first_name) : nullptr};
    if (!run_search(context)) return {.handle = nullptr, .path = {}, .found_via = nullptr, .missing = missing_text(context)};
    std::string notes;
    for (const std::string& note : context.notes) notes += note + "\n";
    return {.handle = context.found.handle,
            .path = context.found.path,
            .found_via = context.step,
            .missing = {},
            .notes = std::move(notes),
            .find = library.from_os_loader_only ? find_own_lookup(context.found.handle) : nullptr};
}

}  // namespace CUBIND_NAMESPACE::detail
