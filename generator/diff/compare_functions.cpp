// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "diff/compare.hpp"
#include "diff/compare_entries.hpp"
#include "diff/signature.hpp"

namespace cubind::gen::diff {
namespace {

EntriesByName<const spec::Function*> functions_of(const spec::Facts& facts) {
    EntriesByName<const spec::Function*> entries;
    for (const auto& function : facts.functions) entries[function.name] = &function;
    return entries;
}

/// Returns the meaning of each name that the headers declare by default. The symbol of a function is also its name, unless a
/// name with the same spelling refers to another function.
EntriesByName<spec::Meaning> meanings_of(const spec::Facts& facts) {
    EntriesByName<spec::Meaning> entries;
    for (const auto& function : facts.functions) {
        if (function.view.empty()) entries[function.name] = {"", "", function.name, ""};
    }
    for (const auto& name : facts.public_names) entries[name.name] = name.meanings.back();
    return entries;
}

}  // namespace

spec::Json compare_functions(const spec::Facts& before, const spec::Facts& after) {
    return compare_entries(
        functions_of(before), functions_of(after),
        [](const std::string& name, const spec::Function* function) {
            return spec::Json{{"name", name},
                              {"signature", signature(*function)},
                              {"group", function->group},
                              {"public", function->view.empty()}};
        },
        [](const std::string& name, const spec::Function* old_function, const spec::Function* new_function) {
            const std::string old_signature = signature(*old_function);
            const std::string new_signature = signature(*new_function);
            if (old_signature == new_signature) return spec::Json();
            return spec::Json{{"name", name}, {"old", old_signature}, {"new", new_signature}};
        });
}

spec::Json compare_public_names(const spec::Facts& before, const spec::Facts& after) {
    const auto old_functions = functions_of(before);
    const auto new_functions = functions_of(after);
    const auto old_names = meanings_of(before);
    const auto new_names = meanings_of(after);
    std::set<std::string> names;
    for (const auto* entries : {&old_names, &new_names}) {
        for (const auto& [name, meaning] : *entries) names.insert(name);
    }
    spec::Json list = spec::Json::array();
    for (const auto& name : names) {
        const auto old_name = old_names.find(name);
        const auto new_name = new_names.find(name);
        const spec::Meaning old_meaning = old_name != old_names.end() ? old_name->second : spec::Meaning();
        const spec::Meaning new_meaning = new_name != new_names.end() ? new_name->second : spec::Meaning();
        if (old_meaning.symbol == new_meaning.symbol && old_meaning.per_thread == new_meaning.per_thread) continue;
        const bool is_added_with_function = old_meaning.symbol.empty() && !old_functions.contains(new_meaning.symbol);
        const bool is_removed_with_function = new_meaning.symbol.empty() && !new_functions.contains(old_meaning.symbol);
        if (is_added_with_function || is_removed_with_function) continue;
        list.push_back({{"name", name},
                        {"old", old_meaning.symbol},
                        {"new", new_meaning.symbol},
                        {"old_per_thread", old_meaning.per_thread},
                        {"new_per_thread", new_meaning.per_thread}});
    }
    return list;
}

spec::Json compare_groups(const spec::Facts& before, const spec::Facts& after) {
    const auto groups_of = [](const spec::Facts& facts) {
        EntriesByName<bool> entries;
        for (const auto& function : facts.functions) {
            if (!function.group.empty()) entries[function.group] = true;
        }
        return entries;
    };
    spec::Json result = compare_entries(
        groups_of(before), groups_of(after), [](const std::string& name, bool) { return spec::Json(name); },
        [](const std::string&, bool, bool) { return spec::Json(); });
    result.erase("changed");
    return result;
}

spec::Json compare(const spec::Facts& before, const spec::Facts& after) {
    return {{"library", after.library},
            {"public_names", compare_public_names(before, after)},
            {"functions", compare_functions(before, after)},
            {"types", compare_types(before, after)},
            {"records", compare_records(before, after)},
            {"enumerators", compare_enumerators(before, after)},
            {"constants", compare_constants(before, after)},
            {"variables", compare_variables(before, after)},
            {"groups", compare_groups(before, after)}};
}

}  // namespace cubind::gen::diff
