// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "error.hpp"
#include "model/passes/passes.hpp"

#include "spec/merge.hpp"
#include "spec/release.hpp"

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

/// Enumerators and constants share one scope in C++: of several of one name, the one that newer headers have stays.
void drop_names_taken_by_newer_entries(spec::Facts& facts) {
    const auto is_dropped = [](const auto& entry) { return !entry.removed.empty(); };
    std::set<std::string> living;
    for (const auto& entry : facts.enums) {
        for (const auto& enumerator : entry.enumerators) {
            if (!is_dropped(enumerator)) living.insert(enumerator.name);
        }
    }
    for (auto& entry : facts.enums) {
        std::erase_if(entry.enumerators, [&](const auto& each) { return is_dropped(each) && living.contains(each.name); });
    }
    std::erase_if(facts.constants, [&](const auto& each) { return living.contains(each.name); });
}

}  // namespace

void bind_releases(Model& model) {
    keep_major(model);
    drop_names_taken_by_newer_entries(model.facts);
}

}  // namespace cubind::gen::model
