// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>

#include "ptx/code/passes.hpp"
#include "ptx/code/scope.hpp"
#include "ptx/handlers/common.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

/// Why an instruction cannot run.
struct Unsupported {
    std::string problem;
};

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) noexcept {
    return (bytes + unit - 1) / unit * unit;
}

constexpr std::size_t parameter_alignment = 128;  // as large as that of any parameter

std::string_view take_word(std::string_view& text) {
    const std::size_t end = text.find(' ');
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return word;
}

class Lowering {
public:
    Lowering(const Executable& executable, const SharedLayout& shared, const Function& function)
        : executable_(executable), shared_(shared), function_(function) {}

    Steps run();

private:
    void declare_parameters();
    void open_scope(std::size_t begin);
    void add_local(const LocalVariable& variable);
    void declare(const Statement& statement);
    void lower_instruction(const Statement& statement);
    void lower_operands(const Statement& statement, Step& step);
    void lower_operand(const Operand& operand, std::string_view spec, Step& step);
    void lower_destinations(const Operand& operand, std::string_view spec, Step& step);
    void lower_address(const Operand& operand, Step& step);
    void lower_vector(const Operand& operand, bool is_written, Step& step);
    void lower_call(const Statement& statement, Step& step);
    std::vector<ArgumentCopy> lower_arguments(const Operand& list, const std::vector<LocalVariable>& callee_variables);
    std::uint32_t label(std::string_view name) const;

    int bytes_of(std::string_view type, const Choice& choice) const;
    Value source(const Operand& operand, int bytes, std::string_view type);
    Value name_value(const Operand& operand, int bytes);
    Value destination(const Operand& operand, int bytes);
    Value local_address(std::uint64_t offset, int bytes);
    Value negate(const Value& predicate);
    static void add_value(Step& step, const Value& value);
    Step& add(Handler handler);

    const Executable& executable_;
    const SharedLayout& shared_;
    const Function& function_;
    Steps steps_;
    Scopes scopes_;
    SourcePosition position_;
};

Steps Lowering::run() {
    scopes_.begin();
    declare_parameters();
    open_scope(0);
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

// Results come first in the local memory of a call, then the parameters. Those of a kernel are in the memory of the launch.
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
    steps_.local_bytes = round_up(steps_.local_bytes, variable.alignment);
    scopes_.add(variable.name, {.kind = Symbol::Kind::local, .offset = steps_.local_bytes, .size = variable.size});
    steps_.local_bytes += variable.size;
}

// Labels, and lists of them, can be used before the text has them.
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
        Symbol symbol{.bytes = slot_bytes, .index = static_cast<std::uint32_t>(steps_.registers.size()), .count = each.count};
        symbol.kind = each.count != 0 ? Symbol::Kind::registers : Symbol::Kind::variable;
        scopes_.add(each.name, symbol);
        steps_.registers.resize(steps_.registers.size() + std::max(each.count, std::uint32_t{1}), Register{slot_bytes});
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
        FormMatch match = find_form(statement, executable_.version, executable_.target);
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
        step.handler = fail_unsupported;
        step.flow = Flow::none;
        step.label = no_label;
        step.choice = {};
        step.values = {};
        step.problem = std::make_unique<std::string>(text + ' ' + unsupported.problem);
    }
    steps_.all.push_back(std::move(step));
}

void Lowering::lower_operands(const Statement& statement, Step& step) {
    std::string_view specs = step.form->operands;
    for (const Operand& operand : statement.operands) lower_operand(operand, take_word(specs), step);
}

int Lowering::bytes_of(std::string_view type, const Choice& choice) const {
    int bytes = 0;
    if (type == "t") {
        bytes = bytes_of_type(choice.modifiers.type());
    } else if (type == "s") {
        bytes = bytes_of_type(choice.modifiers.type(1));
    } else if (type == "w") {
        bytes = 2 * bytes_of_type(choice.modifiers.type());
    } else if (type != "p") {
        bytes = std::string_view("b16") == type   ? 2
                : std::string_view("b32") == type ? 4
                : std::string_view("b64") == type ? 8
                                                  : -1;
    }
    return bytes == 1 ? 2 : bytes;
}

void Lowering::lower_operand(const Operand& operand, std::string_view spec, Step& step) {
    const bool is_written = spec.starts_with('=');
    if (is_written) spec.remove_prefix(1);
    if (spec == "m") return lower_address(operand, step);
    if (spec == "v") return lower_vector(operand, is_written, step);
    if (spec == "l") {
        step.label = label(operand.name);
    } else if (spec == "T") {
        const auto symbol = scopes_.find(operand.name);
        if (!symbol || symbol->kind != Symbol::Kind::targets) throw Unsupported{"names no list of labels"};
        for (const Operand& each : symbol->statement->operands) step.targets.push_back(label(each.name));
    } else if (spec == "x" || spec == "y") {
        const int least = bytes_of(spec == "x" ? "t" : "s", step.choice);
        const auto symbol = operand.kind == Operand::Kind::name ? scopes_.find(operand.name) : std::nullopt;
        const bool is_register = symbol && symbol->kind == Symbol::Kind::variable;
        const int bytes = is_register ? symbol->bytes : least;
        if (bytes < least) throw Unsupported{"has a register that is too small for its type"};
        const std::string_view type = step.choice.modifiers.type(spec == "x" ? 0 : 1);
        add_value(step, is_written ? destination(operand, bytes) : source(operand, bytes, type));
    } else if (is_written) {
        lower_destinations(operand, spec, step);
    } else {
        const int bytes = bytes_of(spec, step.choice);
        const std::string_view type = spec == "t"   ? step.choice.modifiers.type()
                                      : spec == "s" ? step.choice.modifiers.type(1)
                                                    : "";
        add_value(step, source(operand, bytes, type));
    }
}

void Lowering::lower_destinations(const Operand& operand, std::string_view spec, Step& step) {
    const std::size_t bar = spec.find('|');
    const bool is_pair = operand.kind == Operand::Kind::pair;
    if (is_pair && bar == std::string_view::npos) throw Unsupported{"has one destination only"};
    const Operand& first = is_pair ? operand.items[0] : operand;
    add_value(step, destination(first, bytes_of(spec.substr(0, bar), step.choice)));
    if (bar == std::string_view::npos) return;
    add_value(step, is_pair ? destination(operand.items[1], bytes_of(spec.substr(bar + 1), step.choice)) : Value{});
}

void Lowering::lower_vector(const Operand& operand, bool is_written, Step& step) {
    const bool is_vector = operand.kind == Operand::Kind::vector;
    const std::size_t length = step.choice.modifiers.vector_length();
    if (length != (is_vector ? operand.items.size() : 1)) throw Unsupported{"has a vector of another length than its type"};
    const int least = bytes_of("t", step.choice);
    for (std::size_t i = 0; i < length; ++i) {
        const Operand& each = is_vector ? operand.items[i] : operand;
        const auto symbol = each.kind == Operand::Kind::name ? scopes_.find(each.name) : std::nullopt;
        const int bytes = symbol && symbol->kind == Symbol::Kind::variable ? symbol->bytes : least;
        if (bytes < least) throw Unsupported{"has a register that is too small for its type"};
        add_value(step, is_written ? destination(each, bytes) : source(each, bytes, step.choice.modifiers.type()));
    }
}

void Lowering::lower_address(const Operand& operand, Step& step) {
    if (operand.kind != Operand::Kind::address || !operand.items.empty()) throw Unsupported{"has an address of an unknown kind"};
    step.offset = static_cast<std::int64_t>(operand.bits);
    if (operand.name.empty()) return;
    const auto symbol = scopes_.find(operand.name);
    const auto kind = symbol ? symbol->kind : Symbol::Kind::label;
    if (kind == Symbol::Kind::local || kind == Symbol::Kind::kernel_parameter) {
        step.choice.base = kind == Symbol::Kind::local ? AddressBase::frame : AddressBase::parameters;
        step.offset += static_cast<std::int64_t>(symbol->offset);
    } else if (kind == Symbol::Kind::variable) {
        step.choice.pointer_bytes = symbol->bytes;
        step.choice.base = AddressBase::pointer;
        add_value(step, {.kind = Value::Kind::variable, .bytes = symbol->bytes, .index = symbol->index});
    } else {
        const Value address = name_value(operand, 8);
        step.offset = static_cast<std::int64_t>(address.bits);
    }
}

std::uint32_t Lowering::label(std::string_view name) const {
    const auto symbol = scopes_.find(name);
    if (!symbol || symbol->kind != Symbol::Kind::label) throw Unsupported{"names the unknown label " + std::string(name)};
    return symbol->index;
}

Value Lowering::destination(const Operand& operand, int bytes) {
    if (operand.kind != Operand::Kind::name) throw Unsupported{"has a destination that is no register"};
    if (operand.name == "_") return {.is_written = true, .bytes = static_cast<std::uint8_t>(bytes)};
    const auto symbol = scopes_.find(operand.name);
    if (!symbol || symbol->kind != Symbol::Kind::variable) {
        throw Unsupported{"names the unknown register " + std::string(operand.name)};
    }
    if (symbol->bytes != bytes) {
        throw Unsupported{"requires a register of " + std::to_string(8 * bytes) + " bits, but " + std::string(operand.name) +
                          " has " + std::to_string(8 * symbol->bytes)};
    }
    return {.kind = Value::Kind::variable, .is_written = true, .bytes = symbol->bytes, .index = symbol->index};
}

Value Lowering::source(const Operand& operand, int bytes, std::string_view type) {
    Value value{.kind = Value::Kind::constant, .bytes = static_cast<std::uint8_t>(bytes), .bits = operand.bits};
    const bool is_double = type == ".f64";
    switch (operand.kind) {
        case Operand::Kind::integer:
            if (type == ".f32" || type == ".f64") {
                const auto number = static_cast<double>(static_cast<std::int64_t>(operand.bits));
                value.bits =
                    is_double ? std::bit_cast<std::uint64_t>(number) : std::bit_cast<std::uint32_t>(static_cast<float>(number));
            }
            if (bytes == 0) value.bits = operand.bits != 0 ? all_lanes : 0;
            return value;
        case Operand::Kind::single:
            if (is_double) {
                value.bits = std::bit_cast<std::uint64_t>(
                    static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits))));
            }
            return value;
        case Operand::Kind::floating:
            if (type == ".f32")
                value.bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(operand.bits)));
            return value;
        case Operand::Kind::name:
            break;
        default:
            throw Unsupported{"has an operand of an unknown kind"};
    }
    const Value named = name_value(operand, bytes);
    return operand.is_negated ? negate(named) : named;
}

Value Lowering::name_value(const Operand& operand, int bytes) {
    const auto slot_bytes = static_cast<std::uint8_t>(bytes);
    const Value constant{.kind = Value::Kind::constant, .bytes = slot_bytes, .bits = operand.bits};
    const auto with = [&](std::uint64_t address) {
        Value value = constant;
        value.bits += address;
        return value;
    };
    if (const auto symbol = scopes_.find(operand.name)) {
        switch (symbol->kind) {
            case Symbol::Kind::variable:
                if (symbol->bytes != bytes) {
                    throw Unsupported{"requires an operand of " + std::to_string(8 * bytes) + " bits, but " +
                                      std::string(operand.name) + " has " + std::to_string(8 * symbol->bytes)};
                }
                return {.kind = Value::Kind::variable, .bytes = slot_bytes, .index = symbol->index};
            case Symbol::Kind::local:
                return local_address(symbol->offset + operand.bits, bytes);
            case Symbol::Kind::shared:
                return with(symbol->offset);
            case Symbol::Kind::kernel_parameter:
                return with(window_base(Window::parameter) + symbol->offset);
            default:
                throw Unsupported{"uses the name " + std::string(operand.name) + " as a value"};
        }
    }
    if (operand.name == "WARP_SZ") return with(warp_size);
    if (const SpecialRegister* const special = find_special_register(operand.name)) {
        Step step;
        step.handler = special->read;
        step.position = position_;
        const std::uint32_t index = steps_.add_register(special->bytes);
        add_value(step, {.kind = Value::Kind::variable, .is_written = true, .bytes = special->bytes, .index = index});
        steps_.all.push_back(std::move(step));
        if (special->bytes != bytes) throw Unsupported{"reads " + std::string(operand.name) + " with another size"};
        return {.kind = Value::Kind::variable, .bytes = slot_bytes, .index = index};
    }
    const auto shared = shared_.module_variables.find(operand.name);
    if (shared != shared_.module_variables.end()) return with(shared->second);
    if (const auto address = executable_.find_symbol(operand.name)) return with(*address);
    throw Unsupported{"names the unknown symbol " + std::string(operand.name)};
}

Value Lowering::local_address(std::uint64_t offset, int bytes) {
    Step step;
    step.handler = bytes == 4 ? read_local_address_32 : read_local_address_64;
    step.position = position_;
    step.offset = static_cast<std::int64_t>(offset);
    const std::uint32_t index = steps_.add_register(static_cast<std::uint8_t>(bytes));
    add_value(step,
              {.kind = Value::Kind::variable, .is_written = true, .bytes = static_cast<std::uint8_t>(bytes), .index = index});
    steps_.all.push_back(std::move(step));
    return {.kind = Value::Kind::variable, .bytes = static_cast<std::uint8_t>(bytes), .index = index};
}

Value Lowering::negate(const Value& predicate) {
    if (predicate.bytes != 0) throw Unsupported{"negates an operand that is no predicate"};
    Step step;
    step.handler = negate_predicate;
    step.position = position_;
    const std::uint32_t index = steps_.add_register(0);
    add_value(step, {.kind = Value::Kind::variable, .is_written = true, .index = index});
    add_value(step, predicate);
    steps_.all.push_back(std::move(step));
    return {.kind = Value::Kind::variable, .index = index};
}

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

}  // namespace

Steps lower(const Executable& executable, const SharedLayout& shared, const Function& function) {
    return Lowering(executable, shared, function).run();
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
