// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "commands/commands.hpp"
#include "commands/parallel.hpp"
#include "diff/pages.hpp"
#include "emit/output_tree.hpp"
#include "spec/facts_file.hpp"
#include "spec/release.hpp"

namespace cubind::gen::commands {
namespace {

diff::Libraries read_libraries(const Folders& folders) {
    return for_each_library(select_libraries(folders, {}), "reading", [&](const std::string& library) {
        const fs::path folder = folders.specs / library;
        return diff::Library{spec::read_library(folder / "library.json"), spec::read_facts(folder / "api.json")};
    });
}

}  // namespace

int diff(const Folders& folders, const std::string& before, const std::string& after, diff::Format format) {
    for (const auto& release : {before, after}) spec::check_release(release, "diff");
    std::cout << diff::render(diff::compare_releases(read_libraries(folders), before, after), format,
                              emit::Templates(folders.templates));
    return 0;
}

int pages(const Folders& folders, bool check) {
    const auto outputs = diff::pages(read_libraries(folders), emit::Templates(folders.templates));
    return OutputFolder{folders.docs, outputs, {diff::pages_folder}}.write_or_check(check, "pages");
}

}  // namespace cubind::gen::commands
