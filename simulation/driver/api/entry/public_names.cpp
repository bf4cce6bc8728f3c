// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "api/entry/public_names.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace CUBIND_NAMESPACE::sim {

namespace {

bool remove_per_thread_suffix(std::string_view& symbol) {
    const bool has_suffix = symbol.ends_with("_ptds") || symbol.ends_with("_ptsz");
    if (has_suffix) symbol.remove_suffix(5);
    return has_suffix;
}

void remove_version(std::string_view& symbol) {
    const std::size_t digits = symbol.find_last_not_of("0123456789") + 1;
    if (digits < symbol.size() && symbol.substr(0, digits).ends_with("_v")) symbol = symbol.substr(0, digits - 2);
}

struct SymbolVersions {
    std::vector<const Symbol*> legacy;  ///< oldest first
    std::vector<const Symbol*> per_thread;
};

std::map<std::string_view, SymbolVersions> index_symbols() {
    std::map<std::string_view, SymbolVersions> names;
    const auto add = [&](const Symbol& symbol) {
        std::string_view name = symbol.name;
        const bool per_thread = remove_per_thread_suffix(name);
        remove_version(name);
        SymbolVersions& versions = names[name];
        (per_thread ? versions.per_thread : versions.legacy).push_back(&symbol);
    };
    for (const Symbol& symbol : all_symbols()) add(symbol);
    add(simulation_mark());
    const auto older = [](const Symbol* a, const Symbol* b) { return a->since < b->since; };
    for (auto& [name, versions] : names) {
        std::stable_sort(versions.legacy.begin(), versions.legacy.end(), older);
        std::stable_sort(versions.per_thread.begin(), versions.per_thread.end(), older);
    }
    return names;
}

}  // namespace

NameLookup find_public_name(std::string_view name, int release, bool per_thread) {
    static const auto& names = *new std::map<std::string_view, SymbolVersions>(index_symbols());
    const auto entry = names.find(name);
    if (entry == names.end()) return {};
    const SymbolVersions& versions = entry->second;
    NameLookup lookup;
    for (const Symbol* symbol : per_thread && !versions.per_thread.empty() ? versions.per_thread : versions.legacy) {
        if (find_symbol(symbol->name) == nullptr) continue;
        lookup.is_known = true;
        if (symbol->since <= release) lookup.symbol = symbol;
    }
    return lookup;
}

}  // namespace CUBIND_NAMESPACE::sim
