// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "ptx/declaration.hpp"

namespace cubind::sim::ptx {

/// Room in a memory where variables lie one after the other.
struct Room {
    std::size_t bytes = 0;

    void add(const Cursor& cursor, std::size_t size, std::size_t alignment);
};

/// Shared memory that is declared outside kernels: it counts for those that name it.
using SharedVariables = std::map<std::string_view, Declaration>;

/// Reads a kernel from its name to the end of its body. False where it is only declared.
bool read_kernel(Cursor& cursor, const SharedVariables& shared, Kernel& kernel);

}  // namespace cubind::sim::ptx
