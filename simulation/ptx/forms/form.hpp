// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "ptx/forms/modifier.hpp"
#include "ptx/program/instruction.hpp"
#include "ptx/text/syntax.hpp"

/// The instructions that can run. A form is one shape of an instruction: its opcode, its modifiers and its operands.
namespace CUBIND_NAMESPACE::sim::ptx {

/// What the address of an instruction is relative to.
enum class AddressBase : std::uint8_t {
    pointer,     ///< 0, or a register
    frame,       ///< the local memory of the call
    parameters,  ///< the parameters of the kernel
};

/// The suffix and the sign of an operand `u`, see Form::operands.
struct OperandPart {
    std::uint8_t number = 0;  ///< 1 to 4 for the bytes .b0 to .b3, 5 and 6 for the halves .h0 and .h1, 0 for all bits
    bool is_negated = false;
};

/// The properties of an instruction by which its handler is selected.
struct Choice {
    Modifiers modifiers;
    /// Bytes of each operand in the order of Instruction::slots; 0 for predicates. Loads and stores may use registers that are
    /// wider than the type of the instruction.
    std::array<std::uint8_t, max_operands> bytes{};
    unsigned slots = 0;
    std::array<OperandPart, 4> parts{};  ///< of the operands in the order of the text
    AddressBase base = AddressBase::pointer;
    bool is_kernel = false;          ///< whether the function is a kernel
    std::uint8_t pointer_bytes = 0;  ///< of the register of an address; 0 if it has none
    std::uint32_t extra = 0;         ///< value of Instruction::extra
    bool uses_stack = false;         ///< whether the instruction allocates local memory when it runs
};

/// Returns the handler of an instruction, or null if no handler exists for these modifiers. May set Choice::extra
/// and Choice::uses_stack.
using Select = Handler (*)(Choice& choice);

/// How an instruction affects the flow of control.
enum class Flow : std::uint8_t {
    none,       ///< the next instruction follows
    jump,       ///< has a label; the threads continue there, or those whose guard is true
    indexed,    ///< has a list of labels
    call,       ///< the next instruction follows after the callee returns
    end,        ///< no instruction follows in the function
    converged,  ///< the next instruction follows; threads of a warp may have to wait for one another
};

/// A row of the tables of instructions.
struct Form {
    std::string_view opcode;
    /// Groups that are separated by spaces. A group lists alternatives with '|'. A group in brackets may be absent. The text may
    /// have the groups in another order, as ptxas accepts them, but types in this order.
    std::string_view modifiers;
    /// Operands that are separated by spaces: '=' marks one that the instruction writes; then a type. Types are `t` and `s` (the
    /// last type modifier, and the one before), `w` (twice as wide as t), `b16`, `b32`, `b64`, `p` (predicate); `=p|p` are two
    /// predicates, `=t|p` a register and a predicate, one of which may be '_'; `v` is a register or a vector of the length
    /// of .v2, .v4 or .v8, of any type at least as wide as t; `x` a register at least as wide as t, `y` as wide as s;
    /// `u` a register of 32 bits or a part of it, which may be negated;
    /// `e` is a vector of two or four registers that together are as wide as t; `i` a number, which becomes Choice::extra;
    /// `[type]` the handle of an object and, after a comma, values of a type, `[]` a handle alone; `{type}` a value or a vector
    /// of any length of that type; `m` an address, `l` a label, `f` a function, `r` a list in parentheses, `T` a list of labels.
    std::string_view operands;
    Select select = nullptr;
    Flow flow = Flow::none;
    std::uint16_t isa = 1000;   ///< first version of PTX: 1000 * major + 10 * minor
    std::uint16_t target = 10;  ///< first compute capability: 10 * major + minor
};

/// The forms of one family of instructions.
using Forms = std::span<const Form>;

/// Removes and returns the part of a text before a separator. Form::modifiers and Form::operands consist of such parts.
std::string_view take_part(std::string_view& text, char separator);

/// The result of looking for a form.
struct FormMatch {
    const Form* form = nullptr;
    Modifiers modifiers;
    std::string problem;      ///< why no form was found
    bool is_too_new = false;  ///< whether a form of a later version or target was found
};

/// Returns the bytes of a register for a type in Form::operands; 0 for predicates, -1 if the type does not determine them.
int bytes_of_operand(std::string_view type, const Modifiers& modifiers);

/// Finds forms of all families. Thread-safe.
class FormTable {
public:
    explicit FormTable(std::span<const Forms> families);

    /// Finds the form of an instruction by its opcode, its modifiers and the number of its operands.
    FormMatch find(const Statement& statement, int version, int target) const;
    /// Returns whether an instruction has the modifiers of a form, but another number of operands than all forms with them.
    bool has_wrong_operand_count(const Statement& statement) const;

private:
    std::unordered_map<std::string_view, std::vector<const Form*>> by_opcode_;
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
