// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "commands/commands.hpp"
#include "commands/parallel.hpp"
#include "diff/pages.hpp"
#include "emit/output_tree.hpp"
#include "error.hpp"
#include "join_strings.hpp"
#include "spec/facts_file.hpp"
#include "spec/release.hpp"

namespace cubind::gen::commands {
namespace {

diff::Libraries read_libraries(const Folders& folders, const std::vector<std::string>& wanted = {}) {
    return for_each_library(select_libraries(folders, wanted), "reading", [&](const std::string& library) {
        const fs::path folder = folders.specs / library;
        const spec::LibraryConfig config = spec::read_library(folder / "library.json");
        return diff::Library{config, spec::read_facts(folder / "api.json", config)};
    });
}

/// Returns the named library, or all libraries that are numbered by releases of CUDA.
diff::Libraries comparable_libraries(const Folders& folders, const DiffOptions& options) {
    if (!options.library.empty()) return read_libraries(folders, {options.library});
    const auto libraries = read_libraries(folders);
    const auto groups = diff::by_numbering(libraries);
    const bool has_versions = spec::is_version(options.before) || spec::is_version(options.after);
    if (!has_versions && groups.front().front().config.is_numbered_by_cuda()) return groups.front();
    std::vector<std::string> names;
    for (const auto& library : libraries) {
        if (!library.config.is_numbered_by_cuda()) names.push_back(library.config.library);
    }
    throw InputError("diff: " + options.before + " and " + options.after +
                     " are versions of one library; name the library with --library. " +
                     (names.empty() ? "No library has versions of its own."
                                    : "The libraries with versions of their own are " + join_strings(names) + "."));
}

}  // namespace

int diff(const Folders& folders, const DiffOptions& options) {
    for (const auto& release : {options.before, options.after}) spec::check_release(release, "diff");
    std::cout << diff::render(diff::compare_releases(comparable_libraries(folders, options), options.before, options.after),
                              options.format, emit::Templates(folders.templates));
    return 0;
}

int pages(const Folders& folders, bool check) {
    const auto outputs = diff::pages(read_libraries(folders), emit::Templates(folders.templates));
    return OutputFolder{folders.docs, outputs, {diff::pages_folder}}.write_or_check(check, "pages");
}

}  // namespace cubind::gen::commands
