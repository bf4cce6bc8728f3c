// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/core/program/linker_options.hpp>

#include <string>
#include <vector>

namespace cubind::testing {

/// Options with one option set, the flags of nvJitLink for it, and the first release that accepts them: 12030 is 12.3. Only the
/// cases of arch itself set the architecture, which nvJitLink requires.
struct OptionCase {
    const char* option;
    cubind::LinkerOptions options;
    std::vector<std::string> flags;
    int since = 12000;
};

/// Returns the cases of all options, in the order of the members.
std::vector<OptionCase> option_cases();

}  // namespace cubind::testing
