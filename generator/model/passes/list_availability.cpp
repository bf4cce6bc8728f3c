// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "model/passes/passes.hpp"
#include "spec/release.hpp"
#include "spec/timeline.hpp"

namespace cubind::gen::model {
namespace {

/// Combines the lifetimes of all entries by name. Several entries may have the same name in different releases.
class Names {
public:
    explicit Names(const std::vector<std::string>& releases) : releases_(releases) {}

    template <class Entries>
    void add_all(const Entries& entries) {
        for (const auto& entry : entries) {
            add(entry.name, entry.since, entry.removed,
                [&](const std::string& release) { return spec::body_in(entry, release) != nullptr; });
        }
    }

    void add(const spec::PublicName& name) {
        const spec::EarlierRelease earlier;
        for (const auto& meaning : name.meanings) {
            add(name.name, meaning.since, meaning.removed, [&](const std::string& release) {
                return !earlier(release, meaning.since) && (meaning.removed.empty() || earlier(release, meaning.removed));
            });
        }
    }

    std::map<std::string, Availability> availability() const {
        std::map<std::string, Availability> all;
        for (const auto& [name, known] : by_name_) {
            Availability& whole = all.emplace(name, Availability{known.since, known.removed, {}}).first->second;
            add_gaps(whole, known.is_declared);
        }
        return all;
    }

private:
    struct Known {
        std::string since;
        std::string removed;
        std::vector<bool> is_declared;  ///< by release
    };

    template <class IsDeclared>
    void add(const std::string& name, const std::string& since, const std::string& removed, IsDeclared is_declared) {
        const spec::EarlierRelease earlier;
        Known& known = by_name_.try_emplace(name, Known{since, removed, std::vector<bool>(releases_.size())}).first->second;
        if (earlier(since, known.since)) known.since = since;
        const bool ends_later = !known.removed.empty() && earlier(known.removed, removed);
        if (removed.empty() || ends_later) known.removed = removed;
        for (std::size_t index = 0; index < releases_.size(); ++index) {
            if (is_declared(releases_[index])) known.is_declared[index] = true;
        }
    }

    void add_gaps(Availability& whole, const std::vector<bool>& is_declared) const {
        const spec::EarlierRelease earlier;
        bool is_in_gap = false;
        for (std::size_t index = 0; index < releases_.size(); ++index) {
            const std::string& release = releases_[index];
            if (earlier(release, whole.since) || (!whole.removed.empty() && !earlier(release, whole.removed))) continue;
            if (is_declared[index] && is_in_gap) whole.gaps.back().end = release;
            if (!is_declared[index] && !is_in_gap) whole.gaps.push_back({release, ""});
            is_in_gap = !is_declared[index];
        }
    }

    const std::vector<std::string>& releases_;
    std::map<std::string, Known> by_name_;
};

}  // namespace

void list_availability(Model& model) {
    const spec::Facts& facts = model.facts;
    Names names(facts.releases);
    names.add_all(facts.functions);
    for (const auto& name : facts.public_names) names.add(name);
    names.add_all(facts.enums);
    for (const auto& entry : facts.enums) names.add_all(entry.enumerators);
    names.add_all(facts.records);
    names.add_all(facts.opaque_records);
    names.add_all(facts.handles);
    names.add_all(facts.aliases);
    names.add_all(facts.callbacks);
    names.add_all(facts.constants);
    names.add_all(facts.variables);
    model.availability = names.availability();
}

}  // namespace cubind::gen::model
