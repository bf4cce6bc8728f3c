// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ptx/cursor.hpp"
#include "ptx/image.hpp"

namespace cubind::sim::ptx {

/// What a declaration says of a variable or a parameter, before any initialiser.
struct Declaration {
    std::string_view name;
    std::size_t element_size = 0;     ///< of one lane
    std::size_t lanes = 1;            ///< of a vector type
    std::size_t alignment = 0;
    std::vector<std::size_t> extents; ///< of an array; the first may be 0: as many as there are
    bool is_float = false;
    bool is_managed = false;

    /// Bytes in all; more than std::size_t holds is a mistake.
    std::size_t size(const Cursor& cursor) const;
};

/// Reads what follows the state space: alignment, attributes, type, name and extents, in the order in which they come.
Declaration read_declaration(Cursor& cursor);

/// Reads what follows '=': `variable` gets its first bytes, and its size where the declaration leaves it open.
void read_initializer(Cursor& cursor, const Declaration& declaration, Variable& variable);

}  // namespace cubind::sim::ptx
