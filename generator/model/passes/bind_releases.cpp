// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "error.hpp"
#include "model/passes/passes.hpp"

#include "spec/merge.hpp"
#include "spec/release.hpp"

#include <limits>
#include <map>
#include <set>

namespace cubind::gen::model {
namespace {

/// A library of one major has nothing that only headers of others have.
void keep_major(Model& model) {
    const auto major = model.config.loading.major;
    if (major == 0) return;
    std::vector<std::string> releases;
    for (const auto& release : model.facts.releases) {
        if (spec::release_number(release) / 1000 == major) releases.push_back(release);
    }
    if (releases.empty()) {
        throw InputError(model.place + "/library.json: loading/major is " + std::to_string(major) + ", but api.json has no release of it, only up to " +
                         model.facts.releases.back() + "; extract headers of CUDA " + std::to_string(major) + ", or correct the number");
    }
    if (releases.size() != model.facts.releases.size()) model.facts = spec::restricted(model.facts, releases);
}

/// The release that ended an entry, for comparing; one without end is the newest.
int end_of(const std::string& removed) { return removed.empty() ? std::numeric_limits<int>::max() : spec::release_number(removed); }

/// Entries of several kinds that share one scope in C++: of several that have had a name, the one that had it last keeps it.
class Scope {
public:
    template <class Entries>
    void note(const Entries& entries) {
        for (const auto& entry : entries) {
            int& newest = ends_[entry.name];
            newest = std::max(newest, end_of(entry.removed));
        }
    }
    template <class Entries>
    void drop_earlier(Entries& entries) {
        std::erase_if(entries, [&](const auto& entry) {
            return end_of(entry.removed) < ends_.at(entry.name) || !kept_.insert(entry.name).second;
        });
    }

private:
    std::map<std::string, int> ends_;
    std::set<std::string> kept_;
};

void drop_names_that_others_took(Model& model) {
    spec::Facts& facts = model.facts;
    Scope types;
    const auto for_each_kind = [&](auto use) { use(facts.enums), use(facts.records), use(facts.handles), use(facts.aliases), use(facts.callbacks); };
    for_each_kind([&](auto& entries) { types.note(entries); });
    for_each_kind([&](auto& entries) { types.drop_earlier(entries); });

    Scope values;
    std::set<std::string> macros;
    for (const auto& entry : facts.enums) values.note(entry.enumerators);
    values.note(facts.constants);
    for (const auto& entry : facts.constants) macros.insert(entry.name);
    for (auto& entry : facts.enums) {
        values.drop_earlier(entry.enumerators);
        for (const auto& enumerator : entry.enumerators) {
            if (macros.contains(enumerator.name)) model.former_macros.insert(enumerator.name);
        }
    }
    values.drop_earlier(facts.constants);
}

}  // namespace

void bind_releases(Model& model) {
    keep_major(model);
    drop_names_that_others_took(model);
}

}  // namespace cubind::gen::model
