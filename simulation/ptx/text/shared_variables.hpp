// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/text/syntax.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Finds the shared variables of functions, and of the functions that they name. Each function and each variable is visited once.
/// `Use` receives the function that declares a variable, or null if the module declares it, and the variable. Functions that name
/// each other can be a long chain, so the search does not recurse.
template <class Use>
class SharedVariables {
public:
    SharedVariables(const Code& code, Use use) : code_(code), use_(std::move(use)) {}

    void visit(const Function& function) {
        begin(function);
        while (!visits_.empty()) {
            Visit& visit = visits_.back();
            if (visit.next == visit.uses.size()) {
                visits_.pop_back();
                continue;
            }
            const auto [function_named, owner, variable] = visit.uses[visit.next++];
            if (function_named != nullptr) begin(*function_named);  // invalidates `visit`
            if (variable != nullptr && (owner != nullptr || used_.insert(variable->name).second)) use_(owner, *variable);
        }
    }

private:
    /// A function that a function names, or a variable, with the function that declares it.
    struct Used {
        const Function* function = nullptr;
        const Function* owner = nullptr;
        const LocalVariable* variable = nullptr;
    };
    /// A function whose uses are visited one after the other.
    struct Visit {
        std::vector<Used> uses;
        std::size_t next = 0;
    };

    void begin(const Function& function) {
        if (!visited_.insert(&function).second) return;
        Visit visit;
        for (const Statement& statement : function.statements) {
            const bool is_variable = statement.kind == Statement::Kind::variable;
            if (is_variable && statement.variable.space == LocalVariable::Space::shared) {
                visit.uses.push_back({nullptr, &function, &statement.variable});
            }
            for (const Operand& operand : statement.operands) add(operand, visit);
        }
        visits_.push_back(std::move(visit));
    }

    // The reader limits how deeply operands are nested.
    void add(const Operand& operand, Visit& visit) const {
        for (const Operand& each : operand.items) add(each, visit);
        if (operand.name.empty() || operand.name.starts_with('%')) return;
        const Function* const function = code_.find(operand.name);
        const LocalVariable* const variable = code_.find_shared(operand.name);
        if (function != nullptr || variable != nullptr) visit.uses.push_back({function, nullptr, variable});
    }

    const Code& code_;
    Use use_;
    std::vector<Visit> visits_;
    std::set<const Function*> visited_;
    std::set<std::string_view> used_;
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
