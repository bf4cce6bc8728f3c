// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/json.hpp"

#include <map>
#include <string>

namespace cubind::gen::diff {

/// Entries of one release by name.
template <class Value>
using Side = std::map<std::string, Value>;

inline spec::Json added_removed_changed() {
    return {{"added", spec::Json::array()}, {"removed", spec::Json::array()}, {"changed", spec::Json::array()}};
}

/// Lists what only one side has with `describe(name, value)`, and `changed(name, before, after)` of what both have, unless it is null.
template <class Value, class Describe, class Changed>
spec::Json compare_sides(const Side<Value>& before, const Side<Value>& after, Describe describe, Changed changed) {
    spec::Json result = added_removed_changed();
    for (const auto& [name, value] : before) {
        const auto other = after.find(name);
        if (other == after.end()) {
            result["removed"].push_back(describe(name, value));
            continue;
        }
        spec::Json difference = changed(name, value, other->second);
        if (!difference.is_null()) result["changed"].push_back(std::move(difference));
    }
    for (const auto& [name, value] : after) {
        if (!before.contains(name)) result["added"].push_back(describe(name, value));
    }
    return result;
}

}  // namespace cubind::gen::diff
