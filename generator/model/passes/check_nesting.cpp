// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "error.hpp"
#include "model/passes/passes.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cubind::gen::model {
namespace {

// Later passes follow types by recursion; no header comes near.
constexpr int most_levels = 100;

/// Follows aliases, callbacks and what records hold by value.
class Nesting {
public:
    explicit Nesting(const Model& model) : model_(model) {
        for (const auto& entry : model.facts.callbacks) callbacks_[entry.name] = &entry;
    }

    /// How many types stand in each other below this one. `is_held`: within a record, by value.
    int levels_of(const std::string& name, bool is_held) {
        const auto [entry, is_new] = levels_.try_emplace({name, is_held}, most_levels);  // met again before it is known: it holds itself
        if (!is_new) return entry->second;
        int& most = entry->second;
        if (++open_ > most_levels) fail(name);
        int below = 0;
        if (const auto alias = model_.alias_types.find(name); alias != model_.alias_types.end()) {
            below = levels_of_type(alias->second, is_held);
        } else if (const auto record = model_.records.find(name); record != model_.records.end()) {
            below = levels_of_fields(*record->second);
        } else if (const auto callback = callbacks_.find(name); callback != callbacks_.end()) {
            below = levels_of_type(callback->second->returns, false);
            for (const auto& parameter : callback->second->parameters) below = std::max(below, levels_of_type(parameter.type, false));
        }
        --open_;
        if (below >= most_levels) fail(name);
        return most = below + 1;
    }

private:
    [[noreturn]] void fail(const std::string& name) const {
        throw InputError(model_.place + "/api.json: the type " + name + " is made of itself, or of more than " +
                         std::to_string(most_levels) + " types in each other; undo the edit, or extract the headers again");
    }
    int levels_of_fields(const spec::RecordBody& record) {
        int most = 0;
        for (const auto& field : record.fields) {
            most = std::max(most, field.record ? levels_of_fields(*field.record) : levels_of_type(field.type, true));
        }
        return most;
    }
    int levels_of_type(const std::string& text, bool is_held) {
        int most = 0;
        for_each_name(parse_type(text, model_.place + "/api.json"), [&](const std::string& name, bool by_value) {
            const bool is_within = is_held && by_value;
            if (is_within || !model_.records.contains(name)) most = std::max(most, levels_of(name, is_within));
        });
        return most;
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
