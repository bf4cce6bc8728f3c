// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the tests that are the reason why the simulation calls an instruction exact (comparing_tests.txt): each of them must
// execute the instruction in a launch whose results are compared with the recorded ones. If the environment variable
// CUBIND_TEST_INSTRUCTIONS names a folder, each test instead writes its executed instructions into a file of that folder.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "fidelity/comparing_tests.hpp"
#include "ptx/fidelity/instruction_counts.hpp"
#include "recorded_results.hpp"

namespace cubind::testing {

namespace {

void check_instructions(const std::string& test, bool is_compared, const std::set<std::string>& executed) {
    if (const char* const folder = std::getenv("CUBIND_TEST_INSTRUCTIONS")) {
        if (!is_compared) return;
        std::ofstream file(std::filesystem::path(folder) / test);
        for (const std::string& each : executed) file << each << '\n';
        return;
    }
    const auto found = comparing_tests().find(test);
    if (found == comparing_tests().end()) return;
    for (const std::string& each : found->second) {
        EXPECT_TRUE(is_compared && executed.contains(each))
            << "the simulation calls \"" << each << "\" exact because of this test, but the test "
            << (is_compared ? "does not execute it" : "is not compared with the recorded results")
            << "; after a change of tests, record them on a GPU and run scripts/list-compared-instructions";
    }
}

[[maybe_unused]] const bool is_checked = [] {
    sim::ptx::InstructionCounts::of_process().begin(true, sim::Fidelity::approximate);
    RecordedResults::check_with(check_instructions);
    return true;
}();

}  // namespace

}  // namespace cubind::testing
