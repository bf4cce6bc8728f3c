// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace cubind::testing {

/// Returns the instructions that each test proves to be exact, from comparing_tests.txt.
inline const std::map<std::string, std::vector<std::string>>& comparing_tests() {
    static const auto all = [] {
        std::map<std::string, std::vector<std::string>> tests;
        std::vector<std::string>* instructions = nullptr;
        std::ifstream lines(CUBIND_COMPARING_TESTS);
        for (std::string line; std::getline(lines, line);) {
            if (!line.starts_with(' ')) {
                instructions = &tests[line];
            } else if (instructions != nullptr) {
                instructions->push_back(line.substr(1));
            }
        }
        return tests;
    }();
    return all;
}

}  // namespace cubind::testing
