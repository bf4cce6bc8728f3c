// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "error.hpp"
#include "model/passes/passes.hpp"
#include "spec/release.hpp"

namespace cubind::gen::model {
namespace {

/// Adds the types of one library that no library before it declares.
void add_types(Model& model, const Model& used) {
    const std::string& library = used.config.library;
    for (const auto& [name, kind] : used.types) {
        if (!model.types.emplace(name, kind).second) continue;
        model.used_types.emplace(name, library);
        if (const auto record = used.records.find(name); record != used.records.end()) model.records.insert(*record);
        if (const auto entry = used.enums.find(name); entry != used.enums.end()) model.enums.insert(*entry);
        if (const auto alias = used.alias_types.find(name); alias != used.alias_types.end()) model.alias_types.insert(*alias);
        if (const auto opaque = used.opaque_records.find(name); opaque != used.opaque_records.end()) {
            model.opaque_records.insert(*opaque);
        }
        if (const auto known = used.enum_names.find(name); known != used.enum_names.end()) model.enum_names.insert(*known);
    }
    for (const auto& handle : used.facts.handles) {
        if (model.used_types.contains(handle.tag)) model.used_handles.emplace(handle.tag, handle.name);
    }
}

template <class Entries>
void reject_declared_again(const Model& model, const std::string& kind, const Entries& entries) {
    for (const auto& entry : entries) {
        const auto used = model.used_types.find(entry.name);
        if (used == model.used_types.end() || model.types.at(entry.name) == TypeKind::tag) continue;
        throw InputError(model.place + "/api.json: " + kind + "/" + entry.name + " is a type of " + used->second +
                         ", which the library uses; run cubind-gen extract " + model.config.library +
                         " --include DIR again, which removes it");
    }
}

/// Returns whether two specs are numbered alike, so that their releases are comparable.
bool has_same_numbering(const Model& model, const Model& used) {
    return model.config.is_numbered_by_cuda() && used.config.is_numbered_by_cuda();
}

}  // namespace

void add_used_types(Model& model, const std::vector<spec::LibraryConfig>& libraries, const FactsOf& facts_of) {
    const std::filesystem::path specs = std::filesystem::path(model.place).parent_path();
    for (const auto& config : libraries) {
        auto used = std::make_shared<Model>();
        used->place = (specs / config.library).string();
        used->config = config;
        used->overrides = spec::read_overrides(specs / config.library / "overrides.json");
        used->facts = facts_of(config);
        bind_releases(*used);
        declare_types(*used);
        check_nesting(*used);
        name_enums(*used);
        add_types(model, *used);
        model.used.push_back(std::move(used));
    }
    reject_declared_again(model, "enums", model.facts.enums);
    reject_declared_again(model, "records", model.facts.records);
    reject_declared_again(model, "handles", model.facts.handles);
    reject_declared_again(model, "aliases", model.facts.aliases);
    reject_declared_again(model, "callbacks", model.facts.callbacks);
}

const spec::Overrides& declaring_overrides(const Model& model, const std::string& type) {
    const auto library = model.used_types.find(type);
    if (library == model.used_types.end()) return model.overrides;
    return (*std::find_if(model.used.begin(), model.used.end(),
                          [&](const auto& each) { return each->config.library == library->second; }))
        ->overrides;
}

void check_used_type(const Model& model, const std::string& name, bool by_value, const std::string& place) {
    const auto library = model.used_types.find(name);
    if (library == model.used_types.end()) return;
    const auto used = std::find_if(model.used.begin(), model.used.end(),
                                   [&](const auto& each) { return each->config.library == library->second; });
    const auto record = model.records.find(resolve_alias(model, name));
    if (!by_value || record == model.records.end() || record->second->history.empty() || !has_same_numbering(model, **used))
        return;
    const std::string& changed = record->second->history.back().until;
    const std::string& newest = model.facts.releases.back();
    if (!spec::EarlierRelease{}(newest, changed)) return;
    throw InputError(model.place + "/api.json: " + place + " holds " + name + " of " + library->second +
                     ", whose layout changed in " + model.config.with_product(changed) + ", but the newest release here is " +
                     newest + "; update " + model.config.library + " to that release, too");
}

void check_uses(const Model& model) {
    for (const auto& library : model.config.uses) {
        const bool supplies = std::any_of(model.mentioned_types.begin(), model.mentioned_types.end(),
                                          [&](const std::string& name) { return model.used_types.at(name) == library; });
        if (supplies) continue;
        throw InputError(model.place + "/library.json: uses names " + library +
                         ", but the library mentions no type of it; remove the name");
    }
}

}  // namespace cubind::gen::model
