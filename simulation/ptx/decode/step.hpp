// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ptx/forms/form.hpp"
#include "ptx/program/program.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// A register of a function, or a temporary value.
struct Register {
    std::uint8_t bytes = 0;  ///< of one thread; 0 for a predicate
};

/// An operand of a step that has a slot.
struct Value {
    enum class Kind : std::uint8_t { none, variable, constant };
    Kind kind = Kind::none;
    bool is_written = false;
    std::uint8_t bytes = 0;
    std::uint32_t index = 0;  ///< number of the register
    std::uint64_t bits = 0;   ///< of a constant

    bool is_register() const noexcept { return kind == Kind::variable; }
};

struct SpecialRegister;

constexpr std::uint32_t no_label = ~std::uint32_t{0};

/// A call of a step.
struct StepCall {
    const Function* callee = nullptr;  ///< null for a call through a pointer
    std::string builtin;               ///< name of a function that the simulation provides
    CallSite site;
};

/// An instruction whose names are resolved, or the begin of a basic block.
struct Step {
    Handler handler = nullptr;  ///< null for a label
    const Form* form = nullptr;
    const SpecialRegister* special = nullptr;  ///< which the step reads
    Choice choice;
    std::array<Value, max_operands> values{};
    Value guard;  ///< predicate that guards the instruction
    bool is_guard_negated = false;
    Flow flow = Flow::none;
    std::uint32_t label = no_label;  ///< label of a branch, or the label that begins here
    std::vector<std::uint32_t> targets;
    std::int64_t offset = 0;
    std::uint32_t extra = 0;
    std::unique_ptr<StepCall> call;
    std::unique_ptr<std::string> problem;  ///< why the instruction cannot run
    SourcePosition position;
    bool may_write_part = false;  ///< whether destinations keep their values for some of the active threads

    /// Replaces the step by one that fails with a text when it runs.
    void fail(std::string text);
};

/// A function as steps.
struct Steps {
    std::vector<Step> all;
    std::vector<Register> registers;
    std::uint32_t labels = 0;
    std::size_t local_bytes = 0;
    std::size_t parameter_begin = 0;
    bool has_calls = false;

    std::uint32_t add_register(std::uint8_t bytes) {
        registers.push_back({bytes});
        return static_cast<std::uint32_t>(registers.size() - 1);
    }
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
