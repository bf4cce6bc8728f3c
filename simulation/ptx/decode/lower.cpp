// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "ptx/decode/lowering.hpp"
#include "ptx/handlers/common.hpp"
#include "ptx/handlers/families.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr std::size_t parameter_alignment = 128;  // at least the alignment of any parameter

}  // namespace

void Step::fail(std::string text) {
    handler = fail_unsupported;
    flow = Flow::none;
    label = no_label;
    targets.clear();
    call.reset();
    choice = {};
    values = {};
    problem = std::make_unique<std::string>(std::move(text));
}

Steps Lowering::run() {
    scopes_.begin();
    declare_parameters();
    open_scope(0);
    steps_.all.reserve(function_.statements.size() + 1);
    for (std::size_t i = 0; i < function_.statements.size(); ++i) {
        const Statement& statement = function_.statements[i];
        position_.line = statement.line;
        switch (statement.kind) {
            case Statement::Kind::scope_begin:
                open_scope(i + 1);
                break;
            case Statement::Kind::scope_end:
                scopes_.end();
                break;
            case Statement::Kind::registers:
            case Statement::Kind::variable:
                declare(statement);
                break;
            case Statement::Kind::location:
                position_.file = statement.file;
                position_.source_line = statement.source_line;
                break;
            case Statement::Kind::label: {
                Step& step = add(nullptr);
                step.label = label(statement.name);
                break;
            }
            case Statement::Kind::instruction:
                lower_instruction(statement);
                break;
            default:
                break;
        }
    }
    Step& end = add(return_from_call);  // a function may end without an instruction that ends it
    end.flow = Flow::end;
    return std::move(steps_);
}

// Results come first in the local memory of a call, then the parameters. The parameters of a kernel are in the memory of the
// launch.
void Lowering::declare_parameters() {
    const Prototype& prototype = function_.prototype;
    if (!function_.is_kernel) {
        for (const LocalVariable& each : prototype.results) add_local(each);
        steps_.local_bytes = steps_.parameter_begin = round_up(steps_.local_bytes, parameter_alignment);
        for (const LocalVariable& each : prototype.parameters) add_local(each);
        return;
    }
    std::uint64_t offset = 0;
    for (const LocalVariable& each : prototype.parameters) {
        offset = round_up(offset, each.alignment);
        scopes_.add(each.name, {.kind = Symbol::Kind::kernel_parameter, .offset = offset, .size = each.size});
        offset += each.size;
    }
}

void Lowering::add_local(const LocalVariable& variable) {
    // A sum that overflowed would let a call write beyond the local memory. The limit is larger than any stack, so the call fails
    // instead.
    constexpr std::size_t saturated = std::size_t{1} << 40;
    steps_.local_bytes = round_up(std::min(saturated, steps_.local_bytes), variable.alignment);
    scopes_.add(variable.name, {.kind = Symbol::Kind::local, .offset = steps_.local_bytes, .size = variable.size});
    steps_.local_bytes += std::min(saturated, variable.size);
}

// Labels, and lists of labels, can be used before their definition.
void Lowering::open_scope(std::size_t begin) {
    scopes_.begin();
    int depth = 0;
    for (std::size_t i = begin; i < function_.statements.size() && depth >= 0; ++i) {
        const Statement& statement = function_.statements[i];
        if (statement.kind == Statement::Kind::scope_begin) ++depth;
        if (statement.kind == Statement::Kind::scope_end) --depth;
        if (depth != 0) continue;
        if (statement.kind == Statement::Kind::label) {
            scopes_.add(statement.name, {.kind = Symbol::Kind::label, .index = steps_.labels++});
        } else if (statement.kind == Statement::Kind::targets) {
            scopes_.add(statement.name, {.kind = Symbol::Kind::targets, .statement = &statement});
        } else if (statement.kind == Statement::Kind::prototype) {
            scopes_.add(statement.name, {.kind = Symbol::Kind::prototype, .statement = &statement});
        }
    }
}

void Lowering::declare(const Statement& statement) {
    for (const RegisterDeclaration& each : statement.registers) {
        const int bytes = bytes_of_type(each.type);
        if (bytes < 0) continue;  // instructions that name it fail
        const auto slot_bytes = static_cast<std::uint8_t>(bytes == 1 ? 2 : bytes);
        Symbol symbol{.bytes = slot_bytes, .index = declared_registers_, .count = each.count};
        symbol.kind = each.count != 0 ? Symbol::Kind::registers : Symbol::Kind::variable;
        scopes_.add(each.name, symbol);
        declared_registers_ += std::max(each.count, std::uint32_t{1});
    }
    if (statement.kind != Statement::Kind::variable) return;
    const LocalVariable& variable = statement.variable;
    if (variable.space != LocalVariable::Space::shared) return add_local(variable);
    const auto found = shared_.in_functions.find({&function_, variable.name});
    if (found == shared_.in_functions.end()) return;
    scopes_.add(variable.name, {.kind = Symbol::Kind::shared, .offset = found->second, .size = variable.size});
}

Step& Lowering::add(Handler handler) {
    Step& step = steps_.all.emplace_back();
    step.handler = handler;
    step.position = position_;
    return step;
}

void Lowering::add_value(Step& step, const Value& value) {
    if (step.choice.slots == max_operands) throw Unsupported{"has more operands than the simulation supports"};
    step.choice.bytes[step.choice.slots] = value.bytes;
    step.values[step.choice.slots++] = value;
}

void Lowering::lower_instruction(const Statement& statement) {
    Step step;
    step.position = position_;
    try {
        FormMatch match = form_table().find(statement, executable_.version, executable_.target);
        if (match.form == nullptr) throw Unsupported{match.problem};
        step.form = match.form;
        step.flow = match.form->flow;
        step.choice.modifiers = std::move(match.modifiers);
        step.choice.is_kernel = function_.is_kernel;
        if (!statement.guard.empty()) {
            Operand guard;
            guard.name = statement.guard;
            step.guard = source(guard, 0, ".pred");
            step.is_guard_negated = statement.is_guard_negated;
        }
        if (step.flow == Flow::call) {
            lower_call(statement, step);
        } else {
            lower_operands(statement, step);
        }
        step.handler = match.form->select(step.choice);
        if (step.handler == nullptr) throw Unsupported{"has modifiers or operands that the simulation does not support"};
        step.extra = step.choice.extra;
        steps_.has_calls |= step.choice.uses_stack;
    } catch (const Unsupported& unsupported) {
        std::string text(statement.name);
        for (const std::string_view each : statement.modifiers) text += each;
        step.fail(text + ' ' + unsupported.problem);
    }
    steps_.all.push_back(std::move(step));
}

Steps lower(const Executable& executable, const SharedLayout& shared, const Function& function) {
    return Lowering(executable, shared, function).run();
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
