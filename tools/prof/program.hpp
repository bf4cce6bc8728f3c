// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace cubind::prof {

inline constexpr int cannot_start = 126, is_missing = 127;

/// How a program ended, or why it did not start.
struct ProgramEnd {
    std::string problem;           ///< why the program cannot be started; empty if it was
    int status = 0;                ///< as a shell states it: 128 plus the number for a signal, 126 or 127 if it cannot be started
    bool was_interrupted = false;  ///< whether the user did not wait for other processes of the program
};

/// What run_program() does while the program runs.
struct ProgramWatch {
    std::function<void()> tick;                   ///< is called twice a second if it is not empty
    std::function<void(unsigned)> others_remain;  ///< is called once if the program has ended and other processes of it have not
};

/// Returns why a program must not be profiled, or "": the driver ignores the environment of a program that has privileges that
/// its caller lacks.
std::string privilege_problem(const std::string& path);

/// Starts a program and waits for its end. With `follows`, waits for the processes that it has started, too, also if it left them
/// behind. Passes on signals that a terminal does not send to all processes anyway. `process_variable` is a variable that the
/// program gets with its number if it is not null. Is called once in a process that has no other children.
ProgramEnd run_program(char* const* arguments, bool follows, const char* process_variable, const ProgramWatch& watch);

/// Returns whether the standard error stream is a terminal.
bool has_terminal() noexcept;

}  // namespace cubind::prof
