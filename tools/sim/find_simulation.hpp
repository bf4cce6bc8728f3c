// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// The folder of the simulated libraries, or why there is none that can be used.
struct FoundSimulation {
    std::string folder;   ///< without symbolic links
    std::string problem;  ///< empty if the folder can be used
};

/// Finds the folder at its place beside this program. Users other than root, the user of this process and the owner of this
/// program can change nothing that it contains.
FoundSimulation find_simulation();
