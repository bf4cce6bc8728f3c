// SPDX-FileCopyrightText: The cubind authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cubind/sim/launch.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

/// Compares launches of the tests with a GPU.
namespace cubind::testing {

/// An allocation and its contents.
struct Contents {
    std::uint64_t address = 0;
    std::string variable;  ///< name of the module's variable; empty for other memory
    std::vector<std::byte> bytes;
};

/// A launch whose parameters have 8 bytes each.
struct TestLaunch {
    std::string text;  ///< PTX of the module
    std::string kernel;
    sim::Extent3 grid;
    sim::Extent3 block;
    std::vector<std::uint64_t> arguments;  ///< addresses of allocations, or numbers
    std::size_t dynamic_shared_bytes = 0;
    bool is_cooperative = false;
    sim::Extent3 cluster = {};  ///< {1, 1, 1} for no clusters
};

/// Compares a launch that the executor ran with the results of a GPU: with those that were recorded, and with those of the GPU of
/// this machine if the environment variable CUBIND_TEST_GPU is set.
class LaunchComparison {
public:
    /// Returns whether the current test is compared. Copying the memory would be too slow for all tests.
    static bool is_used();

    LaunchComparison(TestLaunch launch, std::vector<Contents> before);
    /// Compares the memory after the launch, which has the same order. `executed` has the instructions of the launch.
    void finish(const std::vector<Contents>& after, const std::set<std::string>& executed);

private:
    void add_inputs() const;
    TestLaunch launch_;
    std::vector<Contents> before_;
};

}  // namespace cubind::testing
