// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <set>

#include "emit/model_json.hpp"
#include "error.hpp"
#include "spec/release.hpp"

namespace cubind::gen::emit {
namespace {

/// Returns the address of a group's page. In such addresses, each underscore of the group's name is doubled.
std::string group_url(const std::string& pattern, const std::string& group) {
    const std::string mark = "{group}";
    const std::size_t at = pattern.find(mark);
    if (at == std::string::npos) return pattern;
    std::string doubled;
    for (const char c : group) doubled += c == '_' ? std::string("__") : std::string(1, c);
    return pattern.substr(0, at) + doubled + pattern.substr(at + mark.size());
}

spec::Json strings(const std::vector<std::string>& values) {
    spec::Json list = spec::Json::array();
    for (const auto& value : values) list.push_back(value);
    return list;
}

/// Returns whether the version function of the library writes two numbers, major and minor, rather than one.
bool version_in_two_numbers(const model::Model& model) {
    const std::string& name = model.config.loading.version_function;
    if (name.empty()) return false;
    const std::string place = model.place + "/library.json: loading/version_function: " + name;
    const auto function = std::find_if(model.functions.begin(), model.functions.end(),
                                       [&](const model::Function& each) { return each.symbol == name; });
    if (function == model.functions.end()) {
        throw InputError(place + " is no function of the library; name the function that writes its version, or remove the key");
    }
    const std::size_t count = function->parameters.size();
    if (count != 1 && count != 2) {
        throw InputError(place + " has " + std::to_string(count) +
                         " parameters; a version function has one parameter for the version, or two for major and minor");
    }
    return count == 2;
}

}  // namespace

spec::Json availability_json(const model::Model& model) {
    spec::Json list = spec::Json::array();
    for (const auto& [name, life] : model.availability) {
        spec::Json row = spec::object_for(8);
        row["name"] = name;
        row["since_number"] = spec::release_number(life.since);
        row["removed_number"] = spec::release_number(life.removed);
        list.push_back(std::move(row));
    }
    return list;
}

spec::Json library_json(const model::Model& model) {
    std::string upper = model.config.library;
    std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    std::map<std::string, std::set<std::string>> files;
    for (const auto& function : model.functions) files[function.file].insert(function.group);

    spec::Json json;
    json["library"] = model.config.library;
    json["library_upper"] = upper;
    json["title"] = model.config.title;
    json["release"] = model.facts.releases.back();
    json["headers"] = strings(model.config.headers);
    json["status"] = model.config.status.type;
    json["simulation_namespace"] = model.config.simulated.space;
    json["simulation_header"] = model.config.simulated.header;
    json["library_missing"] = model.config.status.library_missing;
    json["symbol_missing"] = model.config.status.symbol_missing;
    json["invalid_argument"] = model.config.status.invalid_argument;
    json["has_per_thread_macro"] = !model.config.per_thread_macro.empty();
    json["per_thread_macro"] = model.config.per_thread_macro;
    json["release_header"] = model.config.release.header;
    const auto& headers = model.config.headers;
    json["has_separate_release_header"] = std::find(headers.begin(), headers.end(), model.config.release.header) == headers.end();
    json["release_macro"] = model.config.release.macro;
    json["file_names"] = strings(model.config.loading.file_names);
    json["refused_file_names"] = strings(model.config.loading.refused_file_names);
    json["wheel_directories"] = strings(model.config.loading.wheel_directories);
    json["from_os_loader_only"] = model.config.loading.from_os_loader_only;
    json["has_version_function"] = !model.config.loading.version_function.empty();
    json["version_function"] = model.config.loading.version_function;
    json["version_in_two_numbers"] = version_in_two_numbers(model);
    json["has_fallback_symbol"] = !model.config.loading.fallback_symbol.empty();
    json["fallback_symbol"] = model.config.loading.fallback_symbol;
    json["major"] = model.config.loading.major;
    json["has_major"] = model.config.loading.major != 0;
    json["next_major_number"] = (model.config.loading.major + 1) * 1000;
    spec::Json groups = spec::Json::array();
    for (const auto& [file, members] : files) {
        spec::Json group;
        group["file"] = file;
        group["group"] = *members.begin();
        group["url"] = group_url(model.config.documentation, *members.begin());
        groups.push_back(std::move(group));
    }
    json["groups"] = std::move(groups);
    return json;
}

}  // namespace cubind::gen::emit
