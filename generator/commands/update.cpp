// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <set>

#include "commands/changes.hpp"
#include "commands/commands.hpp"
#include "commands/merge_release.hpp"
#include "commands/parallel.hpp"
#include "emit/outputs.hpp"
#include "model/build.hpp"
#include "spec/facts_file.hpp"

namespace cubind::gen::commands {
namespace {

/// The open questions of one library and, if there are none, its rendered files.
struct LibraryOutput {
    std::string questions;
    std::string inherited_annotations;
    emit::Outputs outputs;
};

/// Returns a line for each new function whose pointers take the annotations of an earlier function.
std::string inherited_annotations(const model::Model& model, const spec::Facts& known) {
    std::set<std::string> old;
    for (const auto& function : known.functions) old.insert(function.name);
    std::string text;
    for (const auto& function : model.functions) {
        if (old.empty() || old.contains(function.symbol)) continue;
        for (const auto& parameter : function.parameters) {
            if (parameter.annotation_key.empty() || parameter.annotation_key == function.symbol) continue;
            text += model.config.library + ": " + function.symbol + " uses the annotations of " + parameter.annotation_key +
                    " in overrides.json\n";
            break;
        }
    }
    return text;
}

LibraryOutput render(const Folders& folders, const MergedLibrary& merged_library, const emit::Templates& templates) {
    const model::Model model = model::build(folders.specs, merged_library.config.library, merged_library.merged);
    const auto wording = [&](const std::string& subject) {
        const auto lines = merged_library.comments.find(subject);
        return lines != merged_library.comments.end() ? lines->second : std::vector<std::string>();
    };
    LibraryOutput rendered{model::questions_text(model, wording), inherited_annotations(model, merged_library.known), {}};
    if (rendered.questions.empty()) rendered.outputs = emit::render_library(model, templates);
    return rendered;
}

/// Returns every library with its facts after the update: the merged facts if the update merged the library, otherwise the facts
/// in its api.json.
diff::Libraries libraries_after(const Folders& folders, const MergedRelease& merged_release) {
    diff::Libraries libraries;
    for (const auto& name : select_libraries(folders, {})) {
        const auto merged_library = std::find_if(merged_release.libraries.begin(), merged_release.libraries.end(),
                                                 [&](const MergedLibrary& each) { return each.config.library == name; });
        const fs::path folder = folders.specs / name;
        if (merged_library != merged_release.libraries.end()) {
            libraries.push_back({merged_library->config, merged_library->merged});
        } else if (fs::exists(folder / "api.json")) {
            libraries.push_back({spec::read_library(folder / "library.json"), spec::read_facts(folder / "api.json")});
        }
    }
    return libraries;
}

}  // namespace

int update(const Folders& folders, const std::vector<std::string>& wanted, const std::vector<fs::path>& includes) {
    const emit::Templates templates(folders.templates);
    const MergedRelease merged_release = merge_release(folders, {wanted, true}, includes);
    std::vector<std::string> names;
    for (const auto& each : merged_release.libraries) names.push_back(each.config.library);
    const auto rendered = for_each_library(names, "rendering", [&](const std::string& library) {
        const auto index = std::find(names.begin(), names.end(), library) - names.begin();
        return render(folders, merged_release.libraries[static_cast<std::size_t>(index)], templates);
    });

    print_changes(merged_release, templates);
    std::string questions;
    for (const auto& each : rendered) {
        std::cout << each.inherited_annotations;
        questions += each.questions;
    }
    if (!questions.empty()) {
        std::cout << "Nothing was written, because these questions are open. Each line below is proposed from names and types "
                     "alone. Read the "
                     "documentation printed below it, correct the line, add it to its file, and run this command again.\n\n"
                  << questions;
        return 1;
    }
    emit::Outputs outputs;
    for (const auto& each : rendered) outputs.insert(each.outputs.begin(), each.outputs.end());
    const emit::Outputs pages = diff::pages(libraries_after(folders, merged_release), templates);
    emit::FileBatch batch;
    std::string lines = stage_specs(folders, merged_release, batch);
    lines += OutputFolder{folders.output, outputs, names}.stage(batch);
    lines += OutputFolder{folders.docs, pages, {diff::pages_folder}}.stage(batch);
    batch.commit();
    std::cout << lines;
    return 0;
}

}  // namespace cubind::gen::commands
