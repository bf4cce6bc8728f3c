// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "ptx/syntax.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Finds the shared variables of functions, and of the functions that they name. Each function and each variable is visited once.
/// `Find` returns the function with a name, or null. `Use` receives the function that declares a variable, or null if the module
/// declares it, and the variable.
template <class Find, class Use>
class SharedVariables {
public:
    SharedVariables(const Code& code, Find find, Use use) : code_(code), find_(std::move(find)), use_(std::move(use)) {}

    void visit(const Function& function) {
        if (!visited_.insert(&function).second) return;
        for (const Statement& statement : function.statements) {
            const bool is_variable = statement.kind == Statement::Kind::variable;
            if (is_variable && statement.variable.space == LocalVariable::Space::shared) use_(&function, statement.variable);
            for (const Operand& operand : statement.operands) visit(operand);
        }
    }

private:
    void visit(const Operand& operand) {
        for (const Operand& each : operand.items) visit(each);
        if (operand.name.empty() || operand.name.starts_with('%')) return;
        if (const Function* const function = find_(operand.name)) visit(*function);
        const auto variable = std::ranges::find(code_.shared, operand.name, &LocalVariable::name);
        if (variable != code_.shared.end() && used_.insert(variable->name).second) use_(nullptr, *variable);
    }

    const Code& code_;
    Find find_;
    Use use_;
    std::set<const Function*> visited_;
    std::set<std::string_view> used_;
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
