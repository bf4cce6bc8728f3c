// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace cubind::info {

/// The command line.
struct Options {
    bool json = false;
    bool all = false;
    bool help = false;
    bool version = false;
    std::string problem;  ///< what is wrong with the command line; empty if nothing is
};

/// Understands the command line; the first thing that is wrong ends it.
Options parse_options(int count, char** arguments);

/// What --help prints.
extern const char* const usage;

}  // namespace cubind::info
