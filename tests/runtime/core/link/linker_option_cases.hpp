// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <cubind/core/linker_options.hpp>

namespace cubind::testing {

/// An option that is set, the flags of nvJitLink that it becomes, and the first release that takes them: 12030 is 12.3. The
/// architecture, which nvJitLink has to be told, is in none but those of arch itself.
struct OptionCase {
    const char* option;
    cubind::LinkerOptions options;
    std::vector<std::string> flags;
    int since = 12000;
};

/// Each option in each way of setting it, in the order of the members.
std::vector<OptionCase> option_cases();

}  // namespace cubind::testing
