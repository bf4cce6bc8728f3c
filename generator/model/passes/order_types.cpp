// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "error.hpp"
#include "model/passes/passes.hpp"

namespace cubind::gen::model {
namespace {

/// Orders types depth-first, each after the types that it requires. Records are forward-declared, so a type requires only the
/// records that it holds by value.
class Orderer {
public:
    explicit Orderer(Model& model) : model_(model) {
        for (const auto& entry : model.facts.records) records_[entry.name] = &entry;
        for (const auto& entry : model.facts.aliases) aliases_[entry.name] = &entry;
        for (const auto& entry : model.facts.callbacks) callbacks_[entry.name] = &entry;
    }

    void order(const std::string& name) {
        if (model_.used_types.contains(name) || !done_.insert(name).second) return;
        const auto kind = model_.types.find(name);
        if (kind == model_.types.end()) return;
        switch (kind->second) {
            case TypeKind::record:
                visit(*records_.at(name));
                break;
            case TypeKind::alias:
                need(aliases_.at(name)->type, false);
                break;
            case TypeKind::callback:
                need(callbacks_.at(name)->returns, false);
                for (const auto& parameter : callbacks_.at(name)->parameters) need(parameter.type, false);
                break;
            case TypeKind::handle:
                break;
            default:
                return;
        }
        model_.type_order.push_back(name);
    }

private:
    void visit(const spec::RecordBody& record) {
        for (const auto& field : record.fields) {
            if (field.record) {
                visit(*field.record);
            } else {
                need(field.type, true);
            }
        }
    }

    void need(const std::string& text, bool in_record) {
        for_each_name(parse_type(text, model_.place), [&](const std::string& name, bool by_value) {
            const auto kind = model_.types.find(name);
            if (kind == model_.types.end()) return;
            if (kind->second == TypeKind::record && !(in_record && by_value)) return;
            order(name);
            if (kind->second == TypeKind::alias && in_record && by_value && aliases_.contains(name))
                need(aliases_.at(name)->type, true);
        });
    }

    Model& model_;
    std::map<std::string, const spec::Record*> records_;
    std::map<std::string, const spec::Alias*> aliases_;
    std::map<std::string, const spec::Callback*> callbacks_;
    std::set<std::string> done_;
};

}  // namespace

void order_types(Model& model) {
    Orderer orderer(model);
    for (const auto& [name, kind] : model.types) orderer.order(name);
}

}  // namespace cubind::gen::model
