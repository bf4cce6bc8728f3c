// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/merge.hpp"

#include "spec/field_lifetimes.hpp"
#include "spec/merge_enums.hpp"
#include "spec/merge_names.hpp"
#include "spec/timeline.hpp"

namespace cubind::gen::spec {
namespace {

template <class Body>
std::vector<Entry<Body>> merge_entries(const Sources& sources, std::vector<Entry<Body>> Facts::*entries) {
    std::map<std::string, Timeline<Body>> timelines;
    for (const Facts* facts : distinct_facts(sources)) {
        for (const auto& entry : facts->*entries) add_to_timeline(entry, facts, sources, timelines[entry.name]);
    }
    std::vector<Entry<Body>> merged;
    for (const auto& [name, timeline] : timelines) {
        if (timeline.since.empty()) continue;  // in none of these releases
        write_entry(timeline, sources, name, merged.emplace_back());
        if constexpr (std::is_same_v<Body, RecordBody>) set_field_lifetimes(timeline, sources, merged.back());
    }
    return merged;
}

Facts merge(const Sources& sources) {
    Facts merged;
    merged.library = sources.back().facts->library;
    for (const auto& source : sources) {
        merged.releases.push_back(source.release);
        const auto version = source.facts->versions.find(source.release);
        if (version != source.facts->versions.end()) merged.versions.insert(*version);
    }
    merged.functions = merge_entries(sources, &Facts::functions);
    merged.public_names = merge_names(sources, merged.functions);
    merged.enums = merge_enums(sources);
    merged.records = merge_entries(sources, &Facts::records);
    merged.opaque_records = merge_entries(sources, &Facts::opaque_records);
    merged.handles = merge_entries(sources, &Facts::handles);
    merged.aliases = merge_entries(sources, &Facts::aliases);
    merged.callbacks = merge_entries(sources, &Facts::callbacks);
    merged.constants = merge_entries(sources, &Facts::constants);
    merged.variables = merge_entries(sources, &Facts::variables);
    return merged;
}

}  // namespace

Facts merge(const Facts& known, const Facts& fresh) {
    std::map<std::string, const Facts*, EarlierRelease> by_release;
    for (const auto& release : known.releases) by_release[release] = &known;
    for (const auto& release : fresh.releases) by_release[release] = &fresh;
    Sources sources;
    for (const auto& [release, facts] : by_release) sources.push_back({release, facts});
    return merge(sources);
}

Facts select_releases(const Facts& facts, const std::vector<std::string>& releases) {
    Sources sources;
    for (const auto& release : facts.releases) {
        if (std::find(releases.begin(), releases.end(), release) != releases.end()) sources.push_back({release, &facts});
    }
    return merge(sources);
}

Facts snapshot(const Facts& facts, const std::string& release) {
    return select_releases(facts, {release});
}

}  // namespace cubind::gen::spec
