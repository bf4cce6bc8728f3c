// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// Why a program could not be started.
struct StartFailure {
    bool is_missing;  ///< whether there is no such file
    std::string text;
};

/// Returns the path of a program, which is searched in the folders of PATH if its name has no slash, or "". An empty folder in
/// PATH is the working directory.
std::string find_program(const std::string& name);

/// Replaces this process by a program, which is searched in the folders of PATH if its name has no slash. `arguments` begins with
/// the program and ends with a null pointer. Returns only if that fails. Unlike execvp(), it does not let sh read files that are
/// neither programs nor scripts with a first line "#!": for a script in Python, errors of sh would explain nothing. The text of a
/// failure names `command`, which starts the program.
StartFailure start(char* const* arguments, const char* command);
