// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

#include "clang/cursor.hpp"

namespace cubind::gen::kernels {

/// Returns the names of the namespaces around a declaration, without unnamed and inline ones, which the host does not need.
std::vector<std::string> namespaces_of(const clang::Cursor& declaration);

/// Returns names with :: between them.
std::string join_names(const std::vector<std::string>& namespaces, const std::string& name);

/// Returns the name that NVRTC finds a declaration by.
std::string qualified_name(const clang::Cursor& declaration);

/// Returns a name that any program may declare: letters, digits and single underscores, no underscore at the beginning, and no
/// keyword.
std::string legal_name(const std::string& text);

}  // namespace cubind::gen::kernels
