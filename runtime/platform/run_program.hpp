// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/detail/abi.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace CUBIND_NAMESPACE::detail {

/// The end of another program.
struct ProgramResult {
    int error = 0;            ///< an errno if the program could not be started or waited for, else 0
    int status = 0;           ///< 0 if it was successful
    std::string output = {};  ///< what it wrote to its standard output
    std::string errors = {};  ///< what it wrote to its standard error stream
};

/// Returns the name under which a program of run_program() opens its input as a file.
[[nodiscard]] CUBIND_EXPORT std::string path_of_program_input();

/// Returns the name under which a program of run_program() can write its output as a file.
[[nodiscard]] CUBIND_EXPORT std::string path_of_program_output();

/// Runs a program without a shell, with the environment of this process (none if it has privileges that its
/// caller lacks), and waits for its end. Its input and output are in memory and not on
/// a disk. `environment` has entries NAME=VALUE that replace those of this process. Throws std::bad_alloc.
[[nodiscard]] CUBIND_EXPORT ProgramResult run_program(const std::string& path, const std::vector<std::string>& arguments,
                                                      const void* input, std::size_t size,
                                                      const std::vector<std::string>& environment = {});

}  // namespace CUBIND_NAMESPACE::detail
