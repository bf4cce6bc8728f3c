// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "error.hpp"
#include "model/passes/passes.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace cubind::gen::model {
namespace {

/// Group of the longest name that `symbol` extends by "_...", or that is `symbol`.
std::string inherited_group(const std::string& symbol, const std::map<std::string, std::string>& groups) {
    for (std::string name = symbol; !name.empty(); name.resize(std::min(name.rfind('_'), name.size()))) {
        const auto group = groups.find(name);
        if (group != groups.end()) return group->second;
        if (name.find('_') == std::string::npos) break;
    }
    return {};
}

}  // namespace

void group_functions(Model& model) {
    // Old versions stand outside the documentation groups; they belong where the current one of that name does.
    std::map<std::string, std::string> groups;
    for (const auto& function : model.functions) {
        if (!function.group.empty()) groups[function.symbol] = function.group;
    }
    for (const auto& entry : model.facts.public_names) {
        const auto group = groups.find(entry.meanings.back().symbol);
        if (group != groups.end()) groups[entry.name] = group->second;
    }
    for (const auto& [name, group] : model.overrides.groups) groups[name] = group;

    for (const auto& [group, file] : model.config.groups) {
        const bool valid = !file.empty() && std::all_of(file.begin(), file.end(), [](unsigned char c) {
            return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_';
        });
        if (!valid) {
            throw InputError(model.place + "/library.json: groups/" + group + ": \"" + file +
                             "\" is no name for a file; use lower-case letters, digits and _");
        }
    }
    std::map<std::string, std::string> files;
    std::set<std::string> used;
    for (auto& function : model.functions) {
        function.group = inherited_group(function.symbol, groups);
        const auto file = model.config.groups.find(function.group);
        if (file == model.config.groups.end()) {
            throw InputError(model.place + (function.group.empty() ? "/overrides.json: " : "/library.json: ") +
                             function.symbol +
                             (function.group.empty()
                                  ? " stands in no documentation group; add it under groups, e.g. \"" + function.symbol +
                                        "\": \"" + model.config.groups.begin()->first + "\""
                                  : " stands in the group " + function.group + ", which groups does not name; add \"" +
                                        function.group + "\": \"name_of_the_generated_file\""));
        }
        used.insert(function.group);
        function.file = file->second;
        files[function.name] = function.file;
    }
    for (const auto& [group, file] : model.config.groups) {
        if (!used.contains(group)) {
            throw InputError(model.place + "/library.json: groups/" + group + ": no function stands in it; remove the line");
        }
    }
    for (auto& name : model.public_names) name.file = files.at(name.target);
}

}  // namespace cubind::gen::model
