// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// The statements of functions. All names are views of the text of the module.
namespace CUBIND_NAMESPACE::sim::ptx {

/// An operand of an instruction.
struct Operand {
    enum class Kind {
        name,      ///< a register, a variable, a function or a label, with an optional offset in `bits`; '_' is a name, too
        integer,   ///< a whole number in `bits`, in two's complement
        single,    ///< a number of type float in the lower half of `bits`
        floating,  ///< a number of type double in `bits`
        address,   ///< an address in brackets: `name` plus `bits`; `items` are what follows a comma
        vector,    ///< `items` in braces
        list,      ///< `items` in parentheses
        pair,      ///< two `items` with '|' between them
    };
    Kind kind = Kind::name;
    bool is_negated = false;  ///< whether '!' precedes a predicate, or '-' another name
    std::string_view name;
    std::uint64_t bits = 0;
    std::vector<Operand> items;
};

/// A variable that a function declares, or a parameter of a function.
struct LocalVariable {
    enum class Space { local, shared, parameter };
    Space space = Space::local;
    std::string_view name;
    std::size_t size = 0;
    std::size_t alignment = 1;
    bool is_dynamic = false;  ///< whether it is external shared memory, which begins after all other shared memory
};

/// Registers of one type. A count of 0 declares one register of that name, otherwise the names end with 0 to count - 1.
struct RegisterDeclaration {
    std::string_view type;
    std::string_view name;
    std::uint32_t count = 0;
};

/// The results and the parameters of a function, for calls through pointers.
struct Prototype {
    std::vector<LocalVariable> results;
    std::vector<LocalVariable> parameters;
};

/// A statement of a function.
struct Statement {
    enum class Kind { instruction, label, scope_begin, scope_end, registers, variable, location, targets, prototype };
    Kind kind = Kind::instruction;
    bool is_guard_negated = false;
    int line = 0;                             ///< line of the PTX
    std::string_view name;                    ///< opcode or label
    std::string_view guard;                   ///< predicate that guards an instruction; empty if there is none
    std::vector<std::string_view> modifiers;  ///< of an instruction, with their leading dots
    std::vector<Operand> operands;            ///< of an instruction; the labels of `targets`
    std::vector<RegisterDeclaration> registers;
    LocalVariable variable;
    Prototype prototype;
    std::uint32_t file = 0;         ///< of a location
    std::uint32_t source_line = 0;  ///< of a location
};

/// A kernel or a device function.
struct Function {
    std::string_view name;
    int line = 0;
    bool is_kernel = false;
    bool is_defined = false;              ///< whether the text has its body
    bool is_address_in_variable = false;  ///< whether the initial value of a variable has its address
    Prototype prototype;
    std::vector<Statement> statements;
};

/// A file that locations name by its number.
struct SourceFile {
    std::uint32_t number = 0;
    std::string_view name;
};

/// The pragma that marks a module as linked with libcudadevrt.a.
constexpr std::string_view device_runtime_pragma = "cubind_device_runtime";

/// The code of a module, which owns the text.
struct Code {
    std::string text;
    std::vector<Function> functions;
    std::vector<SourceFile> files;
    std::vector<LocalVariable> shared;       ///< shared variables that are declared outside functions
    std::vector<std::string_view> textures;  ///< variables of the old .tex space
    bool is_debug = false;                   ///< whether the target has the option debug: ptxas does not optimize
    bool has_device_runtime = false;         ///< whether it was linked with libcudadevrt.a

    /// Makes functions and shared variables available to the searches below. The reader calls this at the end.
    void index_names() {
        for (std::size_t i = 0; i < functions.size(); ++i) {
            const auto [entry, is_new] = function_indexes.try_emplace(functions[i].name, i);
            if (!is_new && functions[i].is_defined) entry->second = i;
        }
        for (std::size_t i = 0; i < shared.size(); ++i) shared_indexes.try_emplace(shared[i].name, i);
    }
    /// Returns the function with a name, preferably its definition; null if there is none.
    const Function* find(std::string_view name) const {
        const auto found = function_indexes.find(name);
        return found != function_indexes.end() ? &functions[found->second] : nullptr;
    }
    /// Returns the shared variable with a name that is declared outside functions, or null.
    const LocalVariable* find_shared(std::string_view name) const {
        const auto found = shared_indexes.find(name);
        return found != shared_indexes.end() ? &shared[found->second] : nullptr;
    }

    std::unordered_map<std::string_view, std::size_t> function_indexes;
    std::unordered_map<std::string_view, std::size_t> shared_indexes;
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
