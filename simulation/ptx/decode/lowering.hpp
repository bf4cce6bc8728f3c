// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "ptx/decode/passes.hpp"
#include "ptx/decode/scope.hpp"
#include "shared/round_up.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// Why an instruction cannot run. Thrown and caught within the pass.
struct Unsupported {
    std::string problem;
};

/// Turns the statements of a function into steps. lower.cpp has the statements, lower_operands.cpp the operands by the form of
/// their instruction, lower_values.cpp the values that operands name, and lower_call.cpp the calls.
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
    void lower_part(Operand operand, bool is_written, Step& step);
    void lower_destinations(const Operand& operand, std::string_view spec, Step& step);
    void lower_address(const Operand& operand, Step& step);
    void lower_vector(const Operand& operand, bool is_written, Step& step);
    void lower_items(const Operand& operand, std::string_view spec, Step& step);
    void lower_object(const Operand& operand, std::string_view spec, Step& step);
    void lower_parts(const Operand& operand, bool is_written, Step& step);
    void lower_call(const Statement& statement, Step& step);
    std::vector<ArgumentCopy> lower_arguments(const Operand& list, const std::vector<LocalVariable>& callee_variables);
    void add_targets(const std::vector<Operand>& labels, Step& step);
    std::uint32_t label(std::string_view name) const;

    Value source(const Operand& operand, int bytes, std::string_view type);
    Value name_value(const Operand& operand, int bytes);
    Value destination(const Operand& operand, int bytes);
    Value local_address(std::uint64_t offset, int bytes);
    Value shared_address(std::uint64_t offset, int bytes);
    Value computed_address(Handler handler, std::uint64_t offset, int bytes);
    Value negate(const Value& predicate);
    std::uint32_t register_of(const Symbol& symbol);
    static void add_value(Step& step, const Value& value);
    Step& add(Handler handler);

    const Executable& executable_;
    const SharedLayout& shared_;
    const Function& function_;
    Steps steps_;
    std::size_t targets_ = 0;  ///< number of the targets of all indexed branches
    Scopes scopes_;
    SourcePosition position_;
    std::uint64_t declared_registers_ = 0;
    std::unordered_map<std::uint64_t, std::uint32_t>
        used_registers_;  ///< registers of the steps by the number of their declaration
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
