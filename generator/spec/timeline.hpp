// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/facts.hpp"
#include "spec/release.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

/// The two forms of an entry that lives through several releases: as it stands in a spec, with since, removed, absent and history, and
/// as a timeline, with a body for each release.
namespace cubind::gen::spec {

/// The release and the facts that speak for it, oldest release first.
struct Source {
    std::string release;
    const Facts* facts;
};
using Sources = std::vector<Source>;

/// What an entry is in each release of the sources; null where that release lacks it.
template <class Body>
struct Timeline {
    std::vector<const Body*> bodies;
    std::string since;  ///< the earliest that is stated

    std::size_t first() const { return index_of_present(bodies.begin(), bodies.end()); }
    std::size_t last() const { return bodies.size() - 1 - index_of_present(bodies.rbegin(), bodies.rend()); }

private:
    template <class Iterator>
    static std::size_t index_of_present(Iterator begin, Iterator end) {
        return static_cast<std::size_t>(std::find_if(begin, end, [](const Body* body) { return body != nullptr; }) - begin);
    }
};

/// Body of the entry in one release that its facts know.
template <class Body>
const Body* body_in(const Entry<Body>& entry, const std::string& release) {
    const EarlierRelease earlier;
    if (earlier(release, entry.since)) return nullptr;
    if (!entry.removed.empty() && !earlier(release, entry.removed)) return nullptr;
    if (std::find(entry.absent.begin(), entry.absent.end(), release) != entry.absent.end()) return nullptr;
    for (const auto& former : entry.history) {
        if (earlier(release, former.until)) return &former;
    }
    return &entry;
}

/// Notes in `timeline` what `entry`, of the facts `from`, is in each release for which these facts speak.
template <class Body>
void note(const Entry<Body>& entry, const Facts* from, const Sources& sources, Timeline<Body>& timeline) {
    timeline.bodies.resize(sources.size());
    bool present = false;
    for (std::size_t index = 0; index < sources.size(); ++index) {
        if (sources[index].facts != from) continue;
        timeline.bodies[index] = body_in(entry, sources[index].release);
        present = present || timeline.bodies[index] != nullptr;
    }
    if (!present) return;
    if (timeline.since.empty() || EarlierRelease{}(entry.since, timeline.since)) timeline.since = entry.since;
}

/// Writes the timeline, which has a body somewhere, into an entry.
template <class Body>
void write(const Timeline<Body>& timeline, const Sources& sources, const std::string& name, Entry<Body>& entry) {
    const std::size_t first = timeline.first();
    const std::size_t last = timeline.last();
    static_cast<Body&>(entry) = *timeline.bodies[last];
    entry.name = name;
    entry.since = std::min(timeline.since, sources[first].release, EarlierRelease{});
    if (last + 1 < sources.size()) entry.removed = sources[last + 1].release;
    const Body* before = nullptr;
    for (std::size_t index = 0; index <= last; ++index) {
        const Body* const body = timeline.bodies[index];
        if (body == nullptr) {
            if (!EarlierRelease{}(sources[index].release, entry.since)) entry.absent.push_back(sources[index].release);
            continue;
        }
        if (before != nullptr && before != body && !(*before == *body)) {
            Former<Body> former;
            static_cast<Body&>(former) = *before;
            former.until = sources[index].release;
            entry.history.push_back(std::move(former));
        }
        before = body;
    }
}

/// The distinct facts behind the sources.
inline std::vector<const Facts*> distinct_facts(const Sources& sources) {
    std::vector<const Facts*> distinct;
    for (const auto& source : sources) {
        if (std::find(distinct.begin(), distinct.end(), source.facts) == distinct.end()) distinct.push_back(source.facts);
    }
    return distinct;
}

}  // namespace cubind::gen::spec
