// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/merge_enums.hpp"

#include <set>

namespace cubind::gen::spec {
namespace {

using Names = std::vector<std::string>;

/// Returns whether `names`, a subset of `all`, have the same order as in `all`.
bool in_order_of(const Names& all, const Names& names) {
    auto place = all.begin();
    for (const auto& name : names) {
        place = std::find(place, all.end(), name);
        if (place == all.end()) return false;
        ++place;
    }
    return true;
}

/// Returns the enumerators of one release in the order of its headers.
Names order_in(const Enum& entry, const std::string& release) {
    const auto stated = entry.orders.find(release);
    if (stated != entry.orders.end()) return stated->second;
    Names names;
    for (const auto& enumerator : entry.enumerators) {
        if (body_in(enumerator, release) != nullptr) names.push_back(enumerator.name);
    }
    return names;
}

/// Returns one order for the enumerators of all releases: the order of the newest release. An enumerator that only older
/// releases have comes after the enumerator that precedes it in those releases.
Names common_order(const std::vector<Names>& orders) {
    Names common;
    std::set<std::string> known;
    for (auto order = orders.rbegin(); order != orders.rend(); ++order) {
        auto place = common.begin();
        for (const auto& name : *order) {
            if (known.insert(name).second) {
                place = common.insert(place, name) + 1;
            } else {
                const auto next = std::find(place, common.end(), name);  // usually at `place`
                place = (next != common.end() ? next : std::find(common.begin(), place, name)) + 1;
            }
        }
    }
    return common;
}

/// One enum in all releases.
class EnumTimeline {
public:
    void add(const Enum& entry, const Facts* from, const Sources& sources) {
        spec::add_to_timeline(entry, from, sources, own_);
        entries_.resize(sources.size());
        for (std::size_t index = 0; index < sources.size(); ++index) {
            if (sources[index].facts == from && own_.bodies[index] != nullptr) entries_[index] = &entry;
        }
        for (const auto& enumerator : entry.enumerators) {
            spec::add_to_timeline(enumerator, from, sources, enumerators_[enumerator.name]);
        }
    }
    bool is_in_any_release() const { return !own_.since.empty(); }

    Enum merge(const Sources& sources, const std::string& name) const {
        std::vector<Names> orders(sources.size());
        for (std::size_t index = 0; index < sources.size(); ++index) {
            if (entries_[index] != nullptr) orders[index] = order_in(*entries_[index], sources[index].release);
        }
        const Names common = common_order(orders);
        Enum merged;
        write_entry(own_, sources, name, merged);
        for (const auto& each : common) write_entry(enumerators_.at(each), sources, each, merged.enumerators.emplace_back());
        for (std::size_t index = 0; index < sources.size(); ++index) {
            if (!in_order_of(common, orders[index])) merged.orders[sources[index].release] = orders[index];
        }
        return merged;
    }

private:
    Timeline<EnumBody> own_;
    std::vector<const Enum*> entries_;  ///< the enum of each release; null if a release lacks it
    std::map<std::string, Timeline<EnumeratorBody>> enumerators_;
};

}  // namespace

std::vector<Enum> merge_enums(const Sources& sources) {
    std::map<std::string, EnumTimeline> timelines;
    for (const Facts* facts : distinct_facts(sources)) {
        for (const auto& entry : facts->enums) timelines[entry.name].add(entry, facts, sources);
    }
    std::vector<Enum> merged;
    for (const auto& [name, timeline] : timelines) {
        if (timeline.is_in_any_release()) merged.push_back(timeline.merge(sources, name));
    }
    return merged;
}

}  // namespace cubind::gen::spec
