// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

/// wrapper_call_counted: prints the names of the cases, one per line.
/// wrapper_call_counted CASE raw|wrapper COUNT: makes COUNT calls, whose instructions callgrind counts.

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cases.hpp"

int main(int argc, char** argv) {
    const auto cases = prepared_cases();
    if (argc == 1) {
        for (const Case& each : cases) std::puts(each.name);
        return 0;
    }
    for (const Case& each : cases) {
        if (argc != 4 || each.name != std::string_view(argv[1])) continue;
        const auto calls = std::string_view(argv[2]) == "raw" ? each.raw : each.wrapper;
        calls(std::atol(argv[3]));
        return 0;
    }
    std::fputs("usage: wrapper_call_counted [CASE raw|wrapper COUNT]\n", stderr);
    return 2;
}
