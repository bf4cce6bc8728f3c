// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "spec/shared_types.hpp"

#include <algorithm>
#include <set>

#include "error.hpp"
#include "spec/timeline.hpp"

namespace cubind::gen::spec {
namespace {

/// What the headers of one release state about a type, in parts that are compared one by one.
using Description = std::vector<std::string>;

void describe_fields(const RecordBody& body, const std::string& prefix, Description& parts) {
    parts.push_back(prefix + (body.is_union ? "union" : "struct") + " of " + std::to_string(body.size) + " bytes aligned to " +
                    std::to_string(body.alignment));
    for (const auto& field : body.fields) {
        const std::string path = prefix + field.name;
        if (field.record) {
            describe_fields(*field.record, path + ".", parts);
        } else {
            parts.push_back(path + " of type " + field.type + " at byte " + std::to_string(field.offset));
        }
    }
}

Description describe(const Record& entry, const std::string& release) {
    const RecordBody* const body = body_in(entry, release);
    Description parts;
    describe_fields(body != nullptr ? *body : entry, "", parts);
    return parts;
}

Description describe(const Enum& entry, const std::string& release) {
    Description parts = {"enum of " + entry.underlying};
    const bool has_release = body_in(entry, release) != nullptr;
    for (const auto& enumerator : entry.enumerators) {
        const EnumeratorBody* const body = has_release ? body_in(enumerator, release) : &enumerator;
        if (body != nullptr && (has_release || enumerator.removed.empty())) {
            parts.push_back(enumerator.name + " = " + std::to_string(body->value));
        }
    }
    std::sort(parts.begin() + 1, parts.end());
    return parts;
}

Description describe(const Handle& entry, const std::string&) {
    return {"pointer to " + entry.tag};
}

Description describe(const Alias& entry, const std::string& release) {
    const AliasBody* const body = body_in(entry, release);
    return {"name of " + (body != nullptr ? body->type : entry.type)};
}

Description describe(const Callback& entry, const std::string& release) {
    const CallbackBody* const found = body_in(entry, release);
    const CallbackBody& body = found != nullptr ? *found : entry;
    Description parts = {"function that returns " + body.returns};
    for (const auto& parameter : body.parameters) parts.push_back("parameter of type " + parameter.type);
    return parts;
}

template <class FactsType, class Use>
void for_each_kind(FactsType& facts, Use use) {
    use(facts.enums);
    use(facts.records);
    use(facts.handles);
    use(facts.aliases);
    use(facts.callbacks);
}

std::map<std::string, Description> describe_types(const Facts& facts, const std::string& release) {
    std::map<std::string, Description> types;
    for_each_kind(facts, [&](const auto& entries) {
        for (const auto& entry : entries) {
            // A name may be a type of another kind in another release.
            if (!types.contains(entry.name) || body_in(entry, release) != nullptr) types[entry.name] = describe(entry, release);
        }
    });
    return types;
}

}  // namespace

void remove_shared_types(Facts& facts, const Facts& used) {
    std::set<std::string> names;
    for_each_kind(used, [&](const auto& entries) {
        for (const auto& entry : entries) names.insert(entry.name);
    });
    for_each_kind(facts,
                  [&](auto& entries) { std::erase_if(entries, [&](const auto& entry) { return names.contains(entry.name); }); });
    // A record that this library only points to may be defined by the other one.
    for (const auto& entry : used.opaque_records) names.insert(entry.name);
    std::erase_if(facts.opaque_records, [&](const auto& entry) { return names.contains(entry.name); });
}

void check_shared_types(const Facts& fresh, const Facts& used) {
    const std::string& release = fresh.releases.front();
    // If the library has releases of its own, its headers may be used with any release of the other library.
    const bool has_release = std::find(used.releases.begin(), used.releases.end(), release) != used.releases.end();
    const std::string& compared = has_release ? release : used.releases.back();
    std::vector<std::map<std::string, Description>> known = {describe_types(used, compared)};
    for (std::size_t index = 0; !has_release && index + 1 < used.releases.size(); ++index) {
        known.push_back(describe_types(used, used.releases[index]));
    }
    for (const auto& [name, parts] : describe_types(fresh, release)) {
        const auto is_equal = [&name = name, &parts = parts](const auto& types) { return types.at(name) == parts; };
        const auto other = known.front().find(name);
        if (other == known.front().end() || std::any_of(known.begin(), known.end(), is_equal)) continue;
        const auto [ours, theirs] = std::mismatch(parts.begin(), parts.end(), other->second.begin(), other->second.end());
        throw InputError(fresh.library + " uses " + used.library + ", but the headers declare " + name + " otherwise: " +
                         (ours != parts.end() ? *ours : "nothing more") + " in " + release + " of " + fresh.library + ", " +
                         (theirs != other->second.end() ? *theirs : "nothing more") + " in " + compared + " of " + used.library +
                         "; extract " + used.library + " from the same headers, or remove it from uses in library.json");
    }
}

}  // namespace cubind::gen::spec
