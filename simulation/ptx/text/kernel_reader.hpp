// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "ptx/text/declaration.hpp"
#include "ptx/text/syntax.hpp"

namespace CUBIND_NAMESPACE::sim::ptx {

/// The size of a memory in which variables follow one another with their alignment.
struct StorageSize {
    std::size_t bytes = 0;

    void add(const Cursor& cursor, std::size_t size, std::size_t alignment);
};

/// Shared variables that are declared outside kernels. They count for each kernel that refers to them.
using SharedDeclarations = std::map<std::string_view, Declaration>;

/// Reads a kernel, from its name to the end of its body, and its code. Returns false for a declaration without a body.
bool read_kernel(Cursor& cursor, const SharedDeclarations& shared, Kernel& kernel, Function& function);

/// Reads a device function from what it returns, or its name, to the end of its body or declaration.
void read_function(Cursor& cursor, Function& function);

}  // namespace CUBIND_NAMESPACE::sim::ptx
