// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <map>
#include <set>

#include "error.hpp"
#include "model/passes/passes.hpp"
#include "spec/merge.hpp"
#include "spec/release.hpp"
#include "system.hpp"

namespace cubind::gen::model {
namespace {

/// Removes all entries that only refused releases have: releases of other majors, before the oldest, or from the refused one on.
void remove_refused_releases(Model& model) {
    const auto major = model.config.loading.major;
    const std::string& oldest = model.config.loading.oldest;
    const std::string& refused_from = model.config.loading.refused_from;
    std::vector<std::string> releases;
    for (const auto& release : model.facts.releases) {
        const int number = spec::release_number(release);
        const bool is_of_major = major == 0 || spec::release_major(release) == major;
        const bool is_refused = !refused_from.empty() && number >= spec::release_number(refused_from);
        if (is_of_major && !is_refused && number >= spec::release_number(oldest)) releases.push_back(release);
    }
    if (releases.empty()) {
        std::string limits;
        const auto add = [&](const std::string& key, const std::string& value) {
            if (!value.empty()) limits += (limits.empty() ? "loading/" : " and loading/") + key + " is " + value;
        };
        add("major", major == 0 ? "" : std::to_string(major));
        add("oldest", oldest);
        add("refused_from", refused_from);
        throw InputError(model.place + "/library.json: " + limits + ", but api.json has no such release. Its newest release is " +
                         model.config.with_product(model.facts.releases.back()) +
                         ". Extract the headers of such a release, or correct the number.");
    }
    if (releases.size() != model.facts.releases.size()) model.facts = spec::select_releases(model.facts, releases);
}

/// Returns the release that removed an entry as a number. An entry that was not removed has the largest number.
int end_of(const std::string& removed) {
    return removed.empty() ? std::numeric_limits<int>::max() : spec::release_number(removed);
}

/// Entries of several kinds that share one scope in C++. If several entries have the same name, the newest one is bound.
class Scope {
public:
    template <class Entries>
    void add(const Entries& entries) {
        for (const auto& entry : entries) {
            int& newest = ends_[entry.name];
            newest = std::max(newest, end_of(entry.removed));
        }
    }
    template <class Entries>
    void remove_older(Entries& entries) {
        std::erase_if(entries, [&](const auto& entry) {
            return end_of(entry.removed) < ends_.at(entry.name) || !bound_.insert(entry.name).second;
        });
    }

private:
    std::map<std::string, int> ends_;
    std::set<std::string> bound_;
};

void remove_reused_names(Model& model) {
    spec::Facts& facts = model.facts;
    Scope types;
    const auto for_each_kind = [&](auto use) {
        use(facts.enums), use(facts.records), use(facts.opaque_records);
        use(facts.handles), use(facts.aliases), use(facts.callbacks);
    };
    for_each_kind([&](auto& entries) { types.add(entries); });
    for_each_kind([&](auto& entries) { types.remove_older(entries); });

    Scope values;
    std::set<std::string> macros;
    for (const auto& entry : facts.enums) values.add(entry.enumerators);
    values.add(facts.constants);
    for (const auto& entry : facts.constants) macros.insert(entry.name);
    for (auto& entry : facts.enums) {
        values.remove_older(entry.enumerators);
        for (const auto& enumerator : entry.enumerators) {
            if (macros.contains(enumerator.name)) model.former_macros.insert(enumerator.name);
        }
    }
    values.remove_older(facts.constants);
}

/// Removes the functions and variables that no library exports, and the public names that refer to them, from the facts and the
/// availability.
void remove_not_exported(Model& model) {
    spec::Facts& facts = model.facts;
    for (const auto& pattern : model.overrides.not_exported) {
        const auto is_removed = [&](const auto& symbol) {
            if (!matches(pattern, symbol.name)) return false;
            model.availability.erase(symbol.name);
            return true;
        };
        if (std::erase_if(facts.functions, is_removed) + std::erase_if(facts.variables, is_removed) == 0) {
            throw InputError(model.place + "/overrides.json: not_exported: the headers have no function or variable " + pattern +
                             "; remove the name");
        }
        for (auto& name : facts.public_names) {
            std::erase_if(name.meanings, [&](const spec::Meaning& meaning) { return matches(pattern, meaning.symbol); });
            if (name.meanings.empty()) model.availability.erase(name.name);
        }
    }
    std::erase_if(facts.public_names, [](const spec::PublicName& name) { return name.meanings.empty(); });
}

/// Rejects variadic functions that overrides.json does not leave out.
void check_variadic_functions(const Model& model) {
    for (const auto& function : model.facts.functions) {
        if (!function.is_variadic) continue;
        throw InputError(model.place + "/api.json: functions/" + function.name + ": " + function.header +
                         " declares it as variadic (...). A wrapper cannot forward such arguments; add \"" + function.name +
                         "\" to not_exported in overrides.json, so that it is not bound.");
    }
}

}  // namespace

void bind_releases(Model& model) {
    remove_refused_releases(model);
    remove_not_exported(model);
    check_variadic_functions(model);
    remove_reused_names(model);
}

}  // namespace cubind::gen::model
