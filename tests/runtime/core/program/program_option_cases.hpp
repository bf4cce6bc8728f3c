// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <cubind/core/program_options.hpp>

namespace cubind::testing {

/// An option that is set, the flags that it becomes, and the first release whose NVRTC takes them: 12040 is 12.4.
struct OptionCase {
    const char* option;
    cubind::ProgramOptions options;
    std::vector<std::string> flags;
    int since = 12000;
};

/// Each option in each way of setting it, in the order of the members. Files are made in the working directory.
std::vector<OptionCase> option_cases();

}  // namespace cubind::testing
