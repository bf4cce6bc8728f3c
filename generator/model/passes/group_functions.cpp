// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <set>

#include "error.hpp"
#include "model/passes/passes.hpp"

namespace cubind::gen::model {
namespace {

/// Returns the group of the longest name that is `symbol` or that `symbol` extends by "_...".
std::string inherited_group(const std::string& symbol, const std::map<std::string, std::string>& groups) {
    for (std::string name = symbol; !name.empty(); name.resize(std::min(name.rfind('_'), name.size()))) {
        const auto group = groups.find(name);
        if (group != groups.end()) return group->second;
        if (name.find('_') == std::string::npos) break;
    }
    return {};
}

/// Returns the group of the function that shares the longest prefix with `symbol`.
std::string likely_group(const std::string& symbol, const std::map<std::string, std::string>& groups) {
    std::string likely;
    std::size_t longest = 0;
    for (const auto& [name, group] : groups) {
        const auto [end, other] = std::mismatch(symbol.begin(), symbol.end(), name.begin(), name.end());
        const auto length = static_cast<std::size_t>(end - symbol.begin());
        if (likely.empty() || length > longest) {
            likely = group;
            longest = length;
        }
    }
    return likely;
}

/// Returns "green_contexts" for "CUDA_GREEN_CONTEXTS".
std::string likely_file(const std::string& group) {
    std::string file = group.substr(std::min(group.find('_') + 1, group.size()));
    std::transform(file.begin(), file.end(), file.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return file;
}

}  // namespace

void group_functions(Model& model) {
    // The headers declare old versions of a function outside the documentation groups. They belong to the group of the current
    // version.
    std::map<std::string, std::string> groups;
    for (const auto& function : model.functions) {
        if (!function.group.empty()) groups[function.symbol] = function.group;
    }
    for (const auto& entry : model.facts.public_names) {
        const auto group = groups.find(entry.meanings.back().symbol);
        if (group != groups.end()) groups[entry.name] = group->second;
    }
    std::set<std::string> known;
    for (const auto& [name, group] : groups) known.insert(group);
    for (const auto& [group, file] : model.config.groups) known.insert(group);
    if (!model.config.default_group.empty()) known.insert(model.config.default_group);
    for (const auto& [name, group] : model.overrides.groups) {
        if (!known.contains(group)) {
            throw InputError(model.place + "/overrides.json: groups/" + name +
                             ": neither the headers nor library.json have a group " + group + "; correct the name");
        }
        groups[name] = group;
    }

    std::map<std::string, std::string> files;
    std::set<std::string> used;
    for (auto& function : model.functions) {
        function.group = inherited_group(function.symbol, groups);
        if (function.group.empty()) function.group = model.config.default_group;
        if (function.group.empty()) {
            function.group = likely_group(function.symbol, groups);
            if (function.group.empty()) {
                throw InputError(model.place + "/library.json: the headers put " + function.symbol +
                                 " and all other functions in no documentation group; name a group of all functions in "
                                 "\"default_group\", and its file in \"groups\"");
            }
            model.questions.push_back({Question::Kind::membership, function.symbol, "", "", function.group});
        }
        auto file = model.config.groups.find(function.group);
        if (file == model.config.groups.end()) {
            const std::string proposal = likely_file(function.group);
            model.questions.push_back({Question::Kind::group, function.group, "", "", proposal});
            file = model.config.groups.emplace(function.group, proposal).first;
        }
        used.insert(function.group);
        function.file = file->second;
        files[function.name] = function.file;
    }
    for (const auto& [group, file] : model.config.groups) {
        if (!used.contains(group)) {
            throw InputError(model.place + "/library.json: groups/" + group +
                             ": no function belongs to this group; remove the line");
        }
    }
    for (auto& name : model.public_names) name.file = files.at(name.target);
}

}  // namespace cubind::gen::model
