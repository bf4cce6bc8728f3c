// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>

/// Bits of results that a GPU computed.
namespace cubind::testing {

/// Returns whether the tests use the GPU of this machine: the environment variable CUBIND_TEST_GPU is set.
bool uses_gpu();

/// Compares the results of each test with those that were recorded on a GPU. A file holds two hashes for each test: of everything
/// that its results depend on (code, arguments, memory), and of the results. The numbers of launches that are not compared
/// follow. A test whose inputs differ from the recorded ones is not compared.
///
/// If the environment variable CUBIND_TEST_RECORD names a folder, nothing is compared. Each test then writes its line into a file
/// of that folder, and the first bytes of its results into another one.
class RecordedResults {
public:
    /// Compares tests with the lines of the file from now on.
    static void compare_with(const std::filesystem::path& file);

    /// Returns whether the results of the current test are compared or recorded.
    static bool is_used();
    /// Counts the launches of the current test. Returns whether this one is compared.
    static bool begin_launch();
    /// Excludes the current launch from what is recorded.
    static void exclude_launch();
    /// Adds bytes on which the results of the current launch depend.
    static void add_input(std::span<const std::byte> bytes);
    static void add_input(std::string_view text) { add_input(std::as_bytes(std::span(text))); }
    /// Adds results of the current launch, in an order that is the same in each run.
    static void add_result(std::span<const std::byte> bytes);
    /// Adds an instruction that the current launch executed.
    static void add_instruction(const std::string& instruction);
    /// Is called at the end of each test that passes, unless results are recorded: with the name of the test, whether its results
    /// were compared, and the added instructions.
    using Check = void (*)(const std::string& test, bool is_compared, const std::set<std::string>& instructions);
    static void check_with(Check check);
    /// Excludes the current test, because its results differ from run to run.
    static void exclude_test();

private:
    class Listener;
    static Listener& listener();
};

}  // namespace cubind::testing
