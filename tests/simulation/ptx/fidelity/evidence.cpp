// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the tests that the simulation names as the reason why it calls an instruction exact: each of them must execute the
// instruction in a launch whose results are compared with the recorded ones. If the environment variable
// CUBIND_TEST_INSTRUCTIONS names a folder, each test instead writes its executed instructions into a file of that folder.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "ptx/fidelity/classification.hpp"
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
    for (const sim::ptx::ComparedInstruction& each : sim::ptx::compared_instructions()) {
        if (each.test != test) continue;
        EXPECT_TRUE(is_compared && executed.contains(std::string(each.instruction)))
            << "the simulation calls \"" << each.instruction << "\" exact because of this test, but the test "
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
