// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::gen::spec {

/// A struct that the C standard or POSIX defines.
struct SystemType {
    const char* name;
    const char* header;      ///< header that the standard names for it
    bool has_layout = true;  ///< false if its content is private to the C library
};

/// Returns the struct of the system with this name; null if there is none. Typedefs of the system that name a number, such as
/// off_t, are not in the table, because the number itself replaces them.
const SystemType* find_system_type(const std::string& name);

/// Returns the names of the structs of the system that have a public layout, for messages.
std::string system_type_names();

}  // namespace cubind::gen::spec
