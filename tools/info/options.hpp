// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::info {

/// Options of the command line.
struct Options {
    bool json = false;     ///< --json
    bool all = false;      ///< --all
    bool help = false;     ///< --help
    bool version = false;  ///< --version
    std::string find;      ///< argument of --find; empty if the option was not given
    std::string problem;   ///< the first error in the command line; empty if there is none
};

/// Parses the command line and stops at the first error.
Options parse_options(int count, char** arguments);

/// Text that --help prints.
extern const char* const usage;

}  // namespace cubind::info
