// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "emit/outputs.hpp"

#include <algorithm>
#include <future>

#include "emit/banner.hpp"
#include "emit/guards.hpp"
#include "emit/model_json.hpp"
#include "emit/wrap.hpp"

namespace cubind::gen::emit {
namespace {

/// A file that is rendered once for each library: its template and its path, in which $ is the name of the library.
struct LibraryFile {
    const char* template_name;
    const char* path;
};

constexpr LibraryFile library_files[] = {
    {"library.hpp", "include/cubind/$.hpp"},
    {"availability.hpp", "include/cubind/$/availability.hpp"},
    {"types.hpp", "include/cubind/$/types.hpp"},
    {"constants.hpp", "include/cubind/$/constants.hpp"},
    {"status.hpp", "include/cubind/$/status.hpp"},
    {"strings.hpp", "include/cubind/$/strings.hpp"},
    {"format.hpp", "include/cubind/$/format.hpp"},
    {"loading.hpp", "include/cubind/$/loading.hpp"},
    {"vendor.hpp", "include/cubind/$/vendor.hpp"},
    {"vendor_layout.hpp", "include/cubind/$/vendor_layout.hpp"},
    {"strings.cpp", "src/strings.cpp"},
    {"loading.cpp", "src/loading.cpp"},
    {"entry_points.hpp", "src/entry_points.hpp"},
    {"entry_points.cpp", "src/entry_points.cpp"},
    {"sources.cmake", "sources.cmake"},
};

/// Files that are rendered from the tables of reflection.
constexpr LibraryFile reflection_files[] = {
    {"reflection.hpp", "include/cubind/$/reflection.hpp"},
    {"reflection.cpp", "src/reflection.cpp"},
};

/// Files that are rendered only for a library that exports variables.
constexpr LibraryFile variable_files[] = {
    {"variables.hpp", "include/cubind/$/variables.hpp"},
    {"variables.cpp", "src/variables.cpp"},
};

/// Files that are rendered only for a library with `simulated` in library.json: sources of its simulation.
constexpr LibraryFile simulation_files[] = {
    {"simulation_exports.hpp", "simulation/$_exports.hpp"},
    {"simulation_functions.hpp", "simulation/functions.hpp"},
    {"simulation_symbols.cpp", "simulation/symbols.cpp"},
};

/// Files that are rendered once for each group of functions; % is the group's file name.
constexpr LibraryFile group_files[] = {
    {"group.hpp", "include/cubind/$/%.hpp"},
    {"group.cpp", "src/%.cpp"},
};

/// A file that is rendered once for each class of accessors; % is the class's file name.
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
    for (const auto& function : model.functions) list.push_back(function_json(model, function));
    return list;
}

spec::Json public_names_json(const model::Model& model) {
    spec::Json list = spec::Json::array();
    for (const auto& name : model.public_names) list.push_back(public_name_json(name));
    return list;
}

/// Groups the entries by their generated file, in their order.
std::map<std::string, spec::Json> by_file(spec::Json&& list) {
    std::map<std::string, spec::Json> files;
    for (auto& entry : list) {
        spec::Json& file = files[entry["file"].get<std::string>()];
        if (file.is_null()) file = spec::Json::array();
        file.push_back(std::move(entry));
    }
    return files;
}

/// Returns the names and releases of all functions, in symbol order.
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

/// Renders the files of one library, in parts that share only constant data and may run in parallel.
class LibraryRenderer {
public:
    LibraryRenderer(const model::Model& model, const Templates& templates)
        : model_(model), templates_(templates), library_(library_json(model)), common_(to_data(library_)) {}

    /// Renders types, constants, loading and all other files of which a library has one.
    Outputs library_part() const {
        spec::Json json;
        json["functions"] = names_json(model_);
        json["enums"] = enums_json(model_);
        json["availability"] = availability_json(model_);
        json["has_gaps"] = std::any_of(model_.availability.begin(), model_.availability.end(),
                                       [](const auto& entry) { return !entry.second.gaps.empty(); });
        json["types"] = types_json(model_);
        json["any_bit_fields"] = std::any_of(json["types"].begin(), json["types"].end(), [](const spec::Json& type) {
            return type["record"].is_object() && type["record"]["has_bit_fields"].get<bool>();
        });
        json["constants"] = constants_json(model_);
        json["variables"] = variables_json(model_);
        add_used_types(json, model_);
        json["tags"] = tags_json(model_);
        json["has_opaque_tags"] = std::any_of(json["tags"].begin(), json["tags"].end(),
                                              [](const spec::Json& tag) { return tag["opaque"].get<bool>(); });
        json["system_headers"] = system_headers_json(model_);
        Outputs outputs;
        const Data data = to_data(json);
        for (const auto& file : library_files) render(outputs, file, "", data);
        if (!model_.facts.variables.empty()) {
            for (const auto& file : variable_files) render(outputs, file, "", data);
        }
        return outputs;
    }

    /// Renders reflection, accessors of attributes and the sources of a simulation.
    Outputs tables_part() const {
        Outputs outputs;
        const Data tables = to_data(reflection_json(model_));
        for (const auto& file : reflection_files) render(outputs, file, "", tables);
        for (const auto& attributes : model_.attribute_classes) {
            render(outputs, attributes_file, attributes.file, to_data(attribute_class_json(attributes)));
        }
        if (!model_.config.simulated.header.empty()) {
            const Data symbols = to_data({{"symbols", simulation_json(model_)}});
            for (const auto& file : simulation_files) render(outputs, file, "", symbols);
        }
        return outputs;
    }

    /// Renders the wrappers and their declarations.
    Outputs groups_part() const {
        Outputs outputs;
        std::vector<Template> templates;
        for (const auto& file : group_files) templates.emplace_back(templates_, file.template_name);
        auto functions = by_file(functions_json(model_));
        auto public_names = by_file(public_names_json(model_));
        for (spec::Json group : library_["groups"]) {
            const std::string name = group["file"].get<std::string>();
            group["functions"] = std::move(functions[name]);
            group["has_long_results"] = std::any_of(group["functions"].begin(), group["functions"].end(),
                                                    [](const spec::Json& each) { return each["is_long"].get<bool>(); });
            group["public_names"] = public_names.contains(name) ? std::move(public_names[name]) : spec::Json::array();
            const Data data = to_data(group);
            for (std::size_t index = 0; index < templates.size(); ++index) {
                add_rendered(outputs, group_files[index], name, templates[index].render({&common_, &data}));
            }
        }
        return outputs;
    }

    void add(Outputs& outputs, const std::string& path, std::string text) const {
        if (outputs.emplace(path, std::move(text)).second) return;
        throw InputError(model_.place + "/library.json: groups contains the generated file " + path +
                         ", which another template writes; rename the group's file");
    }

private:
    void render(Outputs& outputs, const LibraryFile& file, const std::string& group, const Data& data) const {
        add_rendered(outputs, file, group, templates_.render(file.template_name, {&common_, &data}));
    }

    void add_rendered(Outputs& outputs, const LibraryFile& file, const std::string& group, std::string text) const {
        const std::string path = path_of(file.path, model_.config.library, group);
        if (!path.ends_with(".cmake")) text = wrap_lines(merge_guards(std::move(text)));
        add(outputs, path, with_banner(path, text));
    }

    const model::Model& model_;
    const Templates& templates_;
    spec::Json library_;
    Data common_;
};

}  // namespace

Outputs render_library(const model::Model& model, const Templates& templates) {
    const LibraryRenderer renderer(model, templates);
    // Groups take about as long as the other two parts, so that the larger libraries occupy two processors until the end.
    auto other_parts = std::async(std::launch::async, [&] { return std::pair(renderer.library_part(), renderer.tables_part()); });
    Outputs outputs = renderer.groups_part();
    auto [library_part, tables_part] = other_parts.get();
    for (auto* part : {&library_part, &tables_part}) {
        for (auto& [path, text] : *part) renderer.add(outputs, path, std::move(text));
    }
    Outputs below;
    for (auto& [path, text] : outputs) below.emplace(model.config.library + "/" + path, std::move(text));
    return below;
}

}  // namespace cubind::gen::emit
