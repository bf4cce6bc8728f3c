// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.hpp"
#include "commands/gather.hpp"
#include "commands/new_major.hpp"
#include "commands/parallel.hpp"
#include "diff/compare.hpp"
#include "emit/outputs.hpp"
#include "model/build.hpp"
#include "spec/facts_file.hpp"
#include "spec/merge.hpp"
#include "spec/release.hpp"

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

/// Says how the release stands to those that the specs had.
void describe_release(const Gathering& gathering) {
    for (const auto& each : gathering.libraries) {
        const auto& known = each.known.releases;
        std::cout << each.config.library << ": CUDA " << each.release();
        if (std::find(known.begin(), known.end(), each.release()) != known.end()) {
            std::cout << (each.is_same ? " is in the spec already, and these headers say the same"
                               : " is in the spec already; these headers say otherwise and take its place");
        } else if (!known.empty() && spec::EarlierRelease{}(each.release(), known.back())) {
            std::cout << " is older than " << known.back() << ": its facts go below, generated code follows the newest";
        } else {
            std::cout << " is new";
        }
        std::cout << "\n";
    }
}

void print_diff(const Gathering& gathering, const emit::Templates& templates) {
    diff::Libraries libraries;
    for (const auto& each : gathering.libraries) libraries.push_back({each.config, each.merged});
    const std::string& release = gathering.libraries.front().release();
    const auto releases = diff::all_releases(libraries);
    const auto here = std::find(releases.begin(), releases.end(), release);
    if (here == releases.begin()) {
        std::cout << "\nno release before CUDA " << release << " is known, so there is nothing to compare with\n";
        return;
    }
    const spec::Json diff = diff::diff_of(libraries, *(here - 1), release);
    std::cout << "\n" << diff::render(diff, diff::Format::text, templates);
}

/// The names whose next use would call another function than before, now that the headers are these.
void print_changed_meanings(const Gathering& gathering) {
    for (const auto& each : gathering.libraries) {
        const auto& known = each.known.releases;
        if (known.empty() || !spec::EarlierRelease{}(known.back(), each.release())) continue;
        const auto major = each.config.loading.major;
        if (major != 0 && major != spec::release_number(each.release()) / 1000) continue;  // its wrappers stay
        for (const auto& name : diff::compare_public_names(spec::snapshot(each.known, known.back()), each.fresh)) {
            const std::string before = name["old"];
            const std::string now = name["new"];
            if (before.empty() || now.empty() || before == now) continue;
            std::cout << each.config.library << ": " << name["name"].get<std::string>() << " will mean " << now << ", no longer " << before
                      << "; programs that are built anew call the new one\n";
        }
    }
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

    describe_release(gathering);
    for (const auto& gap : gathering.gaps) std::cout << gap << "\n";
    for (const auto& each : gathering.libraries) std::cout << new_major_text(each);
    print_diff(gathering, templates);
    std::cout << "\n";
    print_changed_meanings(gathering);

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
