// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "model/passes/passes.hpp"
#include "spec/release.hpp"

namespace cubind::gen::model {
namespace {

/// Extends the availability of a name by the lifetime of one entry. Several entries may have the same name in different releases.
void add(Model& model, const std::string& name, const std::string& since, const std::string& removed) {
    const spec::EarlierRelease earlier;
    const auto [entry, is_new] = model.availability.try_emplace(name, Availability{since, removed});
    if (is_new) return;
    Availability& known = entry->second;
    if (earlier(since, known.since)) known.since = since;
    if (removed.empty() || (!known.removed.empty() && earlier(known.removed, removed))) known.removed = removed;
}

template <class Entries>
void add_all(Model& model, const Entries& entries) {
    for (const auto& entry : entries) add(model, entry.name, entry.since, entry.removed);
}

}  // namespace

void list_availability(Model& model) {
    const spec::Facts& facts = model.facts;
    add_all(model, facts.functions);
    for (const auto& name : facts.public_names) add(model, name.name, name.meanings.front().since, name.meanings.back().removed);
    add_all(model, facts.enums);
    for (const auto& entry : facts.enums) add_all(model, entry.enumerators);
    add_all(model, facts.records);
    add_all(model, facts.handles);
    add_all(model, facts.aliases);
    add_all(model, facts.callbacks);
    add_all(model, facts.constants);
}

}  // namespace cubind::gen::model
