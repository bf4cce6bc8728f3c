// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iomanip>
#include <iostream>

#include "commands/commands.hpp"
#include "commands/parallel.hpp"
#include "model/build.hpp"

namespace cubind::gen::commands {
namespace {

struct Row {
    std::string library;
    std::string release;
    std::size_t functions = 0;
    std::size_t public_functions = 0;
    std::size_t bound = 0;
    std::size_t types = 0;
    std::size_t constants = 0;
    std::size_t pointers = 0;
    std::vector<model::Question> questions;
};

Row count(const model::Model& model) {
    Row row;
    row.library = model.config.library;
    row.release = model.facts.releases.back();
    row.functions = model.facts.functions.size();
    row.bound = model.functions.size();
    row.types = model.facts.enums.size() + model.facts.records.size() + model.facts.opaque_records.size() +
                model.facts.handles.size() + model.facts.aliases.size() + model.facts.callbacks.size();
    row.constants = model.facts.constants.size();
    for (const auto& function : model.functions) {
        row.public_functions += function.view.empty() ? 1 : 0;
        row.pointers += static_cast<std::size_t>(std::count_if(function.parameters.begin(), function.parameters.end(),
                                                               [](const auto& each) { return each.needs_annotation(); }));
    }
    row.questions = model.questions;
    return row;
}

}  // namespace

int report(const Folders& folders) {
    const auto rows = for_each_library(select_libraries(folders, {}), "counting",
                                       [&](const std::string& library) { return count(model::build(folders.specs, library)); });
    std::cout << std::left << std::setw(12) << "library" << std::right << std::setw(9) << "release" << std::setw(11)
              << "functions" << std::setw(9) << "public" << std::setw(9) << "bound" << std::setw(9) << "types" << std::setw(11)
              << "constants" << std::setw(10) << "pointers" << std::setw(11) << "undecided"
              << "\n";
    std::size_t undecided = 0;
    for (const auto& row : rows) {
        const std::string bound = std::to_string(row.functions == 0 ? 0 : 100 * row.bound / row.functions) + " %";
        std::cout << std::left << std::setw(12) << row.library << std::right << std::setw(9) << row.release << std::setw(11)
                  << row.functions << std::setw(9) << row.public_functions << std::setw(9) << bound << std::setw(9) << row.types
                  << std::setw(11) << row.constants << std::setw(10) << row.pointers << std::setw(11) << row.questions.size()
                  << "\n";
        undecided += row.questions.size();
    }
    for (const auto& row : rows) {
        for (const auto& question : row.questions) {
            std::cout << "undecided: " << row.library << ": " << question.subject
                      << (question.parameter.empty() ? "" : ": " + question.declaration) << "\n";
        }
    }
    return undecided == 0 ? 0 : 1;
}

}  // namespace cubind::gen::commands
