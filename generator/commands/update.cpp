// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/changes.hpp"
#include "commands/commands.hpp"
#include "commands/gather.hpp"
#include "commands/parallel.hpp"
#include "emit/outputs.hpp"
#include "model/build.hpp"
#include "spec/facts_file.hpp"

#include <algorithm>
#include <iostream>
#include <set>

namespace cubind::gen::commands {
namespace {

/// One library decided and, if nothing is open, rendered.
struct Rendered {
    std::string questions;
    std::string judged_by_relatives;
    emit::Outputs outputs;
};

/// A line for each new function whose pointers the lines of an earlier one answer for.
std::string judged_by_relatives(const model::Model& model, const spec::Facts& known) {
    std::set<std::string> old;
    for (const auto& function : known.functions) old.insert(function.name);
    std::string text;
    for (const auto& function : model.functions) {
        if (old.empty() || old.contains(function.symbol)) continue;
        for (const auto& parameter : function.parameters) {
            if (parameter.judged_as.empty() || parameter.judged_as == function.symbol) continue;
            text += model.config.library + ": " + function.symbol + " is judged by the line of " + parameter.judged_as + "\n";
            break;
        }
    }
    return text;
}

Rendered render(const Folders& folders, const Gathered& gathered, const emit::Templates& templates) {
    const model::Model model = model::build(folders.specs, gathered.config.library, gathered.merged);
    const auto wording = [&](const std::string& subject) {
        const auto lines = gathered.comments.find(subject);
        return lines != gathered.comments.end() ? lines->second : std::vector<std::string>();
    };
    Rendered rendered{model::questions_text(model, wording), judged_by_relatives(model, gathered.known), {}};
    if (rendered.questions.empty()) rendered.outputs = emit::render_library(model, templates);
    return rendered;
}

/// Every library with the facts that it will have: those gathered, and the others as they stand.
diff::Libraries libraries_after(const Folders& folders, const Gathering& gathering) {
    diff::Libraries libraries;
    for (const auto& name : known_libraries(folders, {})) {
        const auto gathered = std::find_if(gathering.libraries.begin(), gathering.libraries.end(),
                                           [&](const Gathered& each) { return each.config.library == name; });
        const fs::path folder = folders.specs / name;
        if (gathered != gathering.libraries.end()) {
            libraries.push_back({gathered->config, gathered->merged});
        } else if (fs::exists(folder / "api.json")) {
            libraries.push_back({spec::read_library(folder / "library.json"), spec::read_facts(folder / "api.json")});
        }
    }
    return libraries;
}

}  // namespace

int update(const Folders& folders, const std::vector<std::string>& wanted, const std::vector<fs::path>& includes) {
    const emit::Templates templates(folders.templates);
    const Gathering gathering = gather(folders, {wanted, true}, includes);
    std::vector<std::string> names;
    for (const auto& each : gathering.libraries) names.push_back(each.config.library);
    const auto rendered = for_each_library(names, "rendering", [&](const std::string& library) {
        const auto index = std::find(names.begin(), names.end(), library) - names.begin();
        return render(folders, gathering.libraries[static_cast<std::size_t>(index)], templates);
    });

    print_changes(gathering, templates);
    std::string questions;
    for (const auto& each : rendered) {
        std::cout << each.judged_by_relatives;
        questions += each.questions;
    }
    if (!questions.empty()) {
        std::cout << "Nothing was written: these need a person. Each line is proposed from names and types alone. Read the words below it, "
                     "correct the line, put it into its file, and run this again.\n\n"
                  << questions;
        return 1;
    }
    emit::Outputs outputs;
    for (const auto& each : rendered) outputs.insert(each.outputs.begin(), each.outputs.end());
    const emit::Outputs pages = diff::pages(libraries_after(folders, gathering), templates);
    emit::FileBatch batch;
    std::string lines = stage_specs(folders, gathering, batch);
    lines += Written{folders.output, outputs, names}.stage(batch);
    lines += Written{folders.docs, pages, {diff::pages_folder}}.stage(batch);
    batch.commit();
    std::cout << lines;
    return 0;
}

}  // namespace cubind::gen::commands
