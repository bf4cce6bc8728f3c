// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/program_options.hpp>

#include <string>
#include <vector>

namespace cubind::testing {

/// Options with one option set, the flags for it, and the first release whose NVRTC accepts them: 12040 is 12.4.
struct OptionCase {
    const char* option;
    cubind::ProgramOptions options;
    std::vector<std::string> flags;
    int since = 12000;
};

/// Returns the cases of all options, in the order of the members. Some write files to the working directory.
std::vector<OptionCase> option_cases();

}  // namespace cubind::testing
