// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ptx/text/cursor.hpp"
#include "ptx/text/module_interface.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// The declaration of a variable or a parameter, without its initializer.
struct Declaration {
    std::string_view name;
    std::size_t element_size = 0;  ///< bytes of one lane
    std::size_t lanes = 1;         ///< lanes of a vector type
    std::size_t alignment = 0;
    std::vector<std::size_t> extents;  ///< extents of an array; the first is 0 if the initializer determines it
    bool is_float = false;
    bool is_managed = false;

    /// Returns the total bytes. Throws if std::size_t cannot hold them.
    std::size_t size(const Cursor& cursor) const;
};

/// Reads the part after the state space: alignment, attributes and type in any order, then the name and the extents.
Declaration read_declaration(Cursor& cursor);

/// Reads the part after '='. Sets the initial bytes of `variable`, and its size if the declaration omits it.
void read_initializer(Cursor& cursor, const Declaration& declaration, Variable& variable);

}  // namespace CUBIND_NAMESPACE::sim::ptx
