// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/build.hpp"

#include "error.hpp"
#include "model/passes/passes.hpp"
#include "spec/facts_file.hpp"

#include <algorithm>

namespace cubind::gen::model {

Model build(const std::filesystem::path& specs, const std::string& library) {
    const std::filesystem::path folder = specs / library;
    Model model;
    model.place = folder.string();
    model.config = spec::read_library(folder / "library.json");
    if (!std::filesystem::exists(folder / "api.json")) {
        throw InputError(model.place + "/api.json: does not exist; run cubind-gen extract " + library + " --include DIR");
    }
    model.facts = spec::read_facts(folder / "api.json");
    model.overrides = spec::read_overrides(folder / "overrides.json");
    if (model.facts.library != library) {
        throw InputError(model.place + "/api.json: holds the facts of " + model.facts.library + ", not of " + library +
                         "; extract " + library + " again");
    }
    resolve_types(model);
    name_enums(model);
    name_functions(model);
    name_parameters(model);
    group_functions(model);
    infer_judgements(model);
    apply_overrides(model);
    check_overrides(model);
    order_types(model);
    return model;
}

std::vector<Undecided> undecided(const Model& model) {
    std::vector<Undecided> found;
    for (const auto& function : model.functions) {
        for (const auto& parameter : function.parameters) {
            if (!parameter.needs_judgement() || parameter.judgement) continue;
            found.push_back({function.symbol, parameter.vendor_name,
                             print_type(parameter.type, [](const std::string& name) { return name; })});
        }
    }
    return found;
}

void require_decided(const Model& model) {
    const auto missing = undecided(model);
    if (missing.empty()) return;
    std::string text = model.place + "/overrides.json: nothing decides " + std::to_string(missing.size()) +
                       " pointer parameter(s). Read their documentation and add under functions:";
    for (const auto& entry : missing) {
        text += "\n  \"" + entry.function + "\": {\"" + entry.parameter + "\": \"DIRECTION SHAPE\"}    // " + entry.type;
    }
    throw InputError(text);
}

std::vector<std::string> libraries(const std::filesystem::path& specs) {
    std::vector<std::string> names;
    if (!std::filesystem::is_directory(specs)) {
        throw InputError(specs.string() + ": is not a folder; give the folder of the specs with --specs or --root");
    }
    for (const auto& entry : std::filesystem::directory_iterator(specs)) {
        if (std::filesystem::exists(entry.path() / "library.json")) names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    if (names.empty()) throw InputError(specs.string() + ": holds no library (a folder with a library.json)");
    return names;
}

}  // namespace cubind::gen::model
