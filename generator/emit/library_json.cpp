// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <set>

#include "emit/model_json.hpp"
#include "join_strings.hpp"
#include "model/version_call.hpp"
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

/// Returns three numbers, with zeros after the given ones.
spec::Json three_numbers(const std::vector<std::int64_t>& values) {
    spec::Json list = spec::Json::array();
    for (std::size_t index = 0; index < 3; ++index) list.push_back(std::to_string(index < values.size() ? values[index] : 0));
    return list;
}

/// Adds how the loader calls the version function, and how it compares the version with releases.
void add_version(spec::Json& json, const model::Model& model) {
    constexpr const char* forms[] = {"none", "one_number", "two_numbers", "three_numbers", "properties", "returned"};
    const model::VersionCall call = version_call(model);
    json["has_version_function"] = call.form != model::VersionCall::Form::none;
    json["version_function"] = model.config.loading.version_function;
    json["version_form"] = forms[static_cast<int>(call.form)];
    json["has_other_version_form"] = call.form > model::VersionCall::Form::one_number;
    json["has_version_weights"] = !call.weights.empty();
    json["version_weights"] = three_numbers(call.weights);
    json["has_version_properties"] = !call.properties.empty();
    json["version_properties"] = three_numbers(call.properties);
    json["version_property_count"] = call.properties.size();
    json["has_own_releases"] = !model.config.is_numbered_by_cuda();
    // Without a version function, nothing is compared.
    const bool has_versions = call.form != model::VersionCall::Form::none && !model.facts.versions.empty();
    json["has_versions"] = has_versions;
    json["versions"] = spec::Json::array();
    for (const auto& release : model.facts.releases) {
        if (!has_versions) break;
        json["versions"].push_back({{"release", release},
                                    {"release_number", spec::release_number(release)},
                                    {"version_number", spec::release_number(model.facts.versions.at(release))}});
    }
}

}  // namespace

spec::Json availability_json(const model::Model& model) {
    spec::Json list = spec::Json::array();
    for (const auto& [name, life] : model.availability) {
        spec::Json row = spec::object_for(8);
        row["name"] = name;
        row["since_number"] = spec::release_number(life.since);
        row["removed_number"] = spec::release_number(life.removed);
        row["has_gaps"] = !life.gaps.empty();
        row["gaps"] = spec::Json::array();
        for (const auto& gap : life.gaps) {
            row["gaps"].push_back({{"begin", spec::release_number(gap.begin)},
                                   {"end", spec::release_number(gap.end)},
                                   {"separator", &gap == &life.gaps.back() ? "" : ", "}});
        }
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
    json["product"] = model.config.product();
    std::set<std::string> uses;
    for (const auto& name : model.mentioned_types) {
        if (model.types.at(name) != model::TypeKind::tag) uses.insert(model.used_types.at(name));
    }
    json["has_uses"] = !uses.empty();
    json["uses"] = strings({uses.begin(), uses.end()});
    json["is_default"] = model.config.is_default;
    json["headers"] = spec::Json::array();
    json["guarded_headers"] = spec::Json::array();
    for (const auto& header : model.config.headers) {
        const auto guarded = model.config.headers_guarded_since.find(header);
        if (guarded != model.config.headers_guarded_since.end()) {
            json["guarded_headers"].push_back(
                {{"value", header}, {"since", guarded->second}, {"since_number", spec::release_number(guarded->second)}});
            continue;
        }
        json["headers"].push_back({{"value", header}, {"is_in_each_release", !model.config.headers_since.contains(header)}});
    }
    json["side_headers"] = spec::Json::array();
    for (const auto& entry : model.config.side_headers) {
        json["side_headers"].push_back({{"value", entry.first}, {"separator", ", "}});
    }
    json["has_side_headers"] = !json["side_headers"].empty();
    if (json["has_side_headers"]) json["side_headers"].back()["separator"] = "";
    json["status"] = model.config.status.type;
    json["has_status_field"] = !model.config.status.field.empty();
    json["status_field"] = model.config.status.field;
    json["status_enum"] = name_of_enum(model, model.status_enum);
    json["simulation_namespace"] = model.config.simulated.space;
    json["simulation_header"] = model.config.simulated.header;
    json["library_missing"] = model.config.status.library_missing;
    json["symbol_missing"] = model.config.status.symbol_missing;
    json["invalid_argument"] = model.config.status.invalid_argument;
    json["has_per_thread_macro"] = !model.config.per_thread_macro.empty();
    json["per_thread_macro"] = model.config.per_thread_macro;
    json["release_header"] = model.config.release_header();
    const auto& headers = model.config.headers;
    json["has_separate_release_header"] =
        std::find(headers.begin(), headers.end(), model.config.release_header()) == headers.end();
    // The preprocessor compares releases as one number. A library with versions of its own has no such macro in its headers.
    const bool is_numbered_by_cuda = model.config.is_numbered_by_cuda();
    json["release_macro"] = is_numbered_by_cuda ? model.config.release.macro : "CUBIND_" + upper + "_VERSION";
    json["release_expression"] = is_numbered_by_cuda ? "" : version_expression(model.config.version);
    json["stating_macros"] = is_numbered_by_cuda ? model.config.release.macro : join_strings(model.config.version.macros);
    json["file_names"] = strings(model.config.loading.file_names);
    json["refused_file_names"] = strings(model.config.loading.refused_file_names);
    json["wheel_directories"] = strings(model.config.loading.wheel_directories);
    json["from_os_loader_only"] = model.config.loading.from_os_loader_only;
    add_version(json, model);
    json["has_fallback_symbol"] = !model.config.loading.fallback_symbol.empty();
    json["fallback_symbol"] = model.config.loading.fallback_symbol;
    json["major"] = model.config.loading.major;
    json["has_oldest"] = !model.config.loading.oldest.empty();
    json["oldest_number"] = spec::release_number(model.config.loading.oldest);
    json["has_refused_from"] = !model.config.loading.refused_from.empty();
    json["refused_from_number"] = spec::release_number(model.config.loading.refused_from);
    json["has_major"] = model.config.loading.major != 0;
    json["next_major_number"] = model.config.first_number_of(model.config.loading.major + 1);
    spec::Json groups = spec::Json::array();
    for (const auto& [file, members] : files) {
        spec::Json group;
        group["file"] = file;
        group["group"] = *members.begin();
        group["url"] = group_url(model.config.documentation, *members.begin());
        groups.push_back(std::move(group));
    }
    json["groups"] = std::move(groups);
    json["has_variables"] = !model.facts.variables.empty();
    return json;
}

}  // namespace cubind::gen::emit
