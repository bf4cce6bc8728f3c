// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/outputs.hpp"

#include "emit/banner.hpp"
#include "model/to_json.hpp"

#include <future>

namespace cubind::gen::emit {
namespace {

/// A file rendered once for each library: template, and where its text goes. $ stands for the library's name.
struct LibraryFile {
    const char* template_name;
    const char* path;
};

constexpr LibraryFile library_files[] = {
    {"library.hpp", "include/cubind/$.hpp"},
    {"availability.hpp", "include/cubind/$/availability.hpp"},
    {"types.hpp", "include/cubind/$/types.hpp"},
    {"constants.hpp", "include/cubind/$/constants.hpp"},
    {"strings.hpp", "include/cubind/$/strings.hpp"},
    {"loading.hpp", "include/cubind/$/loading.hpp"},
    {"vendor.hpp", "include/cubind/$/vendor.hpp"},
    {"strings.cpp", "src/strings.cpp"},
    {"loading.cpp", "src/loading.cpp"},
    {"entry_points.hpp", "src/entry_points.hpp"},
    {"entry_points.cpp", "src/entry_points.cpp"},
    {"sources.cmake", "sources.cmake"},
};

/// Files rendered from the tables of reflection.
constexpr LibraryFile reflection_files[] = {
    {"reflection.hpp", "include/cubind/$/reflection.hpp"},
    {"reflection.cpp", "src/reflection.cpp"},
};

/// Files rendered only for a library that library.json calls simulated: sources of the simulation, not of the binding.
constexpr LibraryFile simulation_files[] = {
    {"simulation_behaviours.hpp", "simulation/behaviours.hpp"},
    {"simulation_symbols.cpp", "simulation/symbols.cpp"},
};

/// A file rendered once for each group of functions; % stands for the group's file name.
constexpr LibraryFile group_files[] = {
    {"group.hpp", "include/cubind/$/%.hpp"},
    {"group.cpp", "src/%.cpp"},
};

/// A file rendered once for each class of accessors; % stands for the class's file name.
constexpr LibraryFile attributes_file = {"attributes.hpp", "include/cubind/$/%.hpp"};

std::string path_of(const std::string& pattern, const std::string& library, const std::string& group) {
    std::string path;
    for (const char c : pattern) {
        if (c == '$') {
            path += library;
        } else if (c == '%') {
            path += group;
        } else {
            path += c;
        }
    }
    return path;
}

spec::Json functions_json(const model::Model& model) {
    spec::Json list = spec::Json::array();
    for (const auto& function : model.functions) list.push_back(model::function_json(model, function));
    return list;
}

spec::Json public_names_json(const model::Model& model) {
    spec::Json list = spec::Json::array();
    for (const auto& name : model.public_names) list.push_back(model::public_name_json(name));
    return list;
}

/// The generated file of each entry to the entries that belong there, in their order.
std::map<std::string, spec::Json> by_file(spec::Json&& list) {
    std::map<std::string, spec::Json> files;
    for (auto& entry : list) {
        spec::Json& file = files[entry["file"].get<std::string>()];
        if (file.is_null()) file = spec::Json::array();
        file.push_back(std::move(entry));
    }
    return files;
}

/// What files for the whole library need of each function, in the order of their symbols.
spec::Json names_json(const model::Model& model) {
    spec::Json list = spec::Json::array();
    for (const model::Function* const function : model::in_symbol_order(model)) {
        list.push_back({{"name", function->name},
                        {"symbol", function->symbol},
                        {"since", function->since},
                        {"removed", function->removed},
                        {"is_removed", !function->removed.empty()}});
    }
    return list;
}

}  // namespace

Outputs render_library(const model::Model& model, const Templates& templates) {
    const std::string& library = model.config.library;
    const auto add = [&](Outputs& outputs, const std::string& path, std::string text) {
        if (!outputs.emplace(path, std::move(text)).second) {
            throw InputError(model.place + "/library.json: groups leads to the generated file " + path +
                             ", which another template writes; give the group another name");
        }
    };
    const auto render = [&](Outputs& outputs, const LibraryFile& file, const std::string& group,
                            const std::vector<const Data*>& scopes) {
        const std::string path = path_of(file.path, library, group);
        add(outputs, path, with_banner(path, templates.render(file.template_name, scopes)));
    };
    const spec::Json library_data = model::library_json(model);
    const Data common = to_data(library_data);
    // Both halves take about as long, so the larger libraries do not leave a processor idle at the end.
    auto library_outputs = std::async(std::launch::async, [&] {
        Outputs outputs;
        spec::Json whole;
        whole["functions"] = names_json(model);
        whole["enums"] = model::enums_json(model);
        whole["availability"] = model::availability_json(model);
        whole["types"] = model::types_json(model);
        whole["constants"] = model::constants_json(model);
        spec::Json tags = spec::Json::array();
        for (const auto& [name, kind] : model.types) {
            if (kind == model::TypeKind::tag) tags.push_back(name);
        }
        whole["tags"] = std::move(tags);
        const Data all = to_data(whole);

        for (const auto& file : library_files) render(outputs, file, "", {&common, &all});
        const Data tables = to_data(model::reflection_json(model));
        for (const auto& file : reflection_files) render(outputs, file, "", {&common, &all, &tables});
        for (const auto& attributes : model.attribute_classes) {
            const Data accessors = to_data(model::attribute_class_json(attributes));
            render(outputs, attributes_file, attributes.file, {&common, &accessors});
        }
        if (model.config.simulated) {
            const Data symbols = to_data({{"symbols", model::simulation_json(model)}});
            for (const auto& file : simulation_files) render(outputs, file, "", {&common, &symbols});
        }
        return outputs;
    });
    Outputs outputs;
    auto functions = by_file(functions_json(model));
    auto public_names = by_file(public_names_json(model));
    for (spec::Json group : library_data["groups"]) {
        const std::string name = group["file"].get<std::string>();
        group["functions"] = std::move(functions[name]);
        group["public_names"] = public_names.contains(name) ? std::move(public_names[name]) : spec::Json::array();
        const Data data = to_data(group);
        for (const auto& file : group_files) render(outputs, file, name, {&common, &data});
    }
    for (auto& [path, text] : library_outputs.get()) add(outputs, path, std::move(text));
    Outputs below;
    for (auto& [path, text] : outputs) below.emplace(library + "/" + path, std::move(text));
    return below;
}

}  // namespace cubind::gen::emit
