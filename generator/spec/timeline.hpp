// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "spec/facts.hpp"
#include "spec/release.hpp"

/// Converts between the two forms of an entry that spans several releases. In a spec it has since, removed, absent and history. A
/// timeline has one body for each release.
namespace cubind::gen::spec {

/// A release and the facts that describe it.
struct Source {
    std::string release;
    const Facts* facts;
};
using Sources = std::vector<Source>;  ///< oldest release first

/// The body of an entry in each release of the sources; null if that release lacks the entry.
template <class Body>
struct Timeline {
    std::vector<const Body*> bodies;
    std::string since;  ///< the earliest `since` that any source states

    std::size_t first() const { return index_of_first_body(bodies.begin(), bodies.end()); }
    std::size_t last() const { return bodies.size() - 1 - index_of_first_body(bodies.rbegin(), bodies.rend()); }

private:
    template <class Iterator>
    static std::size_t index_of_first_body(Iterator begin, Iterator end) {
        return static_cast<std::size_t>(std::find_if(begin, end, [](const Body* body) { return body != nullptr; }) - begin);
    }
};

/// Returns the body of the entry in one release of its facts; null if that release lacks the entry.
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

/// Adds to `timeline` the body of `entry`, which belongs to the facts `from`, in each release that these facts describe.
template <class Body>
void add_to_timeline(const Entry<Body>& entry, const Facts* from, const Sources& sources, Timeline<Body>& timeline) {
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

/// Converts the timeline to an entry. The timeline must have at least one body.
template <class Body>
void write_entry(const Timeline<Body>& timeline, const Sources& sources, const std::string& name, Entry<Body>& entry) {
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

/// Returns the distinct facts of the sources.
inline std::vector<const Facts*> distinct_facts(const Sources& sources) {
    std::vector<const Facts*> distinct;
    for (const auto& source : sources) {
        if (std::find(distinct.begin(), distinct.end(), source.facts) == distinct.end()) distinct.push_back(source.facts);
    }
    return distinct;
}

}  // namespace cubind::gen::spec
