// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "entry/public_names.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace cubind::sim {

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

struct Meanings {
    std::vector<const Symbol*> legacy;  ///< oldest first
    std::vector<const Symbol*> per_thread;
};

std::map<std::string_view, Meanings> index_symbols() {
    std::map<std::string_view, Meanings> names;
    for (const Symbol& symbol : all_symbols()) {
        std::string_view name = symbol.name;
        const bool per_thread = remove_per_thread_suffix(name);
        remove_version(name);
        Meanings& meanings = names[name];
        (per_thread ? meanings.per_thread : meanings.legacy).push_back(&symbol);
    }
    const auto older = [](const Symbol* a, const Symbol* b) { return a->since < b->since; };
    for (auto& [name, meanings] : names) {
        std::stable_sort(meanings.legacy.begin(), meanings.legacy.end(), older);
        std::stable_sort(meanings.per_thread.begin(), meanings.per_thread.end(), older);
    }
    return names;
}

}  // namespace

NameAnswer find_public_name(std::string_view name, int release, bool per_thread) {
    static const auto& names = *new std::map<std::string_view, Meanings>(index_symbols());
    const auto entry = names.find(name);
    if (entry == names.end()) return {};
    const Meanings& meanings = entry->second;
    NameAnswer answer;
    for (const Symbol* symbol : per_thread && !meanings.per_thread.empty() ? meanings.per_thread : meanings.legacy) {
        if (find_symbol(symbol->name) == nullptr) continue;
        answer.is_known = true;
        if (symbol->since <= release) answer.symbol = symbol;
    }
    return answer;
}

}  // namespace cubind::sim
