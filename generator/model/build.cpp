// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/build.hpp"

#include <algorithm>

#include "error.hpp"
#include "model/passes/passes.hpp"
#include "spec/facts_file.hpp"

namespace cubind::gen::model {

std::string declaration_of(const Parameter& parameter) {
    const auto as_in_header = [](const std::string& name) { return name; };
    if (parameter.extent == 0) return print_declaration(parameter.type, parameter.vendor_name, as_in_header);
    const std::string name = parameter.vendor_name + "[" + std::to_string(parameter.extent) + "]";
    return print_declaration(*parameter.type.inner, name, as_in_header);
}

std::optional<std::size_t> Function::position_of(const std::string& parameter) const {
    const auto found =
        std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& each) { return each.vendor_name == parameter; });
    if (found == parameters.end()) return std::nullopt;
    return static_cast<std::size_t>(found - parameters.begin());
}

std::vector<const Function*> in_symbol_order(const Model& model) {
    std::vector<const Function*> functions;
    for (const auto& function : model.functions) functions.push_back(&function);
    std::sort(functions.begin(), functions.end(), [](const Function* a, const Function* b) { return a->symbol < b->symbol; });
    return functions;
}

Model build(const std::filesystem::path& specs, const std::string& library) {
    return build(specs, library, facts_on_disk(specs)(spec::read_library(specs / library / "library.json")));
}

Model build(const std::filesystem::path& specs, const std::string& library, spec::Facts facts, const FactsOf& facts_of) {
    const std::filesystem::path folder = specs / library;
    Model model;
    model.place = folder.string();
    model.config = spec::read_library(folder / "library.json");
    model.overrides = spec::read_overrides(folder / "overrides.json");
    model.facts = std::move(facts);
    spec::check_numbering(model.facts, model.config, (folder / "api.json").string());
    delay_functions(model);
    list_availability(model);
    bind_releases(model);
    add_used_types(model, used_libraries(specs, model.config), facts_of ? facts_of : facts_on_disk(specs));
    resolve_types(model);
    check_layouts(model);
    name_enums(model);
    name_functions(model);
    name_parameters(model);
    name_attributes(model);
    group_functions(model);
    infer_annotations(model);
    apply_overrides(model);
    add_object_effects(model);
    ask_for_annotations(model);
    check_overrides(model);
    order_types(model);
    return model;
}

std::vector<std::string> libraries(const std::filesystem::path& specs) {
    std::vector<std::string> names;
    if (!std::filesystem::is_directory(specs)) {
        throw InputError(specs.string() +
                         " is not a folder; pass the folder of the specs to --specs, or the repository to --root");
    }
    for (const auto& entry : std::filesystem::directory_iterator(specs)) {
        if (std::filesystem::exists(entry.path() / "library.json")) names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    if (names.empty())
        throw InputError(specs.string() + ": there is no library; create a folder with a library.json for each library");
    return names;
}

}  // namespace cubind::gen::model
