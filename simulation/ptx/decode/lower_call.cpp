// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ptx/decode/lowering.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

// "call (results), function, (arguments), prototype". Results and arguments are variables of the .param space.
void Lowering::lower_call(const Statement& statement, Step& step) {
    steps_.has_calls = true;
    step.call = std::make_unique<StepCall>();
    std::size_t next = 0;
    const auto& operands = statement.operands;
    Operand none;
    none.kind = Operand::Kind::list;
    const auto take_list = [&]() -> const Operand& {
        const bool is_list = next < operands.size() && operands[next].kind == Operand::Kind::list;
        return is_list ? operands[next++] : none;
    };
    const Operand& results = take_list();
    if (next == operands.size()) throw Unsupported{"names no function"};
    const Operand& target = operands[next++];
    const Operand& arguments = take_list();
    const Prototype* prototype = nullptr;
    const auto symbol = scopes_.find(target.name);
    if (symbol && symbol->kind == Symbol::Kind::variable) {
        if (next == operands.size()) throw Unsupported{"has no prototype"};
        const auto named = scopes_.find(operands[next].name);
        if (named && named->kind == Symbol::Kind::prototype) {
            prototype = &named->statement->prototype;
        } else if (named && named->kind == Symbol::Kind::targets && !named->statement->operands.empty()) {
            const Function* const first = executable_.code->find(named->statement->operands[0].name);
            if (first != nullptr) prototype = &first->prototype;
        }
        if (prototype == nullptr) throw Unsupported{"has no prototype"};
        add_value(step, source(target, 8, ".b64"));
    } else {
        const Function* const callee = executable_.code->find(target.name);
        if (callee == nullptr) throw Unsupported{"names the unknown function " + std::string(target.name)};
        prototype = &callee->prototype;
        step.call->callee = callee;
    }
    step.call->site.results = lower_arguments(results, prototype->results);
    step.call->site.arguments = lower_arguments(arguments, prototype->parameters);
}

std::vector<ArgumentCopy> Lowering::lower_arguments(const Operand& list, const std::vector<LocalVariable>& callee_variables) {
    if (list.items.size() > callee_variables.size()) throw Unsupported{"has more arguments than the function has parameters"};
    std::vector<ArgumentCopy> copies;
    std::size_t offset = 0;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
        const LocalVariable& variable = callee_variables[i];
        const auto symbol = scopes_.find(list.items[i].name);
        if (!symbol || symbol->kind != Symbol::Kind::local)
            throw Unsupported{"has an argument that is no variable of the .param space"};
        offset = round_up(offset, variable.alignment);
        copies.push_back({static_cast<std::uint32_t>(symbol->offset), static_cast<std::uint32_t>(offset),
                          static_cast<std::uint32_t>(std::min<std::uint64_t>(symbol->size, variable.size))});
        offset += variable.size;
    }
    return copies;
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
