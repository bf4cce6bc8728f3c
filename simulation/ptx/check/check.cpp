// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#include "ptx/check/check.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "ptx/check/operand_check.hpp"
#include "ptx/decode/scope.hpp"
#include "ptx/forms/form.hpp"
#include "ptx/handlers/common.hpp"
#include "ptx/handlers/families.hpp"
#include "ptx/text/names.hpp"
#include "ptx/text/shared_variables.hpp"
#include "shared/round_up.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

namespace {

constexpr std::size_t max_shared_bytes = 227 << 10;   // of sm_90; static memory beyond 48 KiB needs no opt-in
constexpr std::size_t max_constant_bytes = 64 << 10;  // of a module
constexpr std::size_t max_small_parameters = 4352;    // before PTX 8.1 or sm_70; the reader checks the later limit

struct Mistake {
    int line;
    std::string what;
};

std::string quote(std::string_view name) {
    constexpr std::size_t max_length = 200;
    return std::string("'").append(name.substr(0, max_length)).append("'");
}

/// The names that a module declares outside functions.
class ModuleNames {
public:
    explicit ModuleNames(const ModuleInterface& image) : code_(*image.code) {
        for (const Variable& each : image.variables) names_.try_emplace(each.name, each.line);
        for (const LocalVariable& each : code_.shared) names_.try_emplace(each.name, 0);
        for (const std::string_view each : code_.textures) names_.try_emplace(each, 0);
        for (const Function& each : code_.functions) names_.try_emplace(each.name, each.line);
    }

    /// Returns whether a line can use a name. The module must declare it before.
    bool has(std::string_view name, int line) const {
        const auto found = names_.find(name);
        return found != names_.end() && found->second <= line;
    }
    /// Returns the function of this name, or null.
    const Function* find_function(std::string_view name) const { return code_.find(name); }

private:
    const Code& code_;
    std::unordered_map<std::string_view, int> names_;  ///< line of the first declaration; 0 if it is not known
};

/// Checks the statements of one function.
class FunctionCheck {
public:
    FunctionCheck(const ModuleInterface& image, const ModuleNames& module, const Function& function, Externals externals)
        : image_(image), module_(module), function_(function), externals_(externals) {}

    void run() {
        scopes_.begin();
        line_ = function_.line;
        for (const LocalVariable& each : function_.prototype.results) declare(each.name);
        for (const LocalVariable& each : function_.prototype.parameters) declare(each.name);
        declare_labels(0);
        for (std::size_t i = 0; i < function_.statements.size(); ++i) {
            line_ = function_.statements[i].line;
            check(function_.statements[i], i);
        }
    }

private:
    void check(const Statement& statement, std::size_t index) {
        switch (statement.kind) {
            case Statement::Kind::scope_begin:
                scopes_.begin();
                declared_.emplace_back();
                declare_labels(index + 1);
                break;
            case Statement::Kind::scope_end:
                scopes_.end();
                declared_.pop_back();
                break;
            case Statement::Kind::registers:
                for (const RegisterDeclaration& each : statement.registers) {
                    Symbol symbol{.type = each.type[1], .count = each.count};
                    symbol.kind = each.count != 0 ? Symbol::Kind::registers : Symbol::Kind::variable;
                    const int bytes = bytes_of_type(each.type);
                    symbol.bytes = static_cast<std::uint8_t>(bytes == 1 ? 2 : bytes);
                    declare(each.name, symbol);
                }
                break;
            case Statement::Kind::variable:
                declare(statement.variable.name);
                break;
            case Statement::Kind::instruction:
                check_instruction(statement);
                break;
            default:
                break;
        }
    }

    void check_instruction(const Statement& statement) {
        if (image_.version <= version_of_names && !is_instruction(statement.name))
            throw Mistake{line_, quote(statement.name) + " is not an instruction"};
        const FormMatch match = form_table().find(statement, image_.version, image_.target);
        if (match.is_too_new) throw Mistake{line_, "instruction " + quote(statement.name) + " " + match.problem};
        if (!statement.guard.empty()) {
            const auto guard = check_name(statement.guard);
            if (guard && guard->kind == Symbol::Kind::variable && guard->type != 'p')
                throw Mistake{line_, quote(statement.guard) + " guards an instruction, but is no predicate"};
        }
        // The tables do not describe all operands of calls and of texture instructions.
        const bool has_specs =
            match.form != nullptr && match.form->flow != Flow::call && match.form->operands.find('[') == std::string_view::npos;
        std::string_view specs = has_specs ? match.form->operands : "";
        for (const Operand& operand : statement.operands) check_operand(operand, take_part(specs, ' '), match.modifiers);
        if (statement.name == "call") check_call(statement);
        if (match.form == nullptr) check_without_form(statement);
    }

    // The instruction may be valid but not supported. So only a modifier that no instruction has, and a wrong number of operands,
    // are mistakes.
    void check_without_form(const Statement& statement) const {
        if (image_.version > version_of_names) return;
        for (const std::string_view each : statement.modifiers) {
            if (!is_modifier(each)) throw Mistake{line_, quote(each) + " is not a modifier of an instruction"};
        }
        if (!form_table().has_wrong_operand_count(statement)) return;
        throw Mistake{line_, "instruction " + quote(statement.name) + " does not have " +
                                 std::to_string(statement.operands.size()) + " operands"};
    }

    void check_operand(const Operand& operand, std::string_view spec, const Modifiers& modifiers) {
        std::optional<Symbol> symbol;
        if (!operand.name.empty()) symbol = check_name(operand.name);
        if (!spec.empty()) {
            const std::string problem = find_operand_problem(operand, symbol ? &*symbol : nullptr, spec, modifiers);
            if (!problem.empty()) throw Mistake{line_, "the operands do not match the instruction: " + problem};
        }
        for (const Operand& each : operand.items) check_operand(each, spec_of_items(spec), modifiers);
    }

    // A name may have the suffix of a component. Returns what it refers to in the function.
    std::optional<Symbol> check_name(std::string_view name) {
        if (auto symbol = scopes_.find(name)) return symbol;
        const std::string_view base = name.substr(0, name.find('.', 1));
        const bool has_suffix = base.size() != name.size();
        if (has_suffix && scopes_.find(base)) return std::nullopt;
        const bool is_known =
            base == "_" || base == "WARP_SZ" || module_.has(base, line_) || (base.starts_with('%') && is_special_register(base));
        if (!is_known) throw Mistake{line_, "unknown symbol " + quote(name)};
        const Function* const named = module_.find_function(base);
        const bool is_missing =
            named != nullptr && !named->is_defined && find_builtin(base, image_.code->has_device_runtime) == nullptr;
        if (is_missing && externals_ == Externals::must_exist)
            throw Mistake{line_, "function " + quote(base) + " is declared but not defined"};
        return std::nullopt;
    }

    // Calls through pointers have a prototype at their end, which is not compared.
    void check_call(const Statement& statement) {
        const auto is_list = [&](std::size_t index) {
            return index < statement.operands.size() && statement.operands[index].kind == Operand::Kind::list;
        };
        const std::size_t target = is_list(0) ? 1 : 0;
        if (target >= statement.operands.size()) throw Mistake{line_, "a call names no function"};
        const Function* const callee = module_.find_function(statement.operands[target].name);
        if (callee == nullptr) return;
        const std::size_t results = is_list(0) ? statement.operands[0].items.size() : 0;
        const std::size_t arguments = is_list(target + 1) ? statement.operands[target + 1].items.size() : 0;
        const Prototype& prototype = callee->prototype;
        if (results == prototype.results.size() && arguments == prototype.parameters.size()) return;
        throw Mistake{line_, "a call of " + quote(callee->name) + " has " + std::to_string(arguments) + " arguments and " +
                                 std::to_string(results) + " results, but the function has " +
                                 std::to_string(prototype.parameters.size()) + " and " +
                                 std::to_string(prototype.results.size())};
    }

    // Labels can be used before their definition.
    void declare_labels(std::size_t begin) {
        int depth = 0;
        for (std::size_t i = begin; i < function_.statements.size() && depth >= 0; ++i) {
            const Statement& statement = function_.statements[i];
            if (statement.kind == Statement::Kind::scope_begin) ++depth;
            if (statement.kind == Statement::Kind::scope_end) --depth;
            const bool is_label = statement.kind == Statement::Kind::label || statement.kind == Statement::Kind::targets ||
                                  statement.kind == Statement::Kind::prototype;
            if (depth != 0 || !is_label) continue;
            line_ = statement.line;
            const bool is_jump_target = statement.kind == Statement::Kind::label;
            declare(statement.name, {.kind = is_jump_target ? Symbol::Kind::label : Symbol::Kind::targets});
        }
    }

    // A group of registers may have the same name as another symbol.
    void declare(std::string_view name, const Symbol& symbol = {.kind = Symbol::Kind::local}) {
        if (!declared_.back().emplace(name, symbol.count != 0).second) throw Mistake{line_, quote(name) + " is declared twice"};
        scopes_.add(name, symbol);
    }

    const ModuleInterface& image_;
    const ModuleNames& module_;
    const Function& function_;
    const Externals externals_;
    Scopes scopes_;
    std::vector<std::set<std::pair<std::string_view, bool>>> declared_{1};
    int line_ = 0;
};

// Adds up the static shared memory of a kernel and of all functions that it names.
std::size_t shared_bytes_of(const Function& kernel, const ModuleInterface& image) {
    constexpr std::size_t saturated = std::size_t{1} << 62;
    std::size_t bytes = 0;
    SharedVariables variables(*image.code, [&](const Function*, const LocalVariable& variable) {
        if (variable.is_dynamic) return;
        bytes = std::min(saturated, round_up(bytes, variable.alignment) + std::min(saturated, variable.size));
    });
    variables.visit(kernel);
    return bytes;
}

void check_bytes(const std::string& what, std::size_t bytes, std::size_t limit, int line) {
    if (bytes <= limit) return;
    throw Mistake{line, what + " has " + std::to_string(bytes) + " bytes, but the limit is " + std::to_string(limit) + " bytes"};
}

void check_memory(const ModuleInterface& image) {
    const bool has_large_parameters = image.version >= 8010 && image.target >= 70;
    std::size_t kernel = 0;
    for (const Function& each : image.code->functions) {
        if (!each.is_kernel) continue;
        const std::string name = "kernel " + quote(each.name);
        check_bytes("the static shared memory of " + name, shared_bytes_of(each, image), max_shared_bytes, each.line);
        const std::size_t parameters = image.kernels[kernel++].parameter_bytes;
        if (!has_large_parameters) check_bytes("the parameters of " + name, parameters, max_small_parameters, each.line);
    }
    std::size_t constants = 0;
    for (const Variable& each : image.variables) {
        if (each.space != Space::constant || each.is_extern) continue;
        constants = round_up(constants, each.alignment) + std::min(each.size, 2 * max_constant_bytes);
        check_bytes("the constant memory of the module", constants, max_constant_bytes, each.line);
    }
}

void check_addresses(const ModuleInterface& image, const ModuleNames& module) {
    for (const Variable& variable : image.variables) {
        for (const Relocation& each : variable.relocations) {
            if (!module.has(each.symbol, each.line))
                throw Mistake{each.line, "unknown symbol " + quote(each.symbol) + " in an initial value"};
        }
    }
}

}  // namespace

std::string find_mistake(const ModuleInterface& image, Externals externals) {
    try {
        const ModuleNames module(image);
        check_addresses(image, module);
        for (const Function& each : image.code->functions) FunctionCheck(image, module, each, externals).run();
        check_memory(image);
    } catch (const Mistake& mistake) {
        return "line " + std::to_string(mistake.line) + ": " + mistake.what;
    }
    return {};
}

}  // namespace CUBIND_NAMESPACE::sim::ptx
