// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "spec/json.hpp"

namespace cubind::gen::diff {

/// The entries of one release by name.
template <class Value>
using EntriesByName = std::map<std::string, Value>;

inline spec::Json empty_diff() {
    return {{"added", spec::Json::array()}, {"removed", spec::Json::array()}, {"changed", spec::Json::array()}};
}

/// An entry of only one release is listed as `describe(name, value)`. An entry of both releases is listed as `changed(name,
/// before, after)`, unless that returns null.
template <class Value, class Describe, class Changed>
spec::Json compare_entries(const EntriesByName<Value>& before, const EntriesByName<Value>& after, Describe describe,
                           Changed changed) {
    spec::Json result = empty_diff();
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
