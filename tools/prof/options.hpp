// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "settings.hpp"

namespace cubind::prof {

/// Formats of the result.
struct Formats {
    bool table = false;
    bool csv = false;
    bool json = false;
    bool trace = false;

    bool has_files() const noexcept { return csv || json || trace; }
};

/// Options of the command line.
struct Options {
    std::string output;  ///< folder; empty if the option was not given
    std::string prefix;  ///< of the names of files
    Formats formats = {.table = true};
    std::string activities;  ///< as the option has them; empty if it was not given
    std::string memory;      ///< as the option has it; empty if it was not given
    std::string recover;     ///< folder of records that remained; empty if the option was not given
    bool follows = true;     ///< whether processes that the program starts are recorded
    bool is_quiet = false;
    bool help = false;
    bool version = false;
    std::string problem;  ///< the first error in the command line; empty if there is none
    int program = 0;      ///< position of the program among the arguments
};

/// Parses the command line up to the program, and stops at the first error.
Options parse_options(int count, char** arguments);

/// Text that --help prints.
extern const char* const usage;

}  // namespace cubind::prof
