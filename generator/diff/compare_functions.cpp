// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "diff/compare.hpp"
#include "diff/sides.hpp"
#include "diff/signature.hpp"

#include <set>

namespace cubind::gen::diff {
namespace {

Side<const spec::Function*> functions_of(const spec::Facts& facts) {
    Side<const spec::Function*> side;
    for (const auto& function : facts.functions) side[function.name] = &function;
    return side;
}

/// What each name that the headers declare by default means. A function goes by its own name unless that name means another.
Side<spec::Meaning> names_of(const spec::Facts& facts) {
    Side<spec::Meaning> side;
    for (const auto& function : facts.functions) {
        if (function.view.empty()) side[function.name] = {"", "", function.name, ""};
    }
    for (const auto& name : facts.public_names) side[name.name] = name.meanings.back();
    return side;
}

}  // namespace

spec::Json compare_functions(const spec::Facts& before, const spec::Facts& after) {
    return compare_sides(
        functions_of(before), functions_of(after),
        [](const std::string& name, const spec::Function* function) {
            return spec::Json{{"name", name}, {"signature", signature(*function)}, {"group", function->group}, {"public", function->view.empty()}};
        },
        [](const std::string& name, const spec::Function* old_one, const spec::Function* new_one) {
            const std::string was = signature(*old_one);
            const std::string is = signature(*new_one);
            return was == is ? spec::Json() : spec::Json{{"name", name}, {"old", was}, {"new", is}};
        });
}

spec::Json compare_public_names(const spec::Facts& before, const spec::Facts& after) {
    const auto old_functions = functions_of(before);
    const auto new_functions = functions_of(after);
    const auto old_names = names_of(before);
    const auto new_names = names_of(after);
    std::set<std::string> names;
    for (const auto* side : {&old_names, &new_names}) {
        for (const auto& [name, meaning] : *side) names.insert(name);
    }
    spec::Json list = spec::Json::array();
    for (const auto& name : names) {
        const auto was = old_names.find(name);
        const auto is = new_names.find(name);
        const spec::Meaning old_one = was != old_names.end() ? was->second : spec::Meaning();
        const spec::Meaning new_one = is != new_names.end() ? is->second : spec::Meaning();
        if (old_one.symbol == new_one.symbol && old_one.per_thread == new_one.per_thread) continue;
        const bool comes_with_function = old_one.symbol.empty() && !old_functions.contains(new_one.symbol);
        const bool goes_with_function = new_one.symbol.empty() && !new_functions.contains(old_one.symbol);
        if (comes_with_function || goes_with_function) continue;
        list.push_back({{"name", name},
                        {"old", old_one.symbol},
                        {"new", new_one.symbol},
                        {"old_per_thread", old_one.per_thread},
                        {"new_per_thread", new_one.per_thread}});
    }
    return list;
}

spec::Json compare_groups(const spec::Facts& before, const spec::Facts& after) {
    const auto groups_of = [](const spec::Facts& facts) {
        Side<bool> side;
        for (const auto& function : facts.functions) {
            if (!function.group.empty()) side[function.group] = true;
        }
        return side;
    };
    spec::Json result = compare_sides(
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
            {"groups", compare_groups(before, after)}};
}

}  // namespace cubind::gen::diff
