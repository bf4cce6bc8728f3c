// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include "commands/commands.hpp"
#include "commands/parallel.hpp"
#include "emit/output_tree.hpp"
#include "error.hpp"
#include "extract/extractor.hpp"
#include "extract/header_release.hpp"
#include "join_strings.hpp"
#include "model/build.hpp"

namespace cubind::gen::commands {

std::vector<std::string> select_libraries(const Folders& folders, const std::vector<std::string>& wanted) {
    const auto known = model::libraries(folders.specs);
    for (const auto& library : wanted) {
        if (std::find(known.begin(), known.end(), library) != known.end()) continue;
        throw InputError(folders.specs.string() + ": there is no library \"" + library + "\". The libraries are " +
                         join_strings(known) + ". To add a library, create its folder with a library.json there.");
    }
    return wanted.empty() ? known : wanted;
}

int emit(const Folders& folders, std::vector<std::string> libraries, const EmitOptions& options) {
    libraries = select_libraries(folders, libraries);
    const emit::Templates templates(folders.templates);
    const auto rendered = for_each_library(libraries, "rendering", [&](const std::string& library) {
        model::Model model = model::build(folders.specs, library);
        model::require_decided(model);
        if (!options.vendor_docs.empty()) {
            const std::string release = extract::find_releases({model.config}, options.vendor_docs).at(library);
            extract::extract(model.config, options.vendor_docs, release, &model.vendor_docs);
        }
        return emit::render_library(model, templates);
    });
    emit::Outputs outputs;
    for (const auto& each : rendered) outputs.insert(each.begin(), each.end());

    return OutputFolder{folders.output, outputs, libraries}.write_or_check(options.check, "emit");
}

std::string OutputFolder::stage(emit::FileBatch& batch) const {
    const std::size_t changed = emit::stage(folder, outputs, subfolders, batch);
    return folder.string() + ": " + std::to_string(outputs.size()) + " files, " + std::to_string(changed) + " changed\n";
}

int OutputFolder::check(const std::string& command) const {
    const auto differences = emit::compare(folder, outputs, subfolders);
    for (const auto& difference : differences) {
        std::cerr << (folder / difference.path).string() << " " << difference.reason << "\n";
    }
    if (!differences.empty()) {
        std::cerr << differences.size() << " of " << outputs.size() << " generated files differ; run `cubind-gen " << command
                  << "` and commit the files that it writes\n";
        return 1;
    }
    std::cout << folder.string() << ": all " << outputs.size() << " files match the output of " << command << "\n";
    return 0;
}

int OutputFolder::write_or_check(bool only_check, const std::string& command) const {
    if (only_check) return check(command);
    emit::FileBatch batch;
    const std::string line = stage(batch);
    batch.commit();
    std::cout << line;
    return 0;
}

}  // namespace cubind::gen::commands
