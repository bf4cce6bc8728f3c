// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <set>

#include "commands/changes.hpp"
#include "commands/commands.hpp"
#include "commands/merge_release.hpp"
#include "commands/parallel.hpp"
#include "commands/review.hpp"
#include "emit/outputs.hpp"
#include "join_strings.hpp"
#include "model/build.hpp"
#include "spec/facts_file.hpp"

namespace cubind::gen::commands {
namespace {

/// The open questions of one library and, if there are none, its rendered files.
struct LibraryOutput {
    std::string questions;
    std::string review;  ///< what to check by hand, one line each
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

LibraryOutput render(const Folders& folders, const MergedLibrary& merged_library, const model::FactsOf& facts_of,
                     const emit::Templates& templates) {
    const model::Model model = model::build(folders.specs, merged_library.config.library, merged_library.merged, facts_of);
    const auto wording = [&](const std::string& subject) {
        const auto lines = merged_library.comments.find(subject);
        return lines != merged_library.comments.end() ? lines->second : std::vector<std::string>();
    };
    LibraryOutput rendered{model::questions_text(model, wording),
                           inherited_annotations(model, merged_library.known) + review_text(merged_library, model.overrides),
                           {}};
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
            const spec::LibraryConfig config = spec::read_library(folder / "library.json");
            libraries.push_back({config, spec::read_facts(folder / "api.json", config)});
        }
    }
    return libraries;
}

/// The libraries that are not written, and why.
struct Undecided {
    std::set<std::string> libraries;
    std::string questions;
    std::string waiting;  ///< a line for each library without a question that uses another of these libraries
};

/// Returns the libraries that have open questions or that use such a library. `rendered` has the output of each library of the
/// release; a library follows those that it uses.
Undecided find_undecided(const Folders& folders, const MergedRelease& merged_release,
                         const std::vector<LibraryOutput>& rendered) {
    Undecided undecided;
    for (std::size_t index = 0; index < rendered.size(); ++index) {
        const spec::LibraryConfig& config = merged_release.libraries[index].config;
        if (!rendered[index].questions.empty()) {
            undecided.libraries.insert(config.library);
            undecided.questions += rendered[index].questions;
            continue;
        }
        for (const auto& used : model::used_libraries(folders.specs, config)) {
            if (!undecided.libraries.contains(used.library)) continue;
            undecided.libraries.insert(config.library);
            undecided.waiting += config.library + ": not written, because it uses types of " + used.library + "\n";
            break;
        }
    }
    return undecided;
}

/// Writes specs, code and pages of the libraries that are decided. Prints the number of files.
void write_decided(const Folders& folders, MergedRelease merged_release, const std::vector<LibraryOutput>& rendered,
                   const Undecided& undecided, const emit::Templates& templates) {
    emit::Outputs outputs;
    std::vector<std::string> names;
    for (std::size_t index = 0; index < rendered.size(); ++index) {
        const std::string& library = merged_release.libraries[index].config.library;
        if (undecided.libraries.contains(library)) continue;
        names.push_back(library);
        outputs.insert(rendered[index].outputs.begin(), rendered[index].outputs.end());
    }
    std::erase_if(merged_release.libraries,
                  [&](const MergedLibrary& each) { return undecided.libraries.contains(each.config.library); });
    if (names.empty()) return;
    const emit::Outputs pages = diff::pages(libraries_after(folders, merged_release), templates);
    emit::FileBatch batch;
    std::string lines = stage_specs(folders, merged_release, batch);
    lines += OutputFolder{folders.output, outputs, names}.stage(batch);
    lines += OutputFolder{folders.docs, pages, {diff::pages_folder}}.stage(batch);
    batch.commit();
    std::cout << lines;
}

}  // namespace

int update(const Folders& folders, const std::vector<std::string>& wanted, const std::vector<fs::path>& includes) {
    const emit::Templates templates(folders.templates);
    const MergedRelease merged_release = merge_release(folders, {wanted, true}, includes);
    const model::FactsOf facts_of = merged_facts(folders, merged_release);
    std::vector<std::string> names;
    for (const auto& each : merged_release.libraries) names.push_back(each.config.library);
    const auto rendered = for_each_library(names, "rendering", [&](const std::string& library) {
        const auto index = std::find(names.begin(), names.end(), library) - names.begin();
        return render(folders, merged_release.libraries[static_cast<std::size_t>(index)], facts_of, templates);
    });

    print_changes(merged_release, templates);
    for (const auto& each : rendered) std::cout << each.review;
    const Undecided undecided = find_undecided(folders, merged_release, rendered);
    write_decided(folders, merged_release, rendered, undecided, templates);
    if (undecided.libraries.empty()) return 0;
    std::cout << undecided.waiting << "Nothing was written for "
              << join_strings(std::vector<std::string>(undecided.libraries.begin(), undecided.libraries.end()))
              << ", because these questions are open. Each line below is proposed from names and types alone. Read the "
                 "documentation printed below it, correct the line, add it to its file, and run this command again.\n\n"
              << undecided.questions;
    return 1;
}

}  // namespace cubind::gen::commands
