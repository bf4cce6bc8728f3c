// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "error.hpp"
#include "model/passes/passes.hpp"

namespace cubind::gen::model {
namespace {

// Limits the recursion of later passes that follow types. No header has nearly as many levels.
constexpr int max_levels = 100;

/// Measures the nesting of types through aliases, callbacks and the types that records hold by value.
class Nesting {
public:
    explicit Nesting(const Model& model) : model_(model) {
        for (const auto& entry : model.facts.callbacks) callbacks_[entry.name] = &entry;
    }

    /// Returns the nesting depth of a type. `is_held` is true if a record holds the type by value.
    int levels_of(const std::string& name, bool is_held) {
        // A type that is found again before its depth is known holds itself, so the initial value is over the limit.
        const auto [entry, is_new] = levels_.try_emplace({name, is_held}, max_levels);
        if (!is_new) return entry->second;
        int& depth = entry->second;
        if (++open_ > max_levels) fail(name);
        int below = 0;
        if (const auto alias = model_.alias_types.find(name); alias != model_.alias_types.end()) {
            below = levels_of_type(alias->second, is_held);
        } else if (const auto record = model_.records.find(name); record != model_.records.end()) {
            below = levels_of_fields(*record->second);
        } else if (const auto callback = callbacks_.find(name); callback != callbacks_.end()) {
            below = levels_of_type(callback->second->returns, false);
            for (const auto& parameter : callback->second->parameters)
                below = std::max(below, levels_of_type(parameter.type, false));
        }
        --open_;
        if (below >= max_levels) fail(name);
        return depth = below + 1;
    }

private:
    [[noreturn]] void fail(const std::string& name) const {
        throw InputError(model_.place + "/api.json: the type " + name + " contains itself, or its types are nested more than " +
                         std::to_string(max_levels) + " levels deep. Undo the edit, or extract the headers again.");
    }
    int levels_of_fields(const spec::RecordBody& record) {
        int depth = 0;
        for (const auto& field : record.fields) {
            depth = std::max(depth, field.record ? levels_of_fields(*field.record) : levels_of_type(field.type, true));
        }
        return depth;
    }
    int levels_of_type(const std::string& text, bool is_held) {
        int depth = 0;
        for_each_name(parse_type(text, model_.place + "/api.json"), [&](const std::string& name, bool by_value) {
            const bool is_within = is_held && by_value;
            if (is_within || !model_.records.contains(name)) depth = std::max(depth, levels_of(name, is_within));
        });
        return depth;
    }

    const Model& model_;
    std::map<std::string, const spec::Callback*> callbacks_;
    std::map<std::pair<std::string, bool>, int> levels_;
    int open_ = 0;
};

}  // namespace

void check_nesting(const Model& model) {
    Nesting nesting(model);
    for (const auto& [name, kind] : model.types) nesting.levels_of(name, true);
}

}  // namespace cubind::gen::model
