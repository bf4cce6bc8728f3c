// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string_view>

#include "ptx/text/syntax.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// What a name of a function refers to.
struct Symbol {
    enum class Kind : std::uint8_t { variable, registers, local, shared, kernel_parameter, label, targets, prototype };
    Kind kind = Kind::variable;
    std::uint8_t bytes = 0;                ///< of a register; 0 for predicates
    char type = 0;                         ///< of a register: b, u, s, f, or p for predicates
    std::uint64_t index = 0;               ///< number of a register, of the first register, or of a label
    std::uint32_t count = 0;               ///< number of registers
    std::uint64_t offset = 0;              ///< of a variable in its state space
    std::uint64_t size = 0;                ///< of a variable
    const Statement* statement = nullptr;  ///< of targets and prototypes
};

/// The names of a function. A name in braces hides the same name outside of the braces.
class Scopes {
public:
    void begin() { names_.emplace_back(); }
    void end() { names_.pop_back(); }
    void add(std::string_view name, const Symbol& symbol) { names_.back().insert_or_assign(name, symbol); }
    /// Finds a name, also the name of a register that was declared with a count, such as %r<6>.
    std::optional<Symbol> find(std::string_view name) const;

private:
    std::vector<std::map<std::string_view, Symbol>> names_;
};

}  // namespace CUBIND_NAMESPACE::sim::ptx
