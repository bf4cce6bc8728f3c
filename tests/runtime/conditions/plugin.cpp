// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0

// A plugin that contains a target of layer 3, whose use is USE. plugin_tests.cpp loads and unloads it.
#include <cstdio>
#include <exception>

#include "use.hpp"

extern "C" __attribute__((visibility("default"))) int cubind_test_plugin(const char* folder) {
    try {
        cubind::testing::USE(folder);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
