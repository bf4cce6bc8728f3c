// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/merge_names.hpp"

namespace cubind::gen::spec {
namespace {

/// The symbols that a name refers to in one release: with the legacy default stream, and with the per-thread default stream. An
/// empty symbol means that the name refers to nothing.
struct Target {
    std::string symbol;
    std::string per_thread;
    bool operator==(const Target&) const = default;
};
using Targets = std::vector<Target>;  ///< the target of each release

/// Adds the meaning of each name that is the symbol of a function and refers to no other function. The facts of a single
/// release do not state such meanings.
void add_same_named_functions(const Sources& sources, std::map<std::string, Targets>& names) {
    for (const Facts* facts : distinct_facts(sources)) {
        for (const auto& function : facts->functions) {
            const auto name = names.find(function.name);
            if (name == names.end()) continue;
            for (std::size_t index = 0; index < sources.size(); ++index) {
                if (sources[index].facts != facts || !name->second[index].symbol.empty()) continue;
                const FunctionBody* const body = body_in(function, sources[index].release);
                if (body != nullptr && body->view.empty()) name->second[index] = {function.name, ""};
            }
        }
    }
}

bool is_redundant(const std::string& name, const Targets& targets) {
    return std::all_of(targets.begin(), targets.end(), [&](const Target& target) {
        return target.symbol.empty() || (target.symbol == name && target.per_thread.empty());
    });
}

/// Returns the first release of the meaning that begins at `index`: the `since` of its symbol, unless a release that was read
/// contradicts that.
std::string since_of(std::size_t index, const Sources& sources, const Function* function) {
    const std::string& release = sources[index].release;
    if (function == nullptr || !EarlierRelease{}(function->since, release)) return release;
    const bool contradicted = index > 0 && !EarlierRelease{}(sources[index - 1].release, function->since);
    return contradicted ? release : function->since;
}

}  // namespace

const Meaning* meaning_in(const PublicName& name, const std::string& release) {
    const EarlierRelease earlier;
    const Meaning* found = nullptr;
    for (const auto& meaning : name.meanings) {
        if (!earlier(release, meaning.since)) found = &meaning;
    }
    if (found != nullptr && !found->removed.empty() && !earlier(release, found->removed)) return nullptr;
    return found;
}

std::vector<PublicName> merge_names(const Sources& sources, const std::vector<Function>& functions) {
    std::map<std::string, Targets> names;
    for (const Facts* facts : distinct_facts(sources)) {
        for (const auto& name : facts->public_names) {
            Targets& targets = names[name.name];
            targets.resize(sources.size());
            for (std::size_t index = 0; index < sources.size(); ++index) {
                if (sources[index].facts != facts) continue;
                const Meaning* const meaning = meaning_in(name, sources[index].release);
                if (meaning != nullptr) targets[index] = {meaning->symbol, meaning->per_thread};
            }
        }
    }
    add_same_named_functions(sources, names);

    std::map<std::string, const Function*> by_name;
    for (const auto& function : functions) by_name[function.name] = &function;
    std::vector<PublicName> merged;
    for (const auto& [name, targets] : names) {
        if (is_redundant(name, targets)) continue;
        PublicName entry{name, {}};
        for (std::size_t index = 0; index < sources.size(); ++index) {
            const Target& target = targets[index];
            if (index > 0 && target == targets[index - 1]) continue;
            if (target.symbol.empty()) {
                if (!entry.meanings.empty()) entry.meanings.back().removed = sources[index].release;
                continue;
            }
            const auto function = by_name.find(target.symbol);
            const std::string since = since_of(index, sources, function != by_name.end() ? function->second : nullptr);
            entry.meanings.push_back({since, "", target.symbol, target.per_thread});
        }
        merged.push_back(std::move(entry));
    }
    return merged;
}

}  // namespace cubind::gen::spec
